const canHaveFocus =
  ':is(button, input, textarea, [href], [tabindex]):not(:disabled, [tabindex="-1"], [aria-hidden="true"]), [role=menuitem]';

/**
 * Where the focus goes when what had it is taken away, as by "Remove from list": to what comes after it on
 * the page, or before, as near as there is something. Browsers let it fall to nowhere. What a closing dialog
 * or menu does about the focus goes first. Returns an unsubscribe function.
 */
export function keepFocus(room: HTMLElement): () => void {
  let last: HTMLElement | null = null;
  /** Its elders, the nearest first; and all that could have had the focus instead, in page order. */
  let elders: readonly Element[] = [];
  let row: readonly HTMLElement[] = [];

  const remember = () => {
    last = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    elders = last ? eldersOf(last) : [];
    row = stopsIn(room);
  };

  const look = () => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    const elder = elders.find(({ isConnected }) => isConnected);
    // What was in a dialog is gone with it.
    if (elder && elder !== document.body) substitute(elder)?.focus({ preventScroll: true });
  };

  function substitute(elder: Element): HTMLElement | undefined {
    const place = last ? row.indexOf(last) : -1;
    const near = (one: HTMLElement) =>
      elder.contains(one) && one.matches(canHaveFocus) && one.checkVisibility();
    const after = row.slice(place + 1);
    const before = row.slice(0, Math.max(place, 0));
    return after.find(near) ?? before.findLast(near) ?? stopsIn(elder).find(near);
  }

  const observer = new MutationObserver(() => {
    if (last && !last.isConnected) requestAnimationFrame(look);
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
  for (let one = element.parentElement; one; one = one.parentElement) elders.push(one);
  return elders;
}

const stopsIn = (room: Element): readonly HTMLElement[] => [
  ...room.querySelectorAll<HTMLElement>(canHaveFocus),
];
