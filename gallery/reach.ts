const controls =
  'button, input, textarea, a[href], [role=button], [role=combobox], [role=menuitem], [role=option], [role=radio], [role=switch]';
const layers = '[role=alertdialog], [role=dialog], .menu';

/**
 * Visible controls that a pointer can't reach, even by scrolling, with their obstacles. Notices don't count:
 * they can be dismissed.
 */
export function unreachableControls(): readonly string[] {
  const topLayer = [...document.querySelectorAll(layers)].at(-1) ?? document.body;
  return [...topLayer.querySelectorAll<HTMLElement>(controls)].filter(isReachable).flatMap((control) => {
    control.scrollIntoView({ block: 'center', inline: 'nearest' });
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const name = control.ariaLabel ?? control.innerText;
    if (left < -1 || right > innerWidth + 1) return [`${name}: runs out of the window`];
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (control.contains(hit) || hit?.closest('[data-testid=notice]')) return [];
    return [`${name}: behind ${hit?.tagName ?? 'the edge'} ${hit?.className ?? ''}`];
  });
}

/** Elements that scroll sideways; none should. */
export function scrollsSideways(): readonly string[] {
  return [document.documentElement, ...document.querySelectorAll('*')]
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .filter((element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX))
    .map((element) => `${element.tagName} ${element.className}`);
}

/**
 * True if the window can scroll: navigation and header would disappear when a low element gets the focus. An
 * open menu may extend the window while it is open.
 */
export function windowScrolls(): boolean {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight > clientHeight && !document.querySelector('.menu');
}

function isReachable(control: HTMLElement): boolean {
  const { width, height } = control.getBoundingClientRect();
  // One-pixel controls exist for forms, not for people.
  const isSeen = width > 1 && height > 1 && control.checkVisibility({ visibilityProperty: true });
  return isSeen && !control.closest('[aria-hidden=true], [inert]');
}
