import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import { defaultReadStallMs } from '../../../main/files/stalled-read.ts';
import { type Clock, systemClock } from '../../../main/ports.ts';
import { backoffMs } from '../../../main/service/backoff.ts';
import { requestTimeoutMs } from '../../../main/service/http-request.ts';
import {
  longestSleepMs,
  longSleeps,
  obeyedRetryAfter,
  waitLimits,
} from '../../../main/service/wait-limits.ts';
import { pauseAfter } from '../../../main/service/who-answered.ts';
import { retryDelayMs } from '../../../main/watch/state/ledger/asset-rules.ts';
import { takeTooLong, withWaitCheck } from '../../wait-check.ts';

const year = 365 * 24 * 60 * 60_000;

it('limits of waits set by others apply in the code that waits', () => {
  const maximums = {
    retryAfterOfStranger: obeyedRetryAfter(year, false),
    retryAfter: obeyedRetryAfter(year, true),
    backoff: backoffMs(1_000, () => 1),
    request: requestTimeoutMs,
    stall: defaultReadStallMs,
    watchedRetry: retryDelayMs(1_000, () => 0.5),
  };
  expect(waitLimits).toMatchObject(maximums);
});

it.each([
  [
    'a page of 503',
    new TileliftError('service-unavailable', { remote: { status: 503, retryAfterMs: year } }),
  ],
  [
    'a filter with an error of its own',
    new TileliftError('foreign-answer', { remote: { status: 503, code: 'Busy', retryAfterMs: year } }),
  ],
])('limits of waits set by others cap %s at a minute', (_, error) =>
  expect(pauseAfter(error, 500)).toBe(60_000),
);

it('limits of waits set by others cap the service at five minutes and never shorten our own backoff', () => {
  const busy = new TileliftError('service-busy', { remote: { code: 'Busy', retryAfterMs: year } });
  expect(pauseAfter(busy, 500)).toBe(300_000);
  expect(pauseAfter(busy, 400_000)).toBe(400_000);
});

it('limits of waits set by others name existing files', () => {
  expect(Object.keys(longSleeps).filter((file) => !existsSync(file))).toEqual([]);
});

describe('the test clock', () => {
  const requests: number[] = [];
  const clock = withWaitCheck<Clock>({ ...systemClock, sleep: async (ms) => void requests.push(ms) });

  it('the test clock fails on a sleep without permission and names its caller', async () => {
    await clock.sleep(longestSleepMs);
    expect(() => clock.sleep(longestSleepMs + 1)).toThrow('the test requests a sleep of 300001 ms');
    expect(takeTooLong()).toHaveLength(1);
    expect(requests).toEqual([longestSleepMs]);
  });
});
