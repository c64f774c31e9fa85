import { posix } from 'node:path';
import { PickedFiles } from '../../files/file-table.ts';
import type { SourceFiles } from '../../files/model.ts';
import type { Piece } from '../grouping/propose.ts';
import { extensionOf } from '../headers/choose.ts';
import { extensionOf as endingOf } from '../together/data-set.ts';
import { fitsBesides, strictSidecars } from '../together/sidecars.ts';

/** Excluded names per view; the page requests more. */
const maxNames = 200;
/** Per piece; the page shows fewer. */
const maxExtensions = 20;

/** The sheet's view of a piece. `files`: all of the source. */
export function pieceView(piece: Piece, files: SourceFiles) {
  const counts = new Map<string, number>();
  const main = extensionOf(piece.primary);
  let bytes = 0;
  for (const { key, size } of new PickedFiles(files, piece.files)) {
    bytes += size;
    const extension = endingOf(posix.basename(key));
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  const extensions = [...counts.keys()];
  const isSidecar = (extension: string) =>
    extension !== main &&
    (strictSidecars.has(extension) || extensions.some((data) => fitsBesides(extension, data)));
  return {
    name: posix.basename(piece.primary),
    sourceType: piece.kind ?? '',
    reason: piece.reason,
    fileCount: piece.files.length,
    bytes,
    contents: [...counts]
      .map(([extension, count]) => ({ extension, count, beside: isSidecar(extension) }))
      .sort((a, b) => Number(a.beside) - Number(b.beside) || b.count - a.count)
      .slice(0, maxExtensions),
    names: piece.reason ? firstNames(piece, files) : [piece.primary],
  };
}

const firstNames = ({ files: pieceFiles }: Piece, files: SourceFiles): readonly string[] =>
  Array.from(new PickedFiles(files, pieceFiles.slice(0, maxNames)), ({ key }) => key);
