import { createTimeoutMs, requestTimeoutMs } from './http-request.ts';

/**
 * The limits, in ms, of all waits whose length others control. The test clocks fail on longer sleeps
 * (`test/wait-check.ts`).
 */
export const waitLimits = {
  /** `Retry-After` (RFC 9110 10.2.3) from an intermediary. */
  retryAfterOfStranger: 60_000,
  /** `Retry-After` from service or storage, within the credentials' life. */
  retryAfter: 5 * 60_000,
  /** Longest pause between two tries of a request. */
  backoff: 30_000,
  request: requestTimeoutMs,
  creation: createTimeoutMs,
  /** Before creating an asset again after losing the response. */
  unansweredCreation: 4 * 60_000,
  /** A storage request or drive read without progress. */
  stall: 30_000,
  /** Storage assembles the parts of a file. */
  completion: 10 * 60_000,
  /** Between two status reads while they fail: six times the usual 10 s (contract part 8). */
  poll: 60_000,
  /** Before reporting a status that the contract doesn't name. */
  unknownStatus: 60 * 60_000,
  /** Between two attempts to write to a full disk. */
  fullJournal: 5 * 60_000,
  watchedRetry: 24 * 60 * 60_000,
} as const;

/** Longer pauses are shown with the time of the next attempt, ms. Our own backoff never is. */
export const longPauseMs = waitLimits.backoff;

/** Caps `Retry-After`. `isHeard`: it comes from service or storage itself. */
export function obeyedRetryAfter(requestedMs: number, isHeard: boolean): number {
  return Math.min(requestedMs, isHeard ? waitLimits.retryAfter : waitLimits.retryAfterOfStranger);
}

/** Only the files in `longSleeps` may sleep longer, ms. */
export const longestSleepMs = waitLimits.retryAfter;

/** Files with longer sleeps, ms: our own schedules and limits. */
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
  'main/watch/finish/outages.ts': 10 * 60_000,
};
