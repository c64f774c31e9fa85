import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { unpack } from '../../../../main/inspect/formats/raster/unpack.ts';
import { rasterFile } from '../findings/raster-files.ts';
import packed from './gdal-samples.json' with { type: 'json' };
import { readBytes } from './read-bytes.ts';

/**
 * A grid of 70 × 40 cells, four rows of it -9999, the others 100 to 224.75, from GDAL 3.6: `gdal_translate
 * -ot … -co COMPRESS=… -co PREDICTOR=… g.asc x.tif`.
 */
const writtenFiles = Object.entries(packed).map(
  ([name, text]) => [name, gunzipSync(Buffer.from(text, 'base64'))] as const,
);
const valuesOf = async (bytes: Buffer, isDeep = true) => {
  const { head } = await readBytes('a.tif', bytes, { deep: isDeep });
  return head?.kind === 'tiff' ? head.values : null;
};

it.each(writtenFiles)('values of a TIFF from GDAL are read from %s', async (name, bytes) => {
  const isWhole = ['lzw2', 'big', 'pack'].includes(name);
  expect(await valuesOf(bytes)).toEqual({ range: [100, isWhole ? 225 : 224.75], fill: -9999 });
});

it('values of a TIFF from GDAL are skipped when only the header is needed', async () => {
  expect(await valuesOf(writtenFiles[0]?.[1] ?? Buffer.alloc(0), false)).toBeUndefined();
});

it.each([
  ['-inf', Number.NEGATIVE_INFINITY],
  ['Inf', Number.POSITIVE_INFINITY],
  ['-1.#INF', Number.NEGATIVE_INFINITY],
  ['1.#QNAN', Number.NaN],
  ['-1.#IND00', Number.NaN],
  ['nothing', 0],
])('the nodata value %s is read as by GDAL', async (noData, value) => {
  const { head } = await readBytes('a.tif', rasterFile({ rows: [[1, 2]], noData }));
  expect(head).toMatchObject({ noData: value });
});

it.each([1, 5, 8, 32_946, 32_773, 50_000])(
  'an invalid strip of compression %i unpacks to the requested length at most',
  (compression) => {
    let seed = 7;
    for (let round = 0; round < 2_000; round++) {
      const bytes = Buffer.from(
        Array.from({ length: round % 60 }, () => {
          seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
          return seed >> 16;
        }),
      );
      expect(unpack(compression, bytes, 500)?.length ?? 0).toBeLessThanOrEqual(500);
    }
  },
);
