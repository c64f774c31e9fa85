import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caughtBy, guardWindowMs, isTooMany } from '../../../../main/watch/state/questions.ts';

describe('isTooMany()', () => {
  it.each([
    [3, 3, false],
    [4, 4, true],
    [4, 39, true],
    [4, 40, false],
    [20, 200, false],
    [20, 199, true],
    [21, 100_000, true],
    [0, 0, false],
  ])('judges %i changes of %i sources as too many: %s', (changed, finished, tooMany) => {
    expect(isTooMany(changed, finished)).toBe(tooMany);
  });

  it('triggers sooner with more changes and with fewer sources', () => {
    const few = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(few, few, few, few, (changed, more, finished, others) => {
        const isSo = isTooMany(changed, finished + others);
        if (isSo) expect(isTooMany(changed + more, finished)).toBe(true);
        if (changed <= 3) expect(isSo).toBe(false);
        if (changed > 20) expect(isSo).toBe(true);
      }),
    );
  });
});

describe('caughtBy()', () => {
  const anySeen = fc.array(fc.integer({ min: 0, max: 3 * guardWindowMs }), { maxLength: 60 });

  it('returns all changes of the last ten minutes or none', () => {
    fc.assert(
      fc.property(anySeen, fc.integer({ min: 0, max: 400 }), (times, finished) => {
        const now = 3 * guardWindowMs;
        const seen = new Map(times.map((at, index) => [`source ${index}`, at]));
        const recent = [...seen].filter(([, at]) => now - at <= guardWindowMs).map(([path]) => path);
        const caught = caughtBy(seen, now, finished);
        expect(caught).toEqual(isTooMany(recent.length, finished) ? recent : []);
      }),
    );
  });

  it('adds up changes that scans find one by one', () => {
    const minute = 60_000;
    const seen = new Map([0, 1, 2, 3].map((at) => [`s${at}`, at * 3 * minute]));
    expect(caughtBy(seen, 9 * minute, 10)).toHaveLength(4);
    expect(caughtBy(seen, 11 * minute, 10)).toEqual([]);
  });
});
