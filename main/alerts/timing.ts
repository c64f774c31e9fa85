import { doubledMs } from '../service/backoff.ts';

/** The schedule of alerts. Pure; times are ms since the epoch. */

export interface AlertTiming {
  /** Events within this time of the first share its message. */
  readonly gatherMs: number;
  readonly quietMs: number;
  readonly lookMs: number;
  /** Doubles up to `maxWaitMs`. */
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

/** The quiet time counts even if the clock was set back. Null without pending events. */
export function messageDueAt(
  {
    oldest,
    lastMessageAt,
    nowMs,
  }: { readonly oldest: number | null; readonly lastMessageAt: number | null; readonly nowMs: number },
  { gatherMs, quietMs }: AlertTiming,
): number | null {
  if (oldest === null) return null;
  const gatheredAt = Math.min(oldest, nowMs) + gatherMs;
  return lastMessageAt === null ? gatheredAt : Math.max(gatheredAt, Math.min(lastMessageAt, nowMs) + quietMs);
}

/** Null stops the retries. */
export function nextTryAt(
  { attempts, madeAt, nowMs }: { readonly attempts: number; readonly madeAt: number; readonly nowMs: number },
  { firstWaitMs, maxWaitMs, giveUpMs }: AlertTiming,
): number | null {
  const startedAt = Math.min(madeAt, nowMs);
  if (nowMs - startedAt >= giveUpMs) return null;
  const delayMs = doubledMs(attempts, { firstMs: firstWaitMs, maxMs: maxWaitMs });
  return Math.min(nowMs + delayMs, startedAt + giveUpMs);
}
