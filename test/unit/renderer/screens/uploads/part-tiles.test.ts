import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { speak } from '../../../../../renderer/say.ts';
import { describeParts, partTiles } from '../../../../../renderer/state/uploads/part-tiles.ts';
import { addSample, curve, throughputSpanMs } from '../../../../../renderer/state/uploads/throughput.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('describeParts()', () => {
  afterEach(() => speak({ language: 'en', locale: 'en-GB' }));
  const quietProgress = { partsDone: 1, partsOnWire: 0, partsSentAgain: 0 };
  const busy = { partsDone: 1121, partsOnWire: 8, partsSentAgain: 3 };

  it('describeParts() counts parts and mentions only current activity', () => {
    expect(describeParts(quietProgress, 1)).toBe('1 of 1 part confirmed by storage');
    expect(plain(describeParts(busy, 1784))).toBe(
      '1,121 of 1,784 parts confirmed by storage · 8 being sent · 3 resent',
    );
  });
});

it('partTiles() has a tile for each of a few parts', () => {
  expect(partTiles(3, 2, 12)).toEqual({ count: 12, done: 3, onWire: 2 });
});

it('partTiles() shares tiles among many parts', () => {
  expect(partTiles(892, 8, 1784)).toEqual({ count: 240, done: 120, onWire: 2 });
  expect(partTiles(0, 0, 0)).toEqual({ count: 0, done: 0, onWire: 0 });
});

it('partTiles() is full exactly when every part is confirmed, and draws no extra tiles', () => {
  const parts = fc
    .integer({ min: 1, max: 10_000 })
    .chain((total) =>
      fc.record({
        total: fc.constant(total),
        done: fc.integer({ min: 0, max: total }),
        wire: fc.integer({ min: 0, max: 40 }),
      }),
    );
  fc.assert(
    fc.property(parts, ({ total, done: doneCount, wire }) => {
      const tiles = partTiles(doneCount, wire, total);
      expect(tiles.done === tiles.count).toBe(doneCount === total);
      expect(tiles.done + tiles.onWire).toBeLessThanOrEqual(tiles.count);
      expect(tiles.onWire).toBeGreaterThanOrEqual(0);
      if (doneCount > 0) expect(tiles.done + tiles.onWire).toBeGreaterThan(0);
    }),
  );
});

it('the throughput curve keeps a sample a second within its span', () => {
  let samples = addSample([], { at: 0, bytesPerSecond: 1 });
  samples = addSample(samples, { at: 500, bytesPerSecond: 2 });
  expect(samples).toHaveLength(1);
  samples = addSample(samples, { at: 1000, bytesPerSecond: 3 });
  expect(samples).toHaveLength(2);
  expect(addSample(samples, { at: throughputSpanMs + 500, bytesPerSecond: 4 }).map(({ at }) => at)).toEqual([
    1000,
    throughputSpanMs + 500,
  ]);
});

it('the throughput curve runs from left to right with its fastest sample at the top', () => {
  const samples = [
    { at: 0, bytesPerSecond: 10 },
    { at: 1000, bytesPerSecond: 20 },
    { at: 2000, bytesPerSecond: 0 },
  ];
  expect(curve(samples, 100, 40)).toEqual([
    { x: 0, y: 20 },
    { x: 50, y: 0 },
    { x: 100, y: 40 },
  ]);
  expect(curve(samples.slice(0, 1), 100, 40)).toEqual([]);
});
