const controls =
  'button, input, textarea, a[href], [role=button], [role=combobox], [role=menuitem], [role=option], [role=radio], [role=switch]';
const layers = '[role=alertdialog], [role=dialog], .menu';

/**
 * Controls of what is on top that a pointer can't be put on, not even after scrolling, each with what is in
 * its way. Notices are in nobody's way: they can be dismissed.
 */
export function unreachable(): readonly string[] {
  const top = [...document.querySelectorAll(layers)].at(-1) ?? document.body;
  return [...top.querySelectorAll<HTMLElement>(controls)].filter(isThere).flatMap((control) => {
    control.scrollIntoView({ block: 'center', inline: 'nearest' });
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const name = control.ariaLabel ?? control.innerText;
    if (left < -1 || right > innerWidth + 1) return [`${name}: runs out of the window`];
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (control.contains(hit) || hit?.closest('[data-testid=notice]')) return [];
    return [`${name}: behind ${hit?.tagName ?? 'the edge'} ${hit?.className ?? ''}`];
  });
}

/** What can be scrolled sideways, which nothing should. */
export function scrollsSideways(): readonly string[] {
  return [document.documentElement, ...document.querySelectorAll('*')]
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .filter((element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX))
    .map((element) => `${element.tagName} ${element.className}`);
}

/**
 * Whether the window itself can scroll: rail and head would be gone as soon as something far down gets the
 * focus. An open menu goes below the edge with the row it belongs to, and what it does to the window ends
 * with it.
 */
export function windowScrolls(): boolean {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight > clientHeight && !document.querySelector('.menu');
}

function isThere(control: HTMLElement): boolean {
  const { width, height } = control.getBoundingClientRect();
  // Those of a pixel are there for forms, not for people.
  const isSeen = width > 1 && height > 1 && control.checkVisibility({ visibilityProperty: true });
  return isSeen && !control.closest('[aria-hidden=true], [inert]');
}
