import { PickedFiles } from '../../files/file-table.ts';
import { placesWhere } from '../../files/places.ts';
import { keyAt } from '../grouping/natures.ts';
import type { Piece } from '../grouping/propose.ts';
import type { InspectedSource } from '../inspect-source.ts';
import type { ShownSource } from './requested-part.ts';

/**
 * Finds the shown pieces again after the source has grown. Matches paths, because keys change once there are
 * several entries.
 *
 * @param before the shown source; null for none
 * @param included positions of pieces that the user put into assets; their excluded files become pieces again
 * @returns the current pieces, and the position of each shown piece among them: null if it is now excluded,
 * or was included and is now in an asset
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
        // An unrecognised piece may have been with data before.
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

/** Maps paths to positions of pieces: a data piece by its primary file, others by each file. */
function rowsByPath(
  { pieces, files }: ShownSource,
  parted: ReadonlySet<number>,
): ReadonlyMap<string, number> {
  const rowByPath = new Map<string, number>();
  for (const [row, { files: own, primary, reason }] of pieces.entries()) {
    if (!parted.has(row) && reason !== null) continue;
    // A piece may be named after a folder instead of a file.
    const one = placesWhere(new PickedFiles(files, own), ({ key }) => key === primary)[0] ?? 0;
    for (const place of parted.has(row) ? own : own.slice(one, one + 1)) {
      const path = files.at(place)?.path;
      if (path !== undefined) rowByPath.set(path, row);
    }
  }
  return rowByPath;
}
