import { expect, it } from 'vitest';
import type { Piece } from '../../../../main/inspect/grouping/propose.ts';
import type { ShownSource } from '../../../../main/inspect/session/requested-part.ts';
import { restorePieces } from '../../../../main/inspect/session/restore-pieces.ts';

const piece = (kind: Piece['kind'], primary: string, ...files: readonly number[]): Piece => ({
  ...{ kind, files, primary },
  reason: kind ? null : 'document',
});
const fileOf = (key: string, path = `/data/Essen/${key}`) => ({ key, path, size: 1, mtimeMs: 0 });

/** One folder; two documents were included from the third piece, one by one. */
const sourceBefore: ShownSource = {
  ...{ paths: ['/data/Essen'], isPart: false, findings: [], offers: new Map(), proposed: 0 },
  files: ['1.tif', 'a.pdf', 'b.pdf', 'c.pdf'].map((key) => fileOf(key)),
  pieces: [
    piece('RASTER_IMAGERY', '1.tif', 0),
    piece(null, 'a.pdf', 1),
    piece(null, 'b.pdf', 2),
    piece(null, 'c.pdf', 3),
  ],
};
/** With another folder: keys begin with the entry's name, and all documents are one piece again. */
const keys = ['1.tif', 'a.pdf', 'b.pdf', 'c.pdf'];
const scan = {
  files: [
    ...keys.map((key) => fileOf(`Essen/${key}`, `/data/Essen/${key}`)),
    fileOf('b/d.pdf', '/data/b/d.pdf'),
  ],
  ...{ bytes: 5, ignored: [] },
};
const documents = piece(null, 'Essen/a.pdf', 1, 2, 3, 4);
const allPieces = [piece('RASTER_IMAGERY', 'Essen/1.tif', 0), documents];
const shownPieces = ({ pieces, places }: Awaited<ReturnType<typeof restorePieces>>) => ({
  pieces: pieces.map(({ primary, files }) => {
    const ownKeys = files.map((place) => scan.files[place]?.key);
    expect(primary).toBe(ownKeys[0]);
    return ownKeys.join(' ');
  }),
  places,
});

it('piecesAgain() finds shown pieces by their files, with manually included ones separately', async () => {
  expect(shownPieces(await restorePieces({ allPieces, scan }, sourceBefore, [3, 1]))).toEqual({
    pieces: ['Essen/1.tif', 'Essen/b.pdf b/d.pdf', 'Essen/a.pdf', 'Essen/c.pdf'],
    places: [0, 2, null, 3],
  });
});

it('piecesAgain() keeps the place of the only excluded file', async () => {
  const lonePieces = [allPieces[0] as Piece, piece(null, 'Essen/a.pdf', 1)];
  expect(shownPieces(await restorePieces({ allPieces: lonePieces, scan }, sourceBefore, [1]))).toEqual({
    pieces: ['Essen/1.tif', 'Essen/a.pdf'],
    places: [0, 1, null, null],
  });
});

it('piecesAgain() finds nothing when the files are in an asset or nothing was shown', async () => {
  const takenPieces = [piece('RASTER_IMAGERY', 'Essen/1.tif', 0, 1)];
  expect((await restorePieces({ allPieces: takenPieces, scan }, sourceBefore, [1])).places).toEqual([
    0,
    null,
    null,
    null,
  ]);
  expect(await restorePieces({ allPieces, scan }, null, [1])).toEqual({ pieces: allPieces, places: [] });
});
