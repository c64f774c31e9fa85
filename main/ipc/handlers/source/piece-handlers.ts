import { TileliftError } from '../../../errors.ts';
import { PickedFiles } from '../../../files/file-table.ts';
import type { SourceFiles } from '../../../files/model.ts';
import { createPage, type Page } from '../../../files/pages.ts';
import { keyAt } from '../../../inspect/grouping/natures.ts';
import type { Piece } from '../../../inspect/grouping/propose.ts';
import type { CallHandlers } from '../../bind.ts';
import { pieceViews } from '../../views/piece-views.ts';
import type { ShownSource } from './changed-source.ts';

/** Names of files that a page is given at a time. */
const maxNames = 100;

/**
 * The calls about what is left out of the source that a page shows: which files these are, and one of them
 * for itself.
 *
 * @param shown null where the page shows none
 * @param keepShown what it shows from now on
 */
export function pieceHandlers(
  shown: () => ShownSource | null,
  keepShown: (source: ShownSource) => void,
): Pick<CallHandlers, 'source.leftOut' | 'source.partFile'> {
  const leftOut = (places: readonly number[]): readonly (readonly [number, Piece])[] => {
    const found = places.map((at) => [at, shown()?.pieces[at]] as const);
    return found.map(([at, piece]) => {
      if (!piece || piece.kind !== null) throw new TileliftError('input-invalid', { subject: 'pieces' });
      return [at, piece];
    });
  };
  return {
    'source.leftOut': async ({ pieces, search, from }) => {
      const page = createPage();
      const wanted = search.trim().normalize('NFC').toLowerCase();
      const names: string[] = [];
      let count = 0;
      for (const [, { files }] of leftOut(pieces)) {
        for (const { key } of new PickedFiles(shown()?.files ?? [], files)) {
          if (key.toLowerCase().includes(wanted)) {
            if (count >= from && names.length < maxNames) names.push(key);
            count += 1;
          }
          if (page.isFull()) await page.turn();
        }
      }
      return { count, names };
    },
    'source.partFile': async ({ pieces, key }) => {
      const source = shown();
      const page = createPage();
      const found = await placeOf(key, leftOut(pieces), source?.files ?? [], page);
      if (!source || !found) throw new TileliftError('input-invalid', { subject: 'key' });
      const { at, piece, file } = found;
      if (piece.files.length === 1) {
        const [view] = await pieceViews([piece], source.files, page);
        return { at, rest: null, place: at, part: view ?? nothing() };
      }
      const files = piece.files.filter((one) => one !== file);
      const rest: Piece = { ...piece, files, primary: keyAt(source.files, files[0]) };
      const part: Piece = { ...piece, files: [file], primary: key };
      const place = source.pieces.length;
      keepShown({ ...source, pieces: [...source.pieces.with(at, rest), part] });
      const views = await pieceViews([rest, part], source.files, page);
      return { at, rest: views[0] ?? nothing(), place, part: views[1] ?? nothing() };
    },
  };
}

/** In which of these pieces a file is, and its place in the source; null where it is in none. */
async function placeOf(
  key: string,
  pieces: readonly (readonly [number, Piece])[],
  files: SourceFiles,
  page: Page,
): Promise<{ readonly at: number; readonly piece: Piece; readonly file: number } | null> {
  for (const [at, piece] of pieces) {
    for (const file of piece.files) {
      if (keyAt(files, file) === key) return { at, piece, file };
      if (page.isFull()) await page.turn();
    }
  }
  return null;
}

function nothing(): never {
  throw new TileliftError('input-invalid', { subject: 'pieces' });
}
