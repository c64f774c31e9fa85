import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zipEntries } from '../../../../main/inspect/formats/archives/zip.ts';
import { FileBytes, maxBytes } from '../../../../main/inspect/formats/base/file-bytes.ts';
import type { Verdict } from '../../../../main/inspect/formats/base/format.ts';
import { readBytes } from './read-bytes.ts';
import { asciiPly, jpeg, las, laz, png, samples, tiff, zip } from './sample-files.ts';

const text = (words: string): Buffer => Buffer.from(words, 'latin1');

const judge = (extension: string, bytes: Buffer, header?: string, size?: number) =>
  readBytes(`a${extension}`, bytes, { header, size });
const verdictOn = async (...parameters: Parameters<typeof judge>): Promise<Verdict> =>
  (await judge(...parameters)).verdict;

describe.each(samples)('a file: $name', ({ ending: extension, bytes, header }) => {
  it('a file of each format is complete, and truncated at any shorter length', async () => {
    expect(await verdictOn(extension, bytes, header)).toBeNull();
    const wholeAt: number[] = [];
    for (let length = 0; length < bytes.length; length++) {
      if ((await verdictOn(extension, bytes.subarray(0, length), header)) === null) wholeAt.push(length);
    }
    expect(wholeAt).toEqual([]);
  });

  it('a file of each format is judged for any bytes with few reads', async () => {
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), fc.boolean(), async (changes, isGiant) => {
        const changed = Buffer.from(bytes);
        for (const [at, byte] of changes) changed[at] = byte;
        const { bytesRead } = await judge(extension, changed, header, isGiant ? 2 ** 40 : changed.length);
        expect(bytesRead).toBeLessThanOrEqual(maxBytes);
      }),
      { numRuns: 60 },
    );
  });
});

it('a reader never throws for random bytes and detects foreign content', async () => {
  const endings = [...new Set(samples.map(({ ending: extension }) => extension))];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...endings),
      fc.uint8Array({ minLength: 1, maxLength: 600 }),
      async (extension, random) => {
        await judge(extension, Buffer.from(random));
      },
    ),
    { numRuns: 1_000 },
  );
  expect(await verdictOn('.tif', text('no raster at all'))).toBe('otherFormat');
  expect(await verdictOn('.jpg', png)).toBeNull();
  expect(await verdictOn('.xyz', text('1 2 3'))).toBeNull();
  expect(await verdictOn('.gml', text('no markup'))).toBe('otherFormat');
});

it('a TIFF is complete with empty strips at offset 0', async () => {
  expect(
    await verdictOn(
      '.tif',
      tiff({
        strips: [
          [0, 0],
          [0, 0],
        ],
      }),
    ),
  ).toBeNull();
  expect(
    await verdictOn(
      '.tif',
      tiff({
        strips: [
          [0, 0],
          [8, 20],
          [0, 0],
        ],
        big: true,
      }),
    ),
  ).toBeNull();
  expect(
    await verdictOn(
      '.tif',
      tiff({
        strips: [
          [0, 0],
          [8, 2_000],
          [0, 0],
        ],
      }),
    ),
  ).toBe('tooShort');
});

it('a TIFF requires external values after its pixels', async () => {
  const bytes = tiff();
  bytes.writeUInt16LE(2, 8 + 2 + 12 + 2);
  bytes.writeUInt16LE(305, 8 + 2 + 12);
  bytes.writeUInt32LE(50, 8 + 2 + 12 + 4);
  bytes.writeUInt32LE(bytes.length, 8 + 2 + 12 + 8);
  expect(
    await verdictOn(
      '.tif',
      tiff({
        strips: [
          [0, 5_000],
          [0, 5_000],
        ],
      }),
    ),
  ).toBeNull();
  expect(await verdictOn('.tif', Buffer.concat([bytes, Buffer.alloc(49)]))).toBe('tooShort');
  expect(await verdictOn('.tif', Buffer.concat([bytes, Buffer.alloc(50)]))).toBeNull();
});

it('a TIFF without a directory is reported', async () => {
  expect(await verdictOn('.tif', text('II*\0\0\0\0\0'))).toBe('noDirectory');
});

it('a TIFF requires all its directories, even in a circle', async () => {
  const picture = tiff();
  expect(await verdictOn('.tif', tiff({ next: 8 }))).toBeNull();
  expect(await verdictOn('.tif', tiff({ next: picture.length - 10 }))).toBe('tooShort');
  expect(await verdictOn('.tif', tiff({ next: 2 ** 31 }))).toBe('tooShort');
});

it('a TIFF in GDAL’s structure has four bytes after its last tile', async () => {
  const words = 'GDAL_STRUCTURAL_METADATA_SIZE=000100 bytes\nBLOCK_TRAILER=LAST_4_BYTES_REPEATED\n';
  const bytes = tiff({ tiled: true, words });
  expect(await verdictOn('.tif', bytes)).toBe('tooShort');
  expect(await verdictOn('.tif', Buffer.concat([bytes, Buffer.alloc(3)]))).toBe('tooShort');
  expect(await verdictOn('.tif', Buffer.concat([bytes, Buffer.alloc(4)]))).toBeNull();
  const edited = tiff({ tiled: true, words: `${words}KNOWN_INCOMPATIBLE_EDITION=YES\n` });
  expect(await verdictOn('.tif', edited)).toBeNull();
});

it('a TIFF with a million strips is judged by a sample including the last', async () => {
  const count = 1_000_000;
  const strips = Array.from({ length: count }, (_, index) => [100 + index * 10, 10] as const);
  const bytes = tiff({ strips });
  const end = 100 + count * 10;
  const cutResult = await judge('.tif', bytes, undefined, end - 1);
  expect(cutResult.verdict).toBe('tooShort');
  expect(cutResult.bytesRead).toBeLessThan(maxBytes);
  expect(await verdictOn('.tif', bytes, undefined, end)).toBeNull();
});

it('a point cloud whose header counts no existing points is unfinished', async () => {
  expect(await verdictOn('.las', las({ points: 0 }))).toBeNull();
  expect(await verdictOn('.las', Buffer.concat([las({ points: 0 }), Buffer.alloc(400)]))).toBe('tooLong');
});

it('a point cloud without a chunk table offset is unfinished', async () => {
  const bytes = laz();
  const beginOffset = las({ points: 0 }).length;
  for (const unfilled of [0, 0xff]) {
    bytes.fill(unfilled, beginOffset, beginOffset + 8);
    expect(await verdictOn('.laz', bytes)).toBe('tooShort');
  }
});

it('a point cloud is truncated when its LAZ chunk table counts no chunks for its points', async () => {
  const bytes = laz();
  bytes.fill(0, bytes.length - 12);
  expect(await verdictOn('.laz', bytes)).toBe('tooShort');
});

it('a point cloud is unfinished when its LAZ header counts no points before data', async () => {
  const bytes = laz();
  bytes.writeUInt32LE(0, 107);
  expect(await verdictOn('.laz', bytes)).toBe('tooLong');
  expect(await verdictOn('.laz', bytes.subarray(0, las({ points: 0 }).length + 24))).toBeNull();
});

it('a point cloud as text has the number of lines in its header', async () => {
  expect(await verdictOn('.ply', asciiPly)).toBeNull();
  expect(await verdictOn('.ply', asciiPly.subarray(0, -1))).toBeNull();
  expect(await verdictOn('.ply', asciiPly.subarray(0, -4))).toBe('tooShort');
  expect(await verdictOn('.ply', asciiPly.subarray(0, -9))).toBe('tooShort');
  // A header of thousands of lines isn't parsed.
  const lines = `ply\nformat ascii 1.0\n${'a\n'.repeat(3_000)}element vertex 2\nproperty int a\nend_header\n1`;
  expect(await verdictOn('.ply', Buffer.from(lines))).toBeNull();
});

describe('a picture with trailing data', () => {
  const film = Buffer.from(
    Array.from({ length: 200_000 }, (_, index) => (index * index * 31 + (index >> 3)) & 0xff),
  );

  it('a picture with trailing data is complete with a film, another picture or zeros', async () => {
    for (const trailer of [film, film.subarray(0, 500), jpeg, jpeg.subarray(0, 40), Buffer.alloc(100_000)]) {
      expect(await verdictOn('.jpg', Buffer.concat([jpeg, trailer]))).toBeNull();
    }
    expect(await verdictOn('.png', Buffer.concat([png, film]))).toBeNull();
  });

  it('a picture with trailing data is complete with a film longer than the inspected part', async () => {
    const longText = Buffer.concat(Array.from({ length: 20 }, () => film));
    const data = Buffer.alloc(2_000_000, 0x55);
    const large = Buffer.concat([jpeg.subarray(0, -2), data, text('\xff\xd9')]);
    expect(await verdictOn('.jpg', large.subarray(0, -2))).toBe('noEnd');
    const { verdict, bytesRead } = await judge('.jpg', Buffer.concat([large, longText]));
    expect(verdict).toBeNull();
    expect(bytesRead).toBeLessThan(maxBytes);
  });
});

it.each([{}, { large: true }, { before: 'MZ' }])('an archive lists its names: %j', async (options) => {
  const bytes = zip(options);
  const read = async (at: number, length: number) => bytes.subarray(at, at + length);
  expect(await zipEntries(new FileBytes(bytes.length, read))).toMatchObject([{ name: 'a' }]);
});

it('an archive whose end names a wrong directory is truncated', async () => {
  const bytes = zip();
  bytes.writeUInt32LE(1_000_000, bytes.length - 6);
  expect(await verdictOn('.zip', bytes)).toBe('noArchiveEnd');
});

it('an archive that ends with a nested archive is truncated', async () => {
  const innerArchive = zip();
  const outer = Buffer.concat([text('PK\x03\x04'), Buffer.alloc(40), innerArchive]);
  expect(await verdictOn('.zip', outer)).toBe('noArchiveEnd');
});

it('an archive in several parts is not judged by its last one', async () => {
  const bytes = zip();
  bytes.writeUInt16LE(2, bytes.length - 18);
  bytes.writeUInt32LE(1_000_000, bytes.length - 6);
  expect(await verdictOn('.zip', bytes)).toBeNull();
});

it.each<[Verdict, string]>([
  [null, '<a/>'],
  [null, '<a>\n</a >\n\n'],
  [null, '<a></a><!-- made\nby hand --> <?x y?>\n'],
  [null, '<a></a>\0\0'],
  ['noEnd', '<a><b></b>'],
  ['noEnd', '<a></a><!-- made'],
  ['noEnd', '<a></b>'],
  ['noEnd', '<a b="/>'],
  ['noEnd', '  \n'],
])('markup is judged %s for %s', async (verdict, words) => {
  expect(await verdictOn('.kml', text(words))).toBe(verdict);
});

describe('an ASCII grid', () => {
  const grid = (columns: number, rows: number) =>
    `ncols ${columns}\nnrows ${rows}\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n${`${Array.from({ length: columns }, (_, index) => index + 0.25).join(' ')}\n`.repeat(rows)}`;

  it('an ASCII grid has as many numbers as cells', async () => {
    expect(await verdictOn('.asc', text(grid(10, 10)))).toBeNull();
    expect(await verdictOn('.asc', text(grid(10, 10)).subarray(0, -7))).toBe('tooShort');
  });

  it('an ASCII grid ends with a complete row when long', async () => {
    const longGrid = text(grid(500, 400));
    expect(await verdictOn('.asc', longGrid)).toBeNull();
    expect(await verdictOn('.asc', longGrid.subarray(0, -700))).toBe('tooShort');
  });
});

describe('the numbers of an ASCII grid', () => {
  const grid = (values: string) =>
    text(
      `NCOLS 3\nNROWS 2\nXLLCORNER 550000,5\nYLLCORNER 5.8e6\nCELLSIZE 1,5\nNODATA_value nan\n${values}\n`,
    );

  it.each([
    ['nan 1 2\nnan nan 3', 'GDAL\u2019s word for nothing'],
    ['-nan 1 2\n+inf -inf 3', 'words with a sign'],
    ['inf 1 2\nINF 4 5', 'infinity'],
    ['null 1 2\nNULL 4 5', 'a database\u2019s word for nothing'],
    [',5 1,5 2\n-,5 3 4', 'decimal commas'],
    ['1e2 1.5E-3 2\n,500E+02 1 2', 'exponents'],
    ['1.#QNAN -1.#IND 2\n1 2 3', 'words of MSVC'],
    ['nan\nnan\nnan\n1\n2\n3', 'one on each line'],
  ])('the numbers of an ASCII grid accept %j: %s', async (values) => {
    expect(await verdictOn('.asc', grid(values))).toBeNull();
    expect(await verdictOn('.asc', grid(values.replace(/\s\S+$/, '')))).toBe('tooShort');
  });

  it('the numbers of an ASCII grid place the grid with decimal commas and exponents, on one or several lines', async () => {
    const { head } = await readBytes('a.asc', grid('1 2 3\n4 5 6'));
    const corner = [550_000.5, 5_800_000];
    expect(head).toMatchObject({
      corners: [corner, [550_005, 5_800_000], [550_005, 5_800_003], [550_000.5, 5_800_003]],
    });
    const line = text(grid('').toString().replaceAll('\n', ' '));
    expect((await readBytes('a.asc', Buffer.concat([line, text('\n1 2 3\n4 5 6\n')]))).head).toEqual(head);
  });
});

describe('replaced data', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
  it.each<[Verdict, string, string]>([
    ['lfsPointer', '.tif', pointer],
    ['lfsPointer', '.xyz', pointer],
    ['lfsPointer', '.gml', pointer],
    ['webPage', '.laz', '\n<!DOCTYPE html>\n<html><head></head></html>'],
    ['webPage', '.kml', '<html lang="de"></html>'],
    ['serverError', '.tif', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
    ['serverError', '.gml', '<?xml version="1.0"?>\n<ows:ExceptionReport a="b"></ows:ExceptionReport>'],
    ['serverError', '.las', '<ServiceExceptionReport version="1.3"/>'],
    [null, '.xml', '<?xml version="1.0"?><metadata></metadata>'],
    [null, '.txt', pointer],
    ['empty', '.tif', ''],
    ['empty', '.dwg', ''],
    [null, '.txt', ''],
    [null, '.xml', ''],
  ])('replaced data are reported: %s as %s', async (verdict, extension, words) => {
    expect(await verdictOn(extension, text(words))).toBe(verdict);
  });
});
