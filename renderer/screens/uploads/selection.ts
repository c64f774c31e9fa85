/** Which rows of a list are selected. Pure; what is selected and gone counts no more. */

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** From where Shift selects; null while nothing was selected. */
  readonly anchor: string | null;
}

export const nothingSelected: Selection = { ids: new Set(), anchor: null };

/** One more, or one less. */
export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** All from the anchor to a row, and no others. */
export function selectedTo({ anchor }: Selection, order: readonly string[], id: string): Selection {
  const from = anchor === null ? -1 : order.indexOf(anchor);
  const to = order.indexOf(id);
  const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  return { ids: new Set(order.slice(first, last + 1)), anchor: from < 0 ? id : anchor };
}

export function allSelected(order: readonly string[]): Selection {
  return { ids: new Set(order), anchor: order[0] ?? null };
}

/** What of it is still there. */
export function stillThere({ ids, anchor }: Selection, order: readonly string[]): Selection {
  const there = new Set(order.filter((id) => ids.has(id)));
  return { ids: there, anchor: anchor !== null && order.includes(anchor) ? anchor : null };
}
