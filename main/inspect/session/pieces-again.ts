import { PickedFiles } from '../../files/file-table.ts';
import { placesWhere } from '../../files/places.ts';
import { keyAt } from '../grouping/natures.ts';
import type { Piece } from '../grouping/propose.ts';
import type { InspectedSource } from '../inspect-source.ts';
import type { ShownSource } from './wanted-part.ts';

/**
 * The pieces that a page showed, found again in a source with more in it. Keys begin with the entry's name
 * once there are several: files are known again by their paths.
 *
 * @param before what the page showed; null for nothing
 * @param included pieces of that, by their places, that a person had put into assets by hand: their files
 *   that are left out again become pieces of their own
 * @returns the pieces that there are now, and for each piece that was shown its place among them; null where
 *   it is left out, or was included and is in an asset by now
 */
export function piecesAgain(
  { allPieces, scan }: Pick<InspectedSource, 'allPieces' | 'scan'>,
  before: ShownSource | null,
  included: readonly number[],
): { readonly pieces: readonly Piece[]; readonly places: readonly (number | null)[] } {
  if (!before) return { pieces: allPieces, places: [] };
  const parted = new Set(included);
  const rowByPath = rowsByPath(before, parted);
  const pieces: Piece[] = [...allPieces];
  const places: (number | null)[] = before.pieces.map(() => null);
  for (const [at, piece] of allPieces.entries()) {
    const rows = new Map<number | undefined, number[]>();
    for (const place of piece.files) {
      const known = rowByPath.get(scan.files.at(place)?.path ?? '');
      const row = known !== undefined && (piece.reason === null || parted.has(known)) ? known : undefined;
      const own = rows.get(row) ?? [];
      rows.set(row, own);
      own.push(place);
    }
    if (piece.reason === null) {
      for (const row of rows.keys()) {
        const was = row === undefined ? undefined : before.pieces[row];
        // What nobody recognized may have gone with data: it is not what it was.
        const isSame = was?.reason === null && (was.kind !== null || piece.kind === null);
        if (row !== undefined && isSame) places[row] = at;
      }
      continue;
    }
    const [first, ...others] = [...rows].sort(
      ([a], [b]) => Number(a !== undefined) - Number(b !== undefined),
    );
    const put = (place: number, [row, files]: readonly [number | undefined, number[]]) => {
      pieces[place] = { ...piece, files, primary: keyAt(scan.files, files[0]) };
      if (row !== undefined) places[row] = place;
    };
    if (first) put(at, first);
    for (const other of others) put(pieces.length, other);
  }
  return { pieces, places };
}

/** Whose place a file tells, by its path: of data the one that a piece is named after, of the rest each. */
function rowsByPath(
  { pieces, files }: ShownSource,
  parted: ReadonlySet<number>,
): ReadonlyMap<string, number> {
  const rowByPath = new Map<string, number>();
  for (const [row, { files: own, primary, reason }] of pieces.entries()) {
    if (!parted.has(row) && reason !== null) continue;
    // It may be named after a folder.
    const one = placesWhere(new PickedFiles(files, own), ({ key }) => key === primary)[0] ?? 0;
    for (const place of parted.has(row) ? own : own.slice(one, one + 1)) {
      const path = files.at(place)?.path;
      if (path !== undefined) rowByPath.set(path, row);
    }
  }
  return rowByPath;
}
