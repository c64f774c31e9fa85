/** Where a key leads from one row of a list, as lists and tables of the systems have it. */

export interface RowPlace {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  /** Rows that the window shows at once. */
  readonly page: number;
}

/** The index of the row that the key leads to; null for keys that lead to none, and where there is none further. */
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
