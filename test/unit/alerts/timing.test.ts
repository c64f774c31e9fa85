import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageDueAt, nextTryAt, defaultAlertTiming as usual } from '../../../main/alerts/timing.ts';

const times = fc.integer({ min: 0, max: 10 ** 13 });

test('messageDueAt() waits a minute for others and an hour after the previous message', () => {
  expect(messageDueAt({ oldest: null, lastMessageAt: 0, nowMs: 0 }, usual)).toBeNull();
  expect(messageDueAt({ oldest: 1_000, lastMessageAt: null, nowMs: 1_000 }, usual)).toBe(61_000);
  expect(messageDueAt({ oldest: 100_000, lastMessageAt: 90_000, nowMs: 100_000 }, usual)).toBe(
    90_000 + 3_600_000,
  );
});

test('messageDueAt() never waits longer for any clock', () => {
  fc.assert(
    fc.property(times, fc.option(times), times, (oldest, lastAt, now) => {
      const dueAt = messageDueAt({ oldest, lastMessageAt: lastAt, nowMs: now }, usual) ?? Number.NaN;
      expect(dueAt - now).toBeLessThanOrEqual(usual.quietMs);
      if (lastAt !== null && lastAt <= now) expect(dueAt - lastAt).toBeGreaterThanOrEqual(usual.quietMs);
    }),
  );
});

test('a failed delivery is retried at growing intervals for a day', () => {
  const attempts: number[] = [];
  for (let at: number | null = 0, count = 1; at !== null && count < 1_000; count += 1) {
    attempts.push(at);
    at = nextTryAt({ attempts: count, madeAt: 0, nowMs: at }, usual);
  }
  const minutes = attempts.map((at) => at / 60_000);
  expect(minutes.slice(0, 6)).toEqual([0, 1, 3, 7, 15, 31]);
  expect(minutes.at(-1)).toBe(24 * 60);
  expect(attempts.length).toBeLessThan(20);
});
