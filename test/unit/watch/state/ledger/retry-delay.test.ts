import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryDelayMs, retryTimeOf } from '../../../../../main/watch/state/ledger/asset-rules.ts';

const second = 1_000;
const day = 24 * 60 * 60 * second;
const middle = () => 0.5;

describe('retryDelayMs()', () => {
  it('starts at 30 s, doubles with each failure and stops at one day', () => {
    expect([1, 2, 3, 4].map((failures) => retryDelayMs(failures, middle) / second)).toEqual([
      30, 60, 120, 240,
    ]);
    expect(retryDelayMs(12, middle)).toBeLessThan(day);
    expect(retryDelayMs(13, middle)).toBe(day);
    expect(retryDelayMs(10_000, middle)).toBe(day);
  });

  it('varies the delay by a tenth', () => {
    expect(retryDelayMs(1, () => 0)).toBe(27 * second);
    expect(retryDelayMs(1, () => 0.999_999)).toBe(33 * second);
  });

  it('stays between 27 s and 1.1 days', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (n, r) => {
          const delay = retryDelayMs(n, () => r);
          expect(delay).toBeGreaterThanOrEqual(27 * second);
          expect(delay).toBeLessThanOrEqual(1.1 * day);
        },
      ),
    );
  });
});

describe('retryTimeOf()', () => {
  it('returns the stored retry time', () => {
    expect(retryTimeOf({ retryAt: 5_000 }, 1_000)).toBe(5_000);
    expect(retryTimeOf({ retryAt: 500 }, 1_000)).toBe(500);
  });

  it('returns the current time if the clock was set back', () => {
    expect(retryTimeOf({ retryAt: 2 * day }, 1_000)).toBe(1_000);
  });
});
