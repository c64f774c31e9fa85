import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chooseFile } from '../../../../main/inspect/thumbnails/choose-file.ts';
import { pixelsFrom } from '../../../../main/inspect/thumbnails/picture.ts';
import { mutate } from '../../../fuzz/mutate.ts';
import { Random } from '../../../fuzz/random.ts';
import { thumbnailTargets } from '../../../fuzz/targets/thumbnails.ts';
import { files } from '../corpus/corpus.ts';
import { pictureFile } from '../findings/picture-files.ts';
import { rasterFile } from '../findings/raster-files.ts';
import { lazFile } from '../formats/laz-files.ts';
import { u16, u32 } from '../formats/sample-files.ts';
import { lasFile } from '../formats/sample-heads.ts';
import { tiffDirectory, tiffHeader } from '../formats/tiff-directory.ts';
import { draw, plainFields, tiffOf } from './draw.ts';

/** The pixels of a PNG that Tilelift wrote. */
async function pixelsOf(name: string, bytes: Buffer) {
  const { drawn, bytesRead } = await draw(name, bytes);
  if (!(drawn instanceof Uint8Array)) throw new Error('it was not drawn');
  const png = Buffer.from(drawn);
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  const at = (x: number, y: number) => [...rows.subarray(y * (width * 4 + 1) + 1 + x * 4).subarray(0, 4)];
  return { size: [width, height], at, bytesRead };
}

const encodedOf = async (name: string, bytes: Buffer) => {
  const { drawn } = await draw(name, bytes);
  if (drawn === null || drawn instanceof Uint8Array) throw new Error('it is not encoded');
  return drawn;
};

const corpusFile = (name: string) => files.get(name) ?? Buffer.alloc(0);

describe('a raster', () => {
  it.each(['none', 'deflate', 'zstd'] as const)(
    'is drawn in its own colours, packed by %s',
    async (compression) => {
      for (const tile of [undefined, 64]) {
        const picture = pictureFile({
          ...{ columns: 400, rows: 200, compression, ...(tile && { tile }) },
          at: (x, y) => [x < 200 ? 250 : 10, y < 100 ? 200 : 20, 30],
        });
        const { size, at } = await pixelsOf('a.tif', picture);
        expect(size).toEqual([160, 80]);
        expect(at(0, 0)).toEqual([250, 200, 30, 255]);
        expect(at(159, 79)).toEqual([10, 20, 30, 255]);
      }
    },
  );

  it('is drawn from its smallest suitable overview, without reading the rest', async () => {
    const overview = Buffer.alloc(200 * 100 * 3, 77);
    const levels = [plainFields(20_000, 10_000, 9), plainFields(400, 200, 9), plainFields(200, 100, 4_096)];
    const tiny = plainFields(20, 10, 9);
    const { size, at, bytesRead } = await pixelsOf('a.tif', tiffOf([...levels, tiny], overview));
    expect(size).toEqual([160, 80]);
    expect(at(80, 40)).toEqual([77, 77, 77, 255]);
    expect(bytesRead).toBeLessThan(overview.length + 20_000);
  });

  it('shows heights in grey, without cells that have none and without outliers', async () => {
    const rows = Array.from({ length: 40 }, (_, y) =>
      Array.from({ length: 40 }, (_, x) => (x < 10 ? -9_999 : x === 39 && y === 39 ? 8_000 : 100 + x)),
    );
    const { at } = await pixelsOf('dgm.tif', rasterFile({ rows, noData: '-9999', compression: 'deflate' }));
    expect(at(5, 5)[3]).toBe(0);
    expect(at(10, 5)).toEqual([0, 0, 0, 255]);
    expect(at(38, 5)[0]).toBeGreaterThan(220);
    expect((await pixelsOf('dgm.tif', rasterFile({ rows }))).at(5, 5)[3]).toBe(0);
  });

  it('shows palettes, alpha and separate bands of real files', async () => {
    for (const name of ['layout_palette', 'layout_byte_4_rgba', 'layout_uint16_3', 'layout_lzw_bands'])
      expect((await pixelsOf('a.tif', corpusFile(`${name}.tif`))).size, name).toEqual([20, 14]);
    for (const name of ['layout_cmyk', 'layout_complex', 'layout_bits_12', 'layout_float16'])
      expect((await draw('a.tif', corpusFile(`${name}.tif`))).drawn, name).toBeNull();
  });

  it('hands JPEG tiles to Chromium, each as a file of its own', async () => {
    const { size, parts } = await encodedOf('a.tif', corpusFile('layout_jpeg_ycbcr.tif'));
    expect(size).toEqual([20, 14]);
    expect(parts.map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [16, 0],
    ]);
    for (const { bytes } of parts) {
      const text = Buffer.from(bytes).toString('latin1');
      expect(text.startsWith('\xff\xd8\xff')).toBe(true);
      expect(text).toContain('\xff\xdb');
      expect(text.indexOf('\xff\xd8', 2)).toBe(-1);
    }
  });
});

describe('an ASCII grid', () => {
  it('is drawn in grey by height, without empty cells, also with decimal commas and wrapped rows', async () => {
    const header = 'ncols 3\r\nnrows 2\r\nxllcorner 0\r\nyllcorner 0\r\ncellsize 1\r\nNODATA_value -9999\r\n';
    const { size, at } = await pixelsOf('a.asc', Buffer.from(`${header}10 20,5 -9999\r\n10\r\n31 31`));
    expect(size).toEqual([3, 2]);
    expect([at(0, 0), at(1, 0), at(2, 0)]).toEqual([
      [0, 0, 0, 255],
      [127, 127, 127, 255],
      [0, 0, 0, 0],
    ]);
    expect([at(0, 1), at(2, 1)]).toEqual([
      [0, 0, 0, 255],
      [255, 255, 255, 255],
    ]);
  });

  it('is reduced to the size of a thumbnail', async () => {
    const rows = Array.from({ length: 320 }, (_, y) =>
      Array(640)
        .fill(y < 160 ? 1 : 2)
        .join(' '),
    );
    const { size, at } = await pixelsOf('a.asc', Buffer.from(`ncols 640\nnrows 320\n${rows.join('\n')}`));
    expect(size).toEqual([160, 80]);
    expect([at(80, 39), at(80, 40)]).toEqual([
      [0, 0, 0, 255],
      [255, 255, 255, 255],
    ]);
  });
});

describe('an ERDAS IMAGINE file', () => {
  const block = (offset: number, length: number, packing = 0) =>
    Buffer.concat([u16(0), u32(offset, length), u16(1, packing)]);
  /** Layers of one block each, whose overview has half the size; `shades`: of each, by band. */
  function imagineFile(
    side: number,
    shades: readonly (readonly [whole: number, overview: number])[],
    packing = 0,
  ) {
    const [root, layerSize] = [38, 128 * 4 + 2 * (20 + 22 + 14)];
    const layerAt = (band: number) => root + 128 + band * layerSize;
    const dataStart = layerAt(shades.length);
    const bandSize = side * side + (side / 2) ** 2;
    const node = (type: string, next: number, child: number, at: number, length: number) => {
      const entry = Buffer.alloc(128);
      entry.set(u32(next, 0, 0, child, at, length));
      entry.write(type, 88, 'latin1');
      return entry;
    };
    const layers = shades.map((_, band) => {
      const start = layerAt(band);
      const [fieldsAt, data] = [start + 128 * 4, dataStart + band * bandSize];
      const next = band + 1 < shades.length ? layerAt(band + 1) : 0;
      const picture = (pixels: number, offset: number, at: number) =>
        Buffer.concat([
          ...[u32(pixels, pixels), u16(1, 3), u32(pixels, pixels)],
          ...[u32(1, pixels, 0), u16(0), u32(1, at + 42), block(offset, pixels * pixels, packing)],
        ]);
      const overviewFields = fieldsAt + 56;
      return Buffer.concat([
        node('Eimg_Layer', next, start + 128, fieldsAt, 20),
        node('Edms_State', start + 256, 0, fieldsAt + 20, 22),
        node('Eimg_Layer_SubSample', 0, start + 384, overviewFields, 20),
        node('Edms_State', 0, 0, overviewFields + 20, 22),
        picture(side, data, fieldsAt),
        picture(side / 2, data + side * side, overviewFields),
      ]);
    });
    const pixels = shades.flatMap(([whole, overview]) => [
      Buffer.alloc(side * side, whole),
      Buffer.alloc((side / 2) ** 2, overview),
    ]);
    const start = Buffer.from('EHFA_HEADER_TAG\0', 'latin1');
    const header = Buffer.concat([start, u32(20), u32(1, 0, root), u16(128), u32(20)]);
    return Buffer.concat([header, node('root', 0, layerAt(0), 0, 0), ...layers, ...pixels]);
  }

  it('is drawn from its overview, three bands in colour', async () => {
    const { size, at, bytesRead } = await pixelsOf(
      'a.img',
      imagineFile(400, [
        [1, 250],
        [1, 120],
        [1, 30],
      ]),
    );
    expect(size).toEqual([160, 160]);
    expect(at(80, 80)).toEqual([250, 120, 30, 255]);
    expect(bytesRead).toBeLessThan(200_000);
  });

  it('is drawn as GDAL wrote it, and not if its blocks are packed', async () => {
    expect((await pixelsOf('a.img', corpusFile('imagine_float.img'))).size).toEqual([21, 13]);
    expect((await draw('a.img', corpusFile('imagine_packed.img'))).drawn).toBeNull();
    expect((await draw('a.img', imagineFile(400, [[1, 250]], 1))).drawn).toBeNull();
  });
});

describe('a photo', () => {
  const preview = corpusFile('plain_jpg.jpg');
  /** A photo with a preview of 160 × 120 pixels in its EXIF data. */
  function photo(orientation: number, pixels: readonly [width: number, height: number] = [4_000, 3_000]) {
    const resized = Buffer.from(preview);
    const frame = resized.indexOf('\xff\xc0', 0, 'latin1');
    resized.writeUInt16BE(120, frame + 5);
    resized.writeUInt16BE(160, frame + 7);
    const first = tiffDirectory([[274, 3, [orientation]]], { at: 8, next: 26 });
    const at = 26 + 2 + 2 * 12 + 4;
    const second = tiffDirectory(
      [
        [513, 4, [at]],
        [514, 4, [resized.length]],
      ],
      { at: 26 },
    );
    const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiffHeader(8), first, second, resized]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(exif.length + 2);
    const whole = Buffer.from(preview);
    whole.writeUInt16BE(pixels[1], frame + 5);
    whole.writeUInt16BE(pixels[0], frame + 7);
    return Buffer.concat([whole.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, exif, whole.subarray(2)]);
  }

  it('is shown by its preview, cut to its own shape', async () => {
    const { parts, aspect } = await encodedOf('DJI_0001.JPG', photo(1));
    expect(parts[0]?.bytes.length).toBe(preview.length);
    expect(aspect).toBeCloseTo(4 / 3);
  });

  it('is read whole if it was turned, because its preview was not', async () => {
    const turned = photo(6);
    expect((await encodedOf('a.jpg', turned)).parts[0]?.bytes.length).toBe(turned.length);
  });

  it.each(['aux_png.png', 'progressive.jpg'])('is read whole without a preview: %s', async (name) => {
    const bytes = corpusFile(name);
    expect((await encodedOf(name, bytes)).parts[0]?.bytes.length).toBe(bytes.length);
  });

  it('is not decoded if it declares more pixels than the limit, or is too long', async () => {
    expect((await draw('a.jpg', photo(6, [65_000, 65_000]))).drawn).toBeNull();
    const huge = Buffer.from(corpusFile('aux_png.png'));
    huge.writeUInt32BE(1e9, 16);
    expect((await draw('a.png', huge)).drawn).toBeNull();
    expect((await draw('a.png', corpusFile('aux_png.png'), 4e9)).drawn).toBeNull();
  });
});

describe('a point cloud', () => {
  /** 10,000 points on a slope that rises to the east. */
  function slope(format: 6 | 7, colour: number) {
    const count = 10_000;
    const cloud = lasFile({
      ...{ format, classes: Array.from({ length: count }, () => 2) },
      colours: Array.from({ length: count }, () => colour),
    });
    const first = cloud.length - count * 40;
    for (let point = 0; point < count; point++) {
      const [x, y] = [point % 100, Math.floor(point / 100)];
      for (const [axis, value] of [x * 100, y * 50, x].entries())
        cloud.writeInt32LE(value, first + point * 40 + axis * 4);
    }
    return cloud;
  }

  it('is shown from above, coloured by height', async () => {
    const { size, at } = await pixelsOf('a.las', slope(6, 0));
    expect(size).toEqual([100, 50]);
    const [west, east] = [at(5, 25), at(95, 25)];
    expect(west[2]).toBeGreaterThan(west[0] ?? 0);
    expect((east[0] ?? 0) + (east[1] ?? 0)).toBeGreaterThan(400);
  });

  it('is shown in its own colours', async () => {
    expect((await pixelsOf('a.las', slope(7, 200 * 256))).at(50, 25)).toEqual([200, 0, 0, 255]);
    const chunks = [Array.from({ length: 60 }, () => ({ class: 1, grey: 90 * 256 }))];
    for (const format of [2, 7])
      expect((await pixelsOf('a.laz', lazFile({ format, chunks }))).at(0, 0), `${format}`).toContain(90);
  });

  it('is read in a limited number of places', async () => {
    const large = slope(6, 0);
    large.writeUInt32LE(4_000_000_000, 107);
    large.writeBigUInt64LE(4_000_000_000n, 247);
    const { drawn, bytesRead } = await draw('a.las', large, 200e9);
    expect(drawn).not.toBeNull();
    expect(bytesRead).toBeLessThan(10e6);
  });
});

describe('a file that can’t be drawn', () => {
  it('S156: has no thumbnail, cut anywhere', async () => {
    for (const name of ['layout_overviews.tif', 'v14_format_7.las', 'layout_jpeg_ycbcr.tif', 'plain_jpg.jpg'])
      for (let length = 0; length < 400; length += 7)
        await expect(draw(name, corpusFile(name).subarray(0, length))).resolves.toBeDefined();
  });

  it.each(thumbnailTargets)(
    '$name: survives mutations without an error or a long run',
    async ({ seeds, run }) => {
      const random = new Random(1);
      const originals = seeds.map((seed) => Buffer.from(seed));
      const began = process.threadCpuUsage();
      for (let count = 0; count < 1_000; count++)
        await run(mutate(random.pickOne(originals), random, [], originals));
      const { user, system } = process.threadCpuUsage(began);
      expect((user + system) / 1_000).toBeLessThan(20_000);
    },
  );
});

it.each([
  null,
  'a',
  { width: 2, height: 2, rgba: new Uint8Array(15) },
  { width: 20_000, height: 1, rgba: new Uint8Array(80_000) },
  { width: 0.5, height: 2, rgba: new Uint8Array(4) },
  { width: 1, height: 1, rgba: '1234' },
])('a decoder that answers something else than pixels is ignored: %j', (answer) => {
  expect(pixelsFrom(answer)).toBeNull();
});

describe('chooseFile', () => {
  const chosen = (kind: string, ...keys: readonly string[]) =>
    chooseFile(
      kind,
      keys.map((key) => ({ key })),
    )?.key ?? null;

  it('takes the first file that shows the data', () => {
    expect(chosen('RASTER_IMAGERY', 'a.tfw', 'b/Ortho.TIF', 'c.tif')).toBe('b/Ortho.TIF');
    expect(chosen('POINT_CLOUD', 'preview.jpg', 'a.laz')).toBe('a.laz');
    expect(chosen('3D_CAPTURE', 'log.txt', 'DJI_0001.JPG')).toBe('DJI_0001.JPG');
  });

  it('takes no file that is left out', () => {
    const files = ['a.tif', 'b.tif'].map((key) => ({ key }));
    expect(chooseFile('RASTER_TERRAIN', files, new Set(['a.tif']))?.key).toBe('b.tif');
  });

  it('takes no textures of models and no archives', () => {
    expect(chosen('3D_CAPTURE', 'roof.jpg', 'tile.obj')).toBeNull();
    expect(chosen('CITYGML', 'roof.jpg', 'town.gml')).toBeNull();
    expect(chosen('RASTER_IMAGERY', 'ortho.zip')).toBeNull();
  });
});
