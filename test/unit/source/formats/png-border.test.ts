import sharp, { type PngOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { FileBytes } from '../../../../main/source/formats/file-bytes.ts';
import { samplePngBorder } from '../../../../main/source/formats/samples/png-border.ts';
import { pngFile } from '../findings/png-files.ts';

const noise = (x: number, y: number) => 90 + (((x * 374_761_393 + y * 668_265_263) >>> 7) % 101);
/** Turned: its corners hold nothing. */
const turned = (side: number) => (x: number, y: number) =>
  x + y < side * 0.45 || 2 * side - x - y < side * 0.45 || x - y > side * 0.6 || y - x > side * 0.6
    ? 0
    : [noise(x, y), noise(y, x), noise(x, x)];

async function look(bytes: Buffer, size = bytes.length) {
  let read = 0;
  const file = new FileBytes(size, async (at, length) => {
    read += length;
    return bytes.subarray(at, at + length);
  });
  return { says: await samplePngBorder(file), read };
}

async function bySharp(side: number, options: PngOptions): Promise<Buffer> {
  const pixels = Buffer.alloc(side * side * 3);
  for (let place = 0; place < side * side; place++) {
    const value = turned(side)(place % side, Math.floor(place / side));
    pixels.set(typeof value === 'number' ? [value, value, value] : value, place * 3);
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png(options)
    .toBuffer();
}

describe('a PNG that libpng writes', () => {
  it.each([
    { compressionLevel: 9, adaptiveFiltering: true },
    { compressionLevel: 6, adaptiveFiltering: false },
    { progressive: true },
    { progressive: true, adaptiveFiltering: true },
  ])('%j: its border is seen', async (options) => {
    expect((await look(await bySharp(230, options))).says).toEqual({ border: 'black' });
  });

  it.each([0, 1, 2, 3, 4] as const)(
    'and those of the tests are read by libpng alike: filter %i',
    async (filter) => {
      for (const interlaced of [{}, { interlaced: true }] as const) {
        const bytes = pngFile({ columns: 61, rows: 43, at: turned(50), filters: [filter], ...interlaced });
        const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
        expect([info.width, info.height, info.channels]).toEqual([61, 43, 3]);
        const wanted = turned(50)(40, 20);
        expect([...data.subarray((20 * 61 + 40) * 3, (20 * 61 + 41) * 3)]).toEqual(wanted);
      }
    },
  );
});

describe('of a PNG', () => {
  it('that is large only the first rows are seen, and that is told', async () => {
    const bytes = pngFile({
      ...{ columns: 900, rows: 500, height: 4_000 },
      at: (x, y) => (x + y < 420 || x - y > 480 ? 0 : [noise(x, y), noise(y, x), noise(x, x)]),
    });
    expect(bytes.length).toBeGreaterThan(300_000);
    const { says, read } = await look(bytes);
    expect(says).toEqual({ border: 'black', above: true });
    expect(read).toBeLessThan(220 * 1024);
  });

  it('no more than two MiB are unpacked: what would be seen behind them is not', async () => {
    const bytes = (from: number) =>
      pngFile({
        ...{ columns: 700, rows: from + 400, colours: 0, filters: [0] },
        at: (x, y) => (y < from ? 120 : x < 100 ? 0 : 90 + ((x * 7 + y * 3) % 50)),
      });
    expect((await look(bytes(2_500))).says).toEqual({ border: 'black' });
    expect((await look(bytes(3_000))).says).toBeNull();
  });

  it.each([
    ['16 bits', 24, 16],
    ['4 bits', 24, 4],
    ['numbers of colours', 25, 3],
    ['alpha', 25, 6],
    ['another way of packing', 26, 1],
    ['another way of filtering', 27, 1],
    ['another way of interlacing', 28, 2],
  ])('that says to have %s nothing is said', async (_, place, value) => {
    const bytes = pngFile({ columns: 230, rows: 230, at: turned(230) });
    expect((await look(bytes)).says).toEqual({ border: 'black' });
    bytes[place] = value;
    expect((await look(bytes)).says).toBeNull();
  });

  it('whose data is damaged, what comes before it counts', async () => {
    const bytes = pngFile({ columns: 230, rows: 230, at: turned(230), filters: [0], level: 0 });
    bytes.fill(0xff, 130_000, 140_000);
    expect((await look(bytes)).says).toEqual({ border: 'black' });
    bytes.fill(0xff, 100, 140_000);
    expect((await look(bytes)).says).toBeNull();
  });

  it('that ends early, what is there counts', async () => {
    const bytes = pngFile({ columns: 230, rows: 230, at: turned(230), filters: [0], level: 0 });
    expect((await look(bytes.subarray(0, 130_000))).says).toEqual({ border: 'black' });
    expect((await look(bytes.subarray(0, 5_000))).says).toBeNull();
  });

  it.each([1, 7, 8, 9, 24_568, 24_576, 100_000])('in pieces of %i bytes as much is seen', async (pieces) => {
    const bytes = pngFile({ columns: 230, rows: 230, at: turned(230), pieces, filters: [4] });
    expect((await look(bytes)).says).toEqual({ border: 'black' });
  });
});
