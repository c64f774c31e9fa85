import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../../../main/inspect/thumbnails/picture.ts';
import { lasFile } from '../formats/sample-heads.ts';
import { draw, tiffOf } from './draw.ts';

/** Plain strips of two rows, which overlap in the file; `lengths`: of those of each band, bytes. */
function strips(side: number, ...lengths: readonly number[]): Buffer {
  const perBand = side / 2;
  const lengthOf = (strip: number) => lengths[Math.floor(strip / perBand)] ?? 0;
  const indexes = Array.from({ length: perBand * lengths.length }, (_, strip) => strip);
  const isPlanar = lengths.length > 1;
  const dataAt = 16_384;
  const fields = [
    [256, 4, [side]],
    [257, 4, [side]],
    [258, 3, lengths.map(() => 8)],
    [259, 3, [1]],
    [262, 3, [isPlanar ? 2 : 1]],
    [273, 4, indexes.map((strip) => dataAt + strip)],
    [277, 3, [lengths.length]],
    [278, 4, [2]],
    [279, 4, indexes.map(lengthOf)],
    [284, 3, [isPlanar ? 2 : 1]],
  ] as const;
  return tiffOf([fields], Buffer.alloc(Math.max(...lengths) + indexes.length), dataAt);
}

describe('a raster with many small strips', () => {
  const long = 300_000;

  it('is drawn within the limit of bytes', async () => {
    for (const lengths of [[800], [800, 800, 800]])
      expect((await draw('a.tif', strips(400, ...lengths))).drawn).not.toBeNull();
  });

  it('is not read if they have too many bytes together', async () => {
    const { drawn, bytesRead } = await draw('a.tif', strips(400, long));
    expect(drawn).toBeNull();
    expect(bytesRead).toBeLessThan(100_000);
  });

  it('is read up to the limit if only those of further bands have too many bytes', async () => {
    const { drawn, bytesRead } = await draw('a.tif', strips(400, 800, long, long));
    expect(drawn).toBeNull();
    expect(bytesRead).toBeLessThanOrEqual(limits.bytes);
  });
});

describe('a slow drive', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());
  /** Each read takes 100 ms. */
  const drawSlowly = (name: string, bytes: Buffer) =>
    draw(name, bytes, bytes.length, () => vi.advanceTimersByTime(100));

  it('leaves a raster without a thumbnail after two seconds', async () => {
    const { drawn, bytesRead } = await drawSlowly('a.tif', strips(400, 8_000));
    expect(drawn).toBeNull();
    expect(bytesRead).toBeLessThan(25 * 8_000);
  });

  it('shows a point cloud by the points that it reads in time', async () => {
    const count = 40_000;
    const { drawn, bytesRead } = await drawSlowly(
      'a.las',
      lasFile({ format: 6, classes: Array.from({ length: count }, () => 2) }),
    );
    expect(drawn).not.toBeNull();
    expect(bytesRead).toBeLessThan(count * 10);
  });
});
