import { createTimeoutMs, requestTimeoutMs } from './http-request.ts';

/**
 * The limits, in ms, of all waits whose length others control. The test clocks fail on longer sleeps
 * (`test/wait-check.ts`).
 */
export const waitLimits = {
  /** `Retry-After` (RFC 9110 10.2.3) from an intermediary. */
  retryAfterOfStranger: 60_000,
  /** `Retry-After` from the service or storage; never beyond the life of an upload's credentials. */
  retryAfter: 5 * 60_000,
  /** Backoff between two attempts of a request. */
  backoff: 30_000,
  request: requestTimeoutMs,
  creation: createTimeoutMs,
  /** The delay before creating an asset again after losing the response. */
  unansweredCreation: 4 * 60_000,
  /** A storage request or a drive read without progress. */
  stall: 30_000,
  /** Storage assembles the parts of a file. */
  completion: 10 * 60_000,
  /** Between two status reads while they fail: six times the usual 10 s (contract part 8). */
  poll: 60_000,
  /** The delay before reporting a status that the contract doesn't name. */
  unknownStatus: 60 * 60_000,
  /** Between two attempts to write a journal to a full disk. */
  fullJournal: 5 * 60_000,
  /** Before retrying a failed source of a watched folder. */
  watchedRetry: 24 * 60 * 60_000,
} as const;

/** Show pauses longer than this (ms) with the time of the next attempt. */
export const longPauseMs = 30_000;

/** Caps `Retry-After`, ms. `isHeard`: it comes from the service or storage itself. */
export function obeyedRetryAfter(requestedMs: number, isHeard: boolean): number {
  return Math.min(requestedMs, isHeard ? waitLimits.retryAfter : waitLimits.retryAfterOfStranger);
}

/** Only the files in `longSleeps` may sleep longer (ms). */
export const longestSleepMs = waitLimits.retryAfter;

/** Files with longer sleeps (limits in ms): our own schedules and work limits, not pauses. */
export const longSleeps: Readonly<Record<string, number>> = {
  // The browser's callback, and the renewal of unused sign-ins.
  'main/account/account-service.ts': 10 * 60_000,
  'main/account/tokens/freshness.ts': 60 * 60_000,
  // Undeliverable messages and the daily summary.
  'main/alerts/alert-service.ts': 24 * 60 * 60_000,
  'main/desktop/notices/watch-notices.ts': 24 * 60 * 60_000,
  'main/desktop/updates/update-service.ts': 24 * 60 * 60_000,
  // Restoring a removed job, and reporting a long outage.
  'main/jobs/list/held-jobs.ts': 10 * 60_000,
  'main/watch/outage/outages.ts': 10 * 60_000,
};
