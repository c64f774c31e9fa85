const canHaveFocus =
  ':is(button, input, textarea, [href], [tabindex]):not(:disabled, [tabindex="-1"], [aria-hidden="true"]), [role=menuitem]';

/**
 * Moves the focus from a removed element, as by "Remove from list", to the nearest element after or before
 * it. Browsers would drop it. Closing dialogs and menus decide first. Returns an unsubscribe function.
 */
export function keepFocus(room: HTMLElement): () => void {
  let lastFocused: HTMLElement | null = null;
  /** Its elders, the nearest first; and all that could have had the focus instead, in page order. */
  let elders: readonly Element[] = [];
  let row: readonly HTMLElement[] = [];

  const remember = () => {
    lastFocused = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    elders = lastFocused ? eldersOf(lastFocused) : [];
    row = stopsIn(room);
  };

  const look = () => {
    if (!lastFocused || lastFocused.isConnected || document.activeElement !== document.body) return;
    const elder = elders.find(({ isConnected }) => isConnected);
    // Elements of a dialog disappear with it.
    if (elder && elder !== document.body) substitute(elder)?.focus({ preventScroll: true });
  };

  function substitute(elder: Element): HTMLElement | undefined {
    const place = lastFocused ? row.indexOf(lastFocused) : -1;
    const near = (candidate: HTMLElement) =>
      elder.contains(candidate) && candidate.matches(canHaveFocus) && candidate.checkVisibility();
    const laterStops = row.slice(place + 1);
    const earlierStops = row.slice(0, Math.max(place, 0));
    return laterStops.find(near) ?? earlierStops.findLast(near) ?? stopsIn(elder).find(near);
  }

  const observer = new MutationObserver(() => {
    if (lastFocused && !lastFocused.isConnected) requestAnimationFrame(look);
  });
  observer.observe(room, { childList: true, subtree: true });
  room.addEventListener('focusin', remember);
  return () => {
    observer.disconnect();
    room.removeEventListener('focusin', remember);
  };
}

function eldersOf(element: Element): readonly Element[] {
  const elders: Element[] = [];
  for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement)
    elders.push(ancestor);
  return elders;
}

const stopsIn = (room: Element): readonly HTMLElement[] => [
  ...room.querySelectorAll<HTMLElement>(canHaveFocus),
];
