/**
 * Files of a source, which can be gone over many times and come in the same order each time: a list, or what
 * makes each when it is asked for.
 */
export interface FilesInOrder extends Iterable<{ readonly key: string; readonly size: number }> {
  /** Where it is there, none of the files before that one have to be made. */
  at?(place: number): { readonly key: string; readonly size: number } | undefined;
}

/** Keys of files by their places among all of them, in the order of the places. */
export function keysAt(files: FilesInOrder, places: readonly number[]): readonly string[] {
  if (files.at) return places.map((place) => files.at?.(place)?.key ?? '');
  const order = Uint32Array.from(places.keys()).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const keys = new Array<string>(places.length).fill('');
  let [next, place] = [0, 0];
  if (order.length > 0)
    for (const { key } of files) {
      for (; places[order[next] ?? -1] === place; next++) keys[order[next] ?? 0] = key;
      // Of a million files those that are asked for are the first few mostly.
      if (next === order.length) break;
      place += 1;
    }
  return keys;
}
