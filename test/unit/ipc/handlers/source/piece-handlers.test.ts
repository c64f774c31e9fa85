import { describe, expect, it } from 'vitest';
import type { ShownSource } from '../../../../../main/ipc/handlers/source/changed-source.ts';
import { pieceHandlers } from '../../../../../main/ipc/handlers/source/piece-handlers.ts';

const documents = Array.from({ length: 250 }, (_, at) => `berichte/${String(at).padStart(3, '0')}.pdf`);
const keys = ['dop.tif', 'Prüfung.docx', ...documents];

function begin() {
  let shown: ShownSource | null = {
    paths: ['/data'],
    files: keys.map((key, at) => ({ key, path: `/data/${key}`, size: at + 1, mtimeMs: 0 })),
    pieces: [
      { kind: 'RASTER_IMAGERY', reason: null, primary: 'dop.tif', files: [0] },
      { kind: null, reason: 'document', primary: 'Prüfung.docx', files: [...keys.keys()].slice(1) },
    ],
    ...{ isPart: false, findings: [], offers: new Map(), proposed: 0 },
  };
  const handlers = pieceHandlers(
    () => shown,
    (source) => {
      shown = source;
    },
  );
  return { handlers, pieces: () => shown?.pieces.map((piece) => piece.files.length) };
}

describe('what is left out of the source that a page shows', () => {
  it('is told page by page, and found by a part of its name in either case', async () => {
    const { handlers } = begin();
    const list = (search: string, from: number) => handlers['source.leftOut']({ pieces: [1], search, from });
    const first = await list('', 0);
    expect([first.count, first.names.length, first.names[0]]).toEqual([251, 100, 'Prüfung.docx']);
    expect((await list('', 200)).names).toHaveLength(51);
    expect(await list(' PRÜFUNG'.normalize('NFD'), 0)).toEqual({ count: 1, names: ['Prüfung.docx'] });
    expect(await list('.laz', 0)).toEqual({ count: 0, names: [] });
  });

  it('is parted by one file, which is a piece of its own then; each file is in one piece', async () => {
    const { handlers, pieces } = begin();
    const parted = await handlers['source.partFile']({ pieces: [1], key: 'berichte/007.pdf' });
    expect(parted).toMatchObject({
      ...{ at: 1, place: 2 },
      rest: { reason: 'document', fileCount: 250, name: 'Prüfung.docx' },
      part: { reason: 'document', fileCount: 1, name: '007.pdf', bytes: 10, names: ['berichte/007.pdf'] },
    });
    expect(pieces()).toEqual([1, 250, 1]);
    expect((await handlers['source.leftOut']({ pieces: [1], search: '007', from: 0 })).count).toBe(0);
    // It has been left out again, and is taken in once more.
    const again = await handlers['source.partFile']({ pieces: [1, 2], key: 'berichte/007.pdf' });
    expect(again).toMatchObject({ at: 2, place: 2, rest: null, part: { fileCount: 1 } });
    expect(pieces()).toEqual([1, 250, 1]);
  });

  it('is neither told nor parted where it is in an asset, or nowhere', async () => {
    const { handlers, pieces } = begin();
    const refused = { code: 'input-invalid' };
    await expect(handlers['source.leftOut']({ pieces: [0], search: '', from: 0 })).rejects.toMatchObject(
      refused,
    );
    for (const [places, key] of [
      [[0], 'dop.tif'],
      [[1], 'dop.tif'],
      [[7], 'Prüfung.docx'],
    ] as const)
      await expect(handlers['source.partFile']({ pieces: places, key })).rejects.toMatchObject(refused);
    expect(pieces()).toEqual([1, 251]);
  });
});
