const canHaveFocus =
  ':is(button, input, textarea, [href], [tabindex]):not(:disabled, [tabindex="-1"], [aria-hidden="true"]), [role=menuitem]';

/**
 * Moves the focus from a removed element, as by "Remove from list", to the nearest element after or before
 * it. Browsers would drop it. Closing dialogs and menus decide first. Returns an unsubscribe function.
 */
export function keepFocus(container: HTMLElement): () => void {
  let lastFocused: HTMLElement | null = null;
  /** Its elders, the nearest first; and all that could have had the focus instead, in page order. */
  let ancestors: readonly Element[] = [];
  let row: readonly HTMLElement[] = [];

  const remember = () => {
    lastFocused = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    ancestors = lastFocused ? eldersOf(lastFocused) : [];
    row = stopsIn(container);
  };

  const checkFocus = () => {
    if (!lastFocused || lastFocused.isConnected || document.activeElement !== document.body) return;
    const elder = ancestors.find(({ isConnected }) => isConnected);
    // Elements of a dialog disappear with it.
    if (elder && elder !== document.body) substitute(elder)?.focus({ preventScroll: true });
  };

  function substitute(elder: Element): HTMLElement | undefined {
    const place = lastFocused ? row.indexOf(lastFocused) : -1;
    const isNear = (candidate: HTMLElement) =>
      elder.contains(candidate) && candidate.matches(canHaveFocus) && candidate.checkVisibility();
    const laterStops = row.slice(place + 1);
    const earlierStops = row.slice(0, Math.max(place, 0));
    return laterStops.find(isNear) ?? earlierStops.findLast(isNear) ?? stopsIn(elder).find(isNear);
  }

  const observer = new MutationObserver(() => {
    if (lastFocused && !lastFocused.isConnected) requestAnimationFrame(checkFocus);
  });
  observer.observe(container, { childList: true, subtree: true });
  container.addEventListener('focusin', remember);
  return () => {
    observer.disconnect();
    container.removeEventListener('focusin', remember);
  };
}

function eldersOf(element: Element): readonly Element[] {
  const newAncestors: Element[] = [];
  for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement)
    newAncestors.push(ancestor);
  return newAncestors;
}

const stopsIn = (container: Element): readonly HTMLElement[] => [
  ...container.querySelectorAll<HTMLElement>(canHaveFocus),
];
