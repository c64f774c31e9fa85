import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unpack } from '../../../../main/inspect/formats/raster/unpack.ts';
import { rasterFile } from '../findings/raster-files.ts';
import packed from './gdal-samples.json' with { type: 'json' };
import { readBytes } from './read-bytes.ts';

/**
 * One grid of 70 × 40 cells, four rows of it -9999, the others 100 to 224.75, as GDAL 3.6 writes it:
 * `gdal_translate -ot … -co COMPRESS=… -co PREDICTOR=… g.asc x.tif`.
 */
const written = Object.entries(packed).map(
  ([name, text]) => [name, gunzipSync(Buffer.from(text, 'base64'))] as const,
);
const valuesOf = async (bytes: Buffer, deep = true) => {
  const { head } = await readBytes('a.tif', bytes, { deep });
  return head?.kind === 'tiff' ? head.values : null;
};

describe('the values of a TIFF that GDAL writes', () => {
  it.each(written)('are read from %s', async (name, bytes) => {
    const isWhole = ['lzw2', 'big', 'pack'].includes(name);
    expect(await valuesOf(bytes)).toEqual({ range: [100, isWhole ? 225 : 224.75], fill: -9999 });
  });

  it('are not looked at where only its head is wanted', async () => {
    expect(await valuesOf(written[0]?.[1] ?? Buffer.alloc(0), false)).toBeUndefined();
  });
});

it.each([
  ['-inf', Number.NEGATIVE_INFINITY],
  ['Inf', Number.POSITIVE_INFINITY],
  ['-1.#INF', Number.NEGATIVE_INFINITY],
  ['1.#QNAN', Number.NaN],
  ['-1.#IND00', Number.NaN],
  ['nothing', 0],
])('reads the nodata value %s as GDAL does', async (noData, value) => {
  const { head } = await readBytes('a.tif', rasterFile({ rows: [[1, 2]], noData }));
  expect(head).toMatchObject({ noData: value });
});

describe('a piece that is none', () => {
  it.each([1, 5, 8, 32_946, 32_773, 50_000])(
    'of compression %i unpacks to no more than is asked for',
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
});
