import { expect, it } from 'vitest';
import type { InspectedSource } from '../../../../main/inspect/inspect-source.ts';
import type { Inspection } from '../../../../main/inspect/session/inspection.ts';
import { Sheet } from '../../../../main/inspect/session/sheet.ts';

const documents = Array.from({ length: 250 }, (_, at) => `berichte/${String(at).padStart(3, '0')}.pdf`);
const keys = ['dop.tif', 'Prüfung.docx', ...documents];

async function beginSheet() {
  const files = keys.map((key, at) => ({ key, path: `/data/${key}`, size: at + 1, mtimeMs: 0 }));
  const allPieces = [
    { kind: 'RASTER_IMAGERY', reason: null, primary: 'dop.tif', files: [0] },
    { kind: null, reason: 'document', primary: 'Prüfung.docx', files: [...keys.keys()].slice(1) },
  ];
  const source = {
    ...{ paths: ['/data'], files, allPieces, pieces: [0], primary: null, suggestion: null },
    ...{ scan: { files, bytes: 1, ignored: [] }, findings: [], footprints: [], separate: [], taken: [] },
  } as unknown as InspectedSource;
  const looking: Partial<Inspection> = {
    inspect: async () => ({ source, inDoubt: () => null, isLate: false }),
    scanHeaders: async () => {},
  };
  const sheet = new Sheet(looking as Inspection);
  await sheet.show({ paths: ['/data'] }, () => {});
  const countIn = (piece: number) => sheet.leftOut({ pieces: [piece], search: '', offset: 0 }).count;
  return { sheet, countIn };
}

it('excluded files of a source are listed in pages and searched by a part of the name in any case', async () => {
  const { sheet } = await beginSheet();
  const list = (search: string, offset: number) => sheet.leftOut({ pieces: [1], search, offset });
  const firstPage = list('', 0);
  expect([firstPage.count, firstPage.names.length, firstPage.names[0]]).toEqual([251, 100, 'Prüfung.docx']);
  expect(list('', 200).names).toHaveLength(51);
  expect(list(' PRÜFUNG'.normalize('NFD'), 0)).toEqual({ count: 1, names: ['Prüfung.docx'] });
  expect(list('.laz', 0)).toEqual({ count: 0, names: [] });
});

it('excluded files of a source are split off as separate pieces, each file in one', async () => {
  const { sheet, countIn } = await beginSheet();
  const parted = sheet.partFile({ pieces: [1], key: 'berichte/007.pdf' });
  expect(parted).toMatchObject({
    ...{ at: 1, place: 2 },
    rest: { reason: 'document', fileCount: 250, name: 'Prüfung.docx' },
    part: { reason: 'document', fileCount: 1, name: '007.pdf', bytes: 10, names: ['berichte/007.pdf'] },
  });
  expect([1, 2].map(countIn)).toEqual([250, 1]);
  expect(sheet.leftOut({ pieces: [1], search: '007', offset: 0 }).count).toBe(0);
  // It was excluded and is included again.
  const separated = sheet.partFile({ pieces: [1, 2], key: 'berichte/007.pdf' });
  expect(separated).toMatchObject({ at: 2, place: 2, rest: null, part: { fileCount: 1 } });
  expect([1, 2].map(countIn)).toEqual([250, 1]);
});

it('excluded files of a source are neither listed nor split when in an asset or unknown', async () => {
  const { sheet, countIn } = await beginSheet();
  const refusedError = expect.objectContaining({ code: 'input-invalid' });
  expect(() => sheet.leftOut({ pieces: [0], search: '', offset: 0 })).toThrow(refusedError);
  for (const [pieces, key] of [
    [[0], 'dop.tif'],
    [[1], 'dop.tif'],
    [[7], 'Prüfung.docx'],
  ] as const)
    expect(() => sheet.partFile({ pieces, key })).toThrow(refusedError);
  expect(countIn(1)).toBe(251);
});
