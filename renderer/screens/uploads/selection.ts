/** Selected rows of a list. Pure; removed rows no longer count. */

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Start of a Shift selection; null before the first selection. */
  readonly anchor: string | null;
}

export const nothingSelected: Selection = { ids: new Set(), anchor: null };

/** Adds or removes one row. */
export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** Selects exactly the rows from the anchor to this one. */
export function selectedTo({ anchor }: Selection, order: readonly string[], id: string): Selection {
  const from = anchor === null ? -1 : order.indexOf(anchor);
  const to = order.indexOf(id);
  const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  return { ids: new Set(order.slice(first, last + 1)), anchor: from < 0 ? id : anchor };
}

export function allSelected(order: readonly string[]): Selection {
  return { ids: new Set(order), anchor: order[0] ?? null };
}

/** The selection without removed rows. */
export function stillThere({ ids, anchor }: Selection, order: readonly string[]): Selection {
  const there = new Set(order.filter((id) => ids.has(id)));
  return { ids: there, anchor: anchor !== null && order.includes(anchor) ? anchor : null };
}
