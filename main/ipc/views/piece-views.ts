import { posix } from 'node:path';
import type { PieceView } from '../../../preload/contract.ts';
import { PickedFiles } from '../../files/file-table.ts';
import type { SourceFiles } from '../../files/model.ts';
import type { Page } from '../../files/pages.ts';
import type { Piece } from '../../inspect/grouping/propose.ts';
import { extensionOf } from '../../inspect/headers/choose.ts';
import { extensionOf as endingOf } from '../../inspect/together/data-set.ts';
import { strictSidecars } from '../../inspect/together/sidecars.ts';

/** Of what is left out; a page asks for more of them. */
const maxNames = 200;
/** Of one piece; a page names fewer. */
const maxExtensions = 20;

/** What the sheet says of some pieces of a source. `files`: all of it. */
export async function pieceViews(
  pieces: readonly Piece[],
  files: SourceFiles,
  page: Page,
): Promise<readonly PieceView[]> {
  const views: PieceView[] = [];
  for (const piece of pieces) {
    const counts = new Map<string, { extension: string; count: number; beside: boolean }>();
    const main = extensionOf(piece.primary);
    let bytes = 0;
    for (const { key, size } of new PickedFiles(files, piece.files)) {
      bytes += size;
      const extension = endingOf(posix.basename(key));
      const beside = extension !== main && strictSidecars.has(extension);
      const known = counts.get(extension) ?? { extension, count: 0, beside };
      known.count += 1;
      counts.set(extension, known);
      if (page.isFull()) await page.turn();
    }
    views.push({
      name: posix.basename(piece.primary),
      sourceType: piece.kind ?? '',
      reason: piece.reason,
      fileCount: piece.files.length,
      bytes,
      contents: [...counts.values()]
        .sort((a, b) => Number(a.beside) - Number(b.beside) || b.count - a.count)
        .slice(0, maxExtensions),
      names: piece.reason ? firstNames(piece, files) : [piece.primary],
    });
    if (page.isFull()) await page.turn();
  }
  return views;
}

const firstNames = ({ files: own }: Piece, files: SourceFiles): readonly string[] =>
  Array.from(new PickedFiles(files, own.slice(0, maxNames)), ({ key }) => key);
