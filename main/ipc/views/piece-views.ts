import { posix } from 'node:path';
import type { PieceView } from '../../../preload/contract.ts';
import { extensionOf } from '../../source/heads/choose.ts';
import type { InspectedSource } from '../../source/inspect-source.ts';
import type { Piece } from '../../source/proposal/propose.ts';
import { extensionOf as endingOf } from '../../source/together/data-set.ts';
import { strictSidecars } from '../../source/together/sidecars.ts';

/** Of what is left out; a page shows that there are more. */
const maxNames = 200;
/** Of one piece; a page names fewer. */
const maxExtensions = 20;

/** What the sheet says of the pieces of a source. */
export function pieceViews({ allPieces, scan }: InspectedSource): readonly PieceView[] {
  const sizes = new Map(scan.files.map(({ key, size }) => [key, size]));
  return allPieces.map((piece) => ({
    name: posix.basename(piece.primary),
    sourceType: piece.kind ?? '',
    reason: piece.reason,
    fileCount: piece.keys.length,
    bytes: piece.keys.reduce((sum, key) => sum + (sizes.get(key) ?? 0), 0),
    contents: contentsOf(piece),
    names: piece.reason ? piece.keys.slice(0, maxNames) : [piece.primary],
  }));
}

function contentsOf({ primary, keys }: Piece): PieceView['contents'] {
  const main = extensionOf(primary);
  const counts = new Map<string, { extension: string; count: number; beside: boolean }>();
  for (const key of keys) {
    const extension = endingOf(posix.basename(key));
    const known = counts.get(extension) ?? {
      extension,
      count: 0,
      beside: extension !== main && strictSidecars.has(extension),
    };
    known.count += 1;
    counts.set(extension, known);
  }
  return [...counts.values()]
    .sort((a, b) => Number(a.beside) - Number(b.beside) || b.count - a.count)
    .slice(0, maxExtensions);
}
