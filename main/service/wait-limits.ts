import { createTimeoutMs, requestTimeoutMs } from './http-request.ts';

/**
 * Every wait whose length someone else controls, with its limit in ms. Its users import the limit from here,
 * and the clocks of the tests fail on any longer sleep (`test/wait-check.ts`).
 */
export const waitLimits = {
  /** `Retry-After` (RFC 9110 10.2.3) of an answer that may be a proxy's, a portal's or a gateway's. */
  retryAfterOfStranger: 60_000,
  /** `Retry-After` of the service or of storage. Never beyond the life of an upload's credentials. */
  retryAfter: 5 * 60_000,
  /** Backoff between two tries of one request. */
  backoff: 30_000,
  /** From the first byte of a request to the service to the last byte of its answer. */
  request: requestTimeoutMs,
  /** The same for creating an asset, whose answer alone holds the credentials. */
  creation: createTimeoutMs,
  /** After a request to create whose answer was lost, before another. */
  unansweredCreation: 4 * 60_000,
  /** A request to storage, or a read of a drive, on which no byte moves. */
  stall: 30_000,
  /** Storage puts the parts of a file together. */
  completion: 10 * 60_000,
  /** Between two reads of an asset that tiles: six times the usual 10 s (contract part 8) while they fail. */
  poll: 60_000,
  /** Until a status that the contract doesn't name is reported. */
  unknownStatus: 60 * 60_000,
  /** Between two tries to write a journal whose disk is full. */
  fullJournal: 5 * 60_000,
  /** A source of a watched folder that failed. */
  watchedRetry: 24 * 60 * 60_000,
} as const;

/** A longer pause between two tries is shown at once, with the time of the next try. ms. */
export const longPauseMs = 30_000;

/** How much of a `Retry-After` is obeyed, ms. `isHeard`: the service or storage itself has sent it. */
export function obeyedRetryAfter(requestedMs: number, isHeard: boolean): number {
  return Math.min(requestedMs, isHeard ? waitLimits.retryAfter : waitLimits.retryAfterOfStranger);
}

/** No clock is asked for a longer sleep (ms), but by the files in `longSleeps`. */
export const longestSleepMs = waitLimits.retryAfter;

/** Files that sleep longer, with their limit in ms: our own timetables and limits of work, not pauses. */
export const longSleeps: Readonly<Record<string, number>> = {
  // The browser's answer to a sign-in; a sign-in that nobody uses is renewed in time.
  'main/account/account-service.ts': 10 * 60_000,
  'main/account/tokens/freshness.ts': 60 * 60_000,
  // Messages that can't be delivered, and the daily summary.
  'main/alerts/alert-service.ts': 24 * 60 * 60_000,
  'main/desktop/notices/watch-notices.ts': 24 * 60 * 60_000,
  'main/desktop/updates/update-service.ts': 24 * 60 * 60_000,
  // A removed job can be restored; an outage that lasts is reported.
  'main/jobs/list/held-jobs.ts': 10 * 60_000,
  'main/watch/outage/outages.ts': 10 * 60_000,
};
