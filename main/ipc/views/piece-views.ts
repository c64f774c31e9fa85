import { posix } from 'node:path';
import type { PieceView } from '../../../preload/contract.ts';
import { extensionOf } from '../../source/heads/choose.ts';
import type { Page } from '../../source/pages.ts';
import type { Piece } from '../../source/proposal/propose.ts';
import { extensionOf as endingOf } from '../../source/together/data-set.ts';
import { strictSidecars } from '../../source/together/sidecars.ts';

/** Of what is left out; a page asks for more of them. */
const maxNames = 200;
/** Of one piece; a page names fewer. */
const maxExtensions = 20;

/**
 * What the sheet says of some pieces of a source.
 *
 * @param files all of the source, or those of these pieces
 */
export async function pieceViews(
  pieces: readonly Piece[],
  files: readonly { readonly key: string; readonly size: number }[],
  page: Page,
): Promise<readonly PieceView[]> {
  const sizes = new Map<string, number>();
  for (const { key, size } of files) {
    sizes.set(key, size);
    if (page.isFull()) await page.turn();
  }
  const views: PieceView[] = [];
  for (const piece of pieces) {
    const counts = new Map<string, { extension: string; count: number; beside: boolean }>();
    const main = extensionOf(piece.primary);
    let bytes = 0;
    for (const key of piece.keys) {
      bytes += sizes.get(key) ?? 0;
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
      fileCount: piece.keys.length,
      bytes,
      contents: [...counts.values()]
        .sort((a, b) => Number(a.beside) - Number(b.beside) || b.count - a.count)
        .slice(0, maxExtensions),
      names: piece.reason ? piece.keys.slice(0, maxNames) : [piece.primary],
    });
    if (page.isFull()) await page.turn();
  }
  return views;
}
