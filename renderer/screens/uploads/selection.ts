/** Selected rows of a list. Pure; removed rows no longer count. */

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Start of a Shift selection; null before the first selection. */
  readonly anchor: string | null;
}

export const nothingSelected: Selection = { ids: new Set(), anchor: null };

export function toggled({ ids }: Selection, id: string): Selection {
  const selection = new Set(ids);
  if (!selection.delete(id)) selection.add(id);
  return { ids: selection, anchor: id };
}

/** Selects exactly the rows from the anchor to this one. */
export function selectedTo({ anchor }: Selection, order: readonly string[], id: string): Selection {
  const start = anchor === null ? -1 : order.indexOf(anchor);
  const end = order.indexOf(id);
  const [lowestIndex, highestIndex] = start < 0 ? [end, end] : [Math.min(start, end), Math.max(start, end)];
  return { ids: new Set(order.slice(lowestIndex, highestIndex + 1)), anchor: start < 0 ? id : anchor };
}

export function allSelected(order: readonly string[]): Selection {
  return { ids: new Set(order), anchor: order[0] ?? null };
}

export function stillThere({ ids, anchor }: Selection, order: readonly string[]): Selection {
  const existing = new Set(order.filter((id) => ids.has(id)));
  return { ids: existing, anchor: anchor !== null && order.includes(anchor) ? anchor : null };
}
