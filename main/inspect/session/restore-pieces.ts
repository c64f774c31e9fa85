import { PickedFiles } from '../../files/file-table.ts';
import { placesWhere } from '../../files/places.ts';
import { keyAt } from '../grouping/file-classes.ts';
import type { Piece } from '../grouping/propose.ts';
import type { InspectedSource } from '../inspect-source.ts';
import type { ShownSource } from './requested-part.ts';

/**
 * Finds the shown pieces again after the source has grown. Matches paths, because keys change once there are
 * several entries.
 *
 * @param previousSource the shown source; null for none
 * @param included positions of pieces that the user put into assets; their excluded files become pieces again
 * @returns the current pieces, and the position of each shown piece among them: null if it is now excluded,
 * or was included and is now in an asset
 */
export function restorePieces(
  { allPieces, scan }: Pick<InspectedSource, 'allPieces' | 'scan'>,
  previousSource: ShownSource | null,
  included: readonly number[],
): { readonly pieces: readonly Piece[]; readonly places: readonly (number | null)[] } {
  if (!previousSource) return { pieces: allPieces, places: [] };
  const includedRows = new Set(included);
  const rowByPath = rowsByPath(previousSource, includedRows);
  const pieces: Piece[] = [...allPieces];
  const places: (number | null)[] = previousSource.pieces.map(() => null);
  for (const [pieceIndex, piece] of allPieces.entries()) {
    const rows = new Map<number | undefined, number[]>();
    for (const place of piece.files) {
      const knownRow = rowByPath.get(scan.files.at(place)?.path ?? '');
      const row =
        knownRow !== undefined && (piece.reason === null || includedRows.has(knownRow))
          ? knownRow
          : undefined;
      const rowFiles = rows.get(row) ?? [];
      rows.set(row, rowFiles);
      rowFiles.push(place);
    }
    if (piece.reason === null) {
      for (const row of rows.keys()) {
        const shownPiece = row === undefined ? undefined : previousSource.pieces[row];
        // An unrecognised piece may have been with data before.
        const isSame = shownPiece?.reason === null && (shownPiece.kind !== null || piece.kind === null);
        if (row !== undefined && isSame) places[row] = pieceIndex;
      }
      continue;
    }
    const [firstRow, ...otherRows] = [...rows].sort(
      ([a], [b]) => Number(a !== undefined) - Number(b !== undefined),
    );
    const put = (place: number, [row, files]: readonly [number | undefined, number[]]) => {
      pieces[place] = { ...piece, files, primary: keyAt(scan.files, files[0]) };
      if (row !== undefined) places[row] = place;
    };
    if (firstRow) put(pieceIndex, firstRow);
    for (const otherRow of otherRows) put(pieces.length, otherRow);
  }
  return { pieces, places };
}

/** Maps paths to positions of pieces: a data piece by its primary file, others by each file. */
function rowsByPath(
  { pieces, files }: ShownSource,
  includedRows: ReadonlySet<number>,
): ReadonlyMap<string, number> {
  const rowByPath = new Map<string, number>();
  for (const [row, { files: pieceFiles, primary, reason }] of pieces.entries()) {
    if (!includedRows.has(row) && reason !== null) continue;
    // A piece may be named after a folder instead of a file.
    const primaryIndex =
      placesWhere(new PickedFiles(files, pieceFiles), ({ key }) => key === primary)[0] ?? 0;
    for (const place of includedRows.has(row)
      ? pieceFiles
      : pieceFiles.slice(primaryIndex, primaryIndex + 1)) {
      const path = files.at(place)?.path;
      if (path !== undefined) rowByPath.set(path, row);
    }
  }
  return rowByPath;
}
