import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageDueAt, nextTryAt, defaultAlertTiming as usual } from '../../../main/alerts/timing.ts';

const times = fc.integer({ min: 0, max: 10 ** 13 });

describe('a message', () => {
  test('waits a minute for others, and an hour after the one before', () => {
    expect(messageDueAt({ oldest: null, lastMessageAt: 0, nowMs: 0 }, usual)).toBeNull();
    expect(messageDueAt({ oldest: 1_000, lastMessageAt: null, nowMs: 1_000 }, usual)).toBe(61_000);
    expect(messageDueAt({ oldest: 100_000, lastMessageAt: 90_000, nowMs: 100_000 }, usual)).toBe(
      90_000 + 3_600_000,
    );
  });

  test('is never held up for longer than that, whatever the clock says', () => {
    fc.assert(
      fc.property(times, fc.option(times), times, (oldest, last, now) => {
        const due = messageDueAt({ oldest, lastMessageAt: last, nowMs: now }, usual) ?? Number.NaN;
        expect(due - now).toBeLessThanOrEqual(usual.quietMs);
        if (last !== null && last <= now) expect(due - last).toBeGreaterThanOrEqual(usual.quietMs);
      }),
    );
  });
});

describe('a try that failed', () => {
  test('is followed by others, later and later, for a day', () => {
    const tries: number[] = [];
    for (let at: number | null = 0, count = 1; at !== null && count < 1_000; count += 1) {
      tries.push(at);
      at = nextTryAt({ tries: count, madeAt: 0, nowMs: at }, usual);
    }
    const minutes = tries.map((at) => at / 60_000);
    expect(minutes.slice(0, 6)).toEqual([0, 1, 3, 7, 15, 31]);
    expect(minutes.at(-1)).toBe(24 * 60);
    expect(tries.length).toBeLessThan(20);
  });
});
