import { doubledMs } from '../service/backoff.ts';

/** The schedule of alerts. Pure; times are ms since the epoch. */

export interface AlertTiming {
  /** Events within this time of the first share its message. */
  readonly gatherMs: number;
  /** The minimum time between messages. */
  readonly quietMs: number;
  /** The interval of checking conditions. */
  readonly lookMs: number;
  /** The delay after the first failure; doubles up to `maxWaitMs`. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** A message is dropped after failing for this long. */
  readonly giveUpMs: number;
}

export const defaultAlertTiming: AlertTiming = {
  gatherMs: 60_000,
  quietMs: 3_600_000,
  lookMs: 60_000,
  firstWaitMs: 60_000,
  maxWaitMs: 4 * 3_600_000,
  giveUpMs: 24 * 3_600_000,
};

/**
 * When the next message is due, at least the quiet time after the last one, even if the clock was set back.
 * Null without pending events.
 */
export function messageDueAt(
  {
    oldest,
    lastMessageAt,
    nowMs,
  }: { readonly oldest: number | null; readonly lastMessageAt: number | null; readonly nowMs: number },
  { gatherMs, quietMs }: AlertTiming,
): number | null {
  if (oldest === null) return null;
  const gathered = Math.min(oldest, nowMs) + gatherMs;
  return lastMessageAt === null ? gathered : Math.max(gathered, Math.min(lastMessageAt, nowMs) + quietMs);
}

/** When to retry a message after `tries` failures, first sent at `madeAt`; null to stop. */
export function nextTryAt(
  { tries, madeAt, nowMs }: { readonly tries: number; readonly madeAt: number; readonly nowMs: number },
  { firstWaitMs, maxWaitMs, giveUpMs }: AlertTiming,
): number | null {
  const began = Math.min(madeAt, nowMs);
  if (nowMs - began >= giveUpMs) return null;
  const wait = doubledMs(tries, { firstMs: firstWaitMs, maxMs: maxWaitMs });
  // The last attempt is at the deadline.
  return Math.min(nowMs + wait, began + giveUpMs);
}
