import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { FileBytes } from '../../../../main/source/formats/file-bytes.ts';
import { sampleJpegBorder } from '../../../../main/source/formats/samples/jpeg-border.ts';
import { unpackEighth } from '../../../../main/source/formats/samples/jpeg-eighth.ts';
import { jpegOf, tiffOfJpeg } from '../findings/jpeg-files.ts';
import { readBytes } from './read-bytes.ts';

const noise = (x: number, y: number) => ((x * 374_761_393 + y * 668_265_263) >>> 7) % 31;
const photo = (x: number, y: number) => {
  const light = 120 + Math.round(50 * Math.sin(x / 90) + 40 * Math.cos(y / 70)) + noise(x, y);
  return [light, light - 15, light - 20];
};
/** Turned: its corners hold nothing. */
const turned = (side: number, value: number) => (x: number, y: number) =>
  x + y < side * 0.45 || 2 * side - x - y < side * 0.45 || x - y > side * 0.6 || y - x > side * 0.6
    ? value
    : photo(x, y);
const side = 800;

async function look(bytes: Buffer) {
  let read = 0;
  const file = new FileBytes(bytes.length, async (at, length) => {
    read += length;
    return bytes.subarray(at, at + length);
  });
  const [width = 0, height = 0] = await sharp(bytes)
    .metadata()
    .then(({ width, height }) => [width, height])
    .catch(() => [side, side]);
  return { says: await sampleJpegBorder(file, [width, height]), read };
}

describe('an eighth of a JPEG', () => {
  it.each([
    { chromaSubsampling: '4:2:0', quality: 75 },
    { chromaSubsampling: '4:4:4', quality: 95 },
    { chromaSubsampling: '4:2:0', quality: 40, optimiseCoding: false },
    { chromaSubsampling: '4:4:4', quality: 100, optimizeCoding: true },
  ])('has the means that libjpeg gives: %j', async (options) => {
    const bytes = await jpegOf({ side: 203, at: photo }, options);
    const eighth = unpackEighth([bytes], true);
    const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
    expect(eighth?.rows.length).toBeGreaterThanOrEqual(26);
    let [most, blocks] = [0, 0];
    for (let top = 0; top + 8 <= info.height; top += 8)
      for (let left = 0; left + 8 <= info.width; left += 8) {
        let sum = 0;
        for (let place = 0; place < 64; place++)
          sum += data[((top + (place >> 3)) * info.width + left + (place & 7)) * info.channels] ?? 0;
        most = Math.max(most, Math.abs(sum / 64 - (eighth?.rows[top / 8]?.[left / 8] ?? 0)));
        blocks += 1;
      }
    expect(blocks).toBe(625);
    expect(most).toBeLessThan(6);
  });

  it('of a progressive one, of inks, and of what is none is not made', async () => {
    const bytes = await jpegOf({ side: 64, at: photo });
    expect(unpackEighth([bytes], true)).not.toBeNull();
    expect(unpackEighth([await jpegOf({ side: 64, at: photo }, { progressive: true })], true)).toBeNull();
    expect(unpackEighth([await sharp(bytes).toColourspace('cmyk').jpeg().toBuffer()], true)).toBeNull();
    expect(unpackEighth([Buffer.from('no JPEG at all')], true)).toBeNull();
  });

  it('is black or white only where all of a block is', async () => {
    const dots = (of: number, dot: number) => ({
      ...{ side: 64, bands: 1 as const },
      at: (x: number, y: number) => (x % 8 === 3 && y % 8 === 3 && y < 32 ? dot : of),
    });
    for (const [of, dot, near] of [
      [0, 30, 1],
      [255, 225, 254],
    ] as const) {
      const rows = unpackEighth([await jpegOf(dots(of, dot), { quality: 100 })], true)?.rows ?? [];
      expect(rows.map((row) => [...new Set(row)])).toEqual(
        [near, near, near, near, of, of, of, of].map((one) => [one]),
      );
    }
  });

  it('ends where its data ends', async () => {
    const bytes = await jpegOf({ side: 400, at: photo });
    const all = unpackEighth([bytes], true)?.rows ?? [];
    const some = unpackEighth([bytes.subarray(0, bytes.length >> 1)], true)?.rows ?? [];
    expect(some.length).toBeGreaterThan(10);
    expect(some.length).toBeLessThan(all.length - 10);
    expect(all.slice(0, some.length)).toEqual(some);
  });
});

describe('a JPEG', () => {
  it.each([
    ['black', 0, {}],
    ['white', 255, { chromaSubsampling: '4:4:4' }],
    ['black', 0, { quality: 30 }],
  ] as const)('shows its %s border', async (border, value, options) => {
    expect((await look(await jpegOf({ side, at: turned(side, value) }, options))).says).toEqual({
      border,
      lossy: true,
    });
  });

  it('that is large is seen by its first rows', async () => {
    const bytes = await jpegOf({ side: 1_600, at: turned(1_600, 0) }, { quality: 100 });
    expect(bytes.length).toBeGreaterThan(1_000_000);
    const { says, read } = await look(bytes);
    expect(says).toEqual({ border: 'black', above: true, lossy: true });
    expect(read).toBeLessThanOrEqual(192 * 1024);
  });

  it('without one shows none, however dark its edges', async () => {
    for (const at of [photo, (x: number, y: number) => (x < 90 ? [noise(x, y) % 9, 3, 5] : photo(x, y))])
      expect((await look(await jpegOf({ side, at }))).says).toBeNull();
  });
});

describe('a TIFF that is packed as JPEG', () => {
  const borderOf = async (bytes: Buffer) => {
    const { head, verdict } = await readBytes('a.tif', bytes, { deep: true });
    expect(verdict).toBeNull();
    return head?.kind === 'tiff' ? (head.border ?? null) : 'no TIFF';
  };

  it.each([
    ['tiles', { tile: true, tileWidth: 256, tileHeight: 256 }],
    ['strips', {}],
    ['tiles of high quality', { tile: true, tileWidth: 256, tileHeight: 256, quality: 90 }],
  ])('in %s shows its border', async (_, options) => {
    const large = 1_200;
    expect(await borderOf(await tiffOfJpeg({ side: large, at: turned(large, 0) }, options))).toBe('black');
    expect(await borderOf(await tiffOfJpeg({ side: large, at: photo }, options))).toBeNull();
  });

  it('shows it in grey', async () => {
    const at = (x: number, y: number) => {
      const value = turned(1_200, 255)(x, y);
      return typeof value === 'number' ? value : (value[0] ?? 0);
    };
    const options = { tile: true, tileWidth: 256, tileHeight: 256 };
    expect(await borderOf(await tiffOfJpeg({ side: 1_200, at, bands: 1 }, options))).toBe('white');
  });
});
