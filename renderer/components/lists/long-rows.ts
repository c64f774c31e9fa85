/** Keyboard navigation between rows, as in native lists and tables. */

interface RowPlace {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  readonly page: number;
}

export function nextRow(key: string, { index, count, page }: RowPlace): number | null {
  const target = wantedRow(key, index, count, Math.max(1, page - 1));
  if (target === null) return null;
  const nextIndex = Math.min(Math.max(target, 0), count - 1);
  return nextIndex === index ? null : nextIndex;
}

function wantedRow(key: string, index: number, count: number, leap: number): number | null {
  switch (key) {
    case 'ArrowUp':
      return index - 1;
    case 'ArrowDown':
      return index + 1;
    case 'PageUp':
      return index - leap;
    case 'PageDown':
      return index + leap;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/**
 * Number of previous rows above the common end of two lists of different lengths: all changes are above it.
 * Null if the lengths are equal or no end is common.
 */
export function changedAbove(previous: readonly string[], current: readonly string[]): number | null {
  const addedRows = current.length - previous.length;
  if (addedRows === 0 || previous.length === 0) return null;
  const count = previous.findLastIndex((key, index) => current[index + addedRows] !== key) + 1;
  return count === previous.length ? null : count;
}

/** The element's scroll box, or its parent if nothing scrolls. */
export function scrollBoxOf(element: HTMLElement): HTMLElement {
  let box = element.parentElement;
  while (box && !['auto', 'scroll'].includes(getComputedStyle(box).overflowY)) box = box.parentElement;
  return box ?? document.documentElement;
}

/** Distance of the element from the start of the content of `box`, px. */
export function offsetWithin(box: HTMLElement, element: HTMLElement): number {
  return Math.round(element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop);
}
