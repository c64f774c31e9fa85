/** Where a key leads from one row of a list, as lists and tables of the systems have it. */

interface RowPlace {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  /** Rows that the window shows at once. */
  readonly page: number;
}

/** The index of the row that the key leads to; null for keys that lead to none or past the end. */
export function nextRow(key: string, { index, count, page }: RowPlace): number | null {
  const wanted = wantedRow(key, index, count, Math.max(1, page - 1));
  if (wanted === null) return null;
  const next = Math.min(Math.max(wanted, 0), count - 1);
  return next === index ? null : next;
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
 * How many rows of before stand above those that both lists end with, where one is longer than the other:
 * all that has changed is among them. Null where the lists are of one length, or have no end in common.
 */
export function changedAbove(before: readonly string[], now: readonly string[]): number | null {
  const grown = now.length - before.length;
  if (grown === 0 || before.length === 0) return null;
  const above = before.findLastIndex((key, index) => now[index + grown] !== key) + 1;
  return above === before.length ? null : above;
}

/** The box that an element scrolls in; the element's own parent where nothing scrolls. */
export function scrollBoxOf(element: HTMLElement): HTMLElement {
  let box = element.parentElement;
  while (box && !['auto', 'scroll'].includes(getComputedStyle(box).overflowY)) box = box.parentElement;
  return box ?? document.documentElement;
}

/** How far below the beginning of what scrolls in `box` the element is, px. */
export function offsetWithin(box: HTMLElement, element: HTMLElement): number {
  return Math.round(element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop);
}
