import type { InspectedSource } from '../../../source/inspect-source.ts';
import { createPage } from '../../../source/pages.ts';
import type { Piece } from '../../../source/proposal/propose.ts';
import type { ShownSource } from './changed-source.ts';

/**
 * What a person had put into assets by hand, found again in a source with more in it: the files of each piece
 * that are left out again become a piece of their own.
 *
 * @param before what the page showed; null for nothing
 * @param included pieces of that, by their places
 * @returns the pieces that there are now, and for each of the included its place among them; null where none
 *   of its files is left out any more
 */
export async function includedAgain(
  { allPieces, scan }: Pick<InspectedSource, 'allPieces' | 'scan'>,
  before: ShownSource | null,
  included: readonly number[],
): Promise<{ readonly pieces: readonly Piece[]; readonly places: readonly (number | null)[] }> {
  if (!before || included.length === 0) return { pieces: allPieces, places: included.map(() => null) };
  const page = createPage();
  const rowOf = new Map<string, number>();
  for (const [row, at] of included.entries()) {
    for (const key of before.pieces[at]?.keys ?? []) {
      rowOf.set(key, row);
      if (page.isFull()) await page.turn();
    }
  }
  // Keys begin with the entry's name once there are several.
  const rowByPath = new Map<string, number>();
  for (const { key, path } of before.files) {
    const row = rowOf.get(key);
    if (row !== undefined) rowByPath.set(path, row);
    if (page.isFull()) await page.turn();
  }
  const pathOf = new Map<string, string>();
  for (const { key, path } of scan.files) {
    pathOf.set(key, path);
    if (page.isFull()) await page.turn();
  }
  const pieces: Piece[] = [...allPieces];
  const places: (number | null)[] = included.map(() => null);
  for (const [at, piece] of allPieces.entries()) {
    if (piece.kind !== null) continue;
    const rows = new Map<number | undefined, string[]>();
    for (const key of piece.keys) {
      const row = rowByPath.get(pathOf.get(key) ?? '');
      const own = rows.get(row) ?? [];
      rows.set(row, own);
      own.push(key);
      if (page.isFull()) await page.turn();
    }
    const [first, ...others] = [...rows].sort(
      ([a], [b]) => Number(a !== undefined) - Number(b !== undefined),
    );
    const put = (place: number, [row, keys]: readonly [number | undefined, string[]]) => {
      pieces[place] = { ...piece, keys, primary: keys[0] ?? '' };
      if (row !== undefined) places[row] = place;
    };
    if (first) put(at, first);
    for (const other of others) put(pieces.length, other);
  }
  return { pieces, places };
}
