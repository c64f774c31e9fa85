import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffMs, doubledMs } from '../../../main/service/backoff.ts';

it('backoffMs doubles its ceiling from half a second to half a minute', () => {
  const ceilings = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((attempts) => backoffMs(attempts, () => 1));
  expect(ceilings).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

it('backoffMs returns any time from zero to the ceiling', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempts, luck) => {
        expect(backoffMs(attempts, () => luck)).toBeLessThanOrEqual(30_000);
        expect(backoffMs(attempts, () => 0)).toBe(0);
      },
    ),
  );
});

it('doubledMs() doubles from the first to the longest wait', () => {
  const delays = [1, 2, 3, 4, 100].map((failures) => doubledMs(failures, { firstMs: 10, maxMs: 65 }));
  expect(delays).toEqual([10, 20, 40, 65, 65]);
});
