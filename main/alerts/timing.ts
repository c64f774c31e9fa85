import { doubledMs } from '../service/backoff.ts';

/** When alerts are told. Pure; times are ms since the epoch. */

export interface AlertTiming {
  /** What comes within this time of the first is told with it. */
  readonly gatherMs: number;
  /** After a message it is quiet for this long. */
  readonly quietMs: number;
  /** How often it is looked whether something has lasted too long. */
  readonly lookMs: number;
  /** After the first try that failed; each further one waits twice as long, up to `maxWaitMs`. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** A message that could not be sent for this long is given up. */
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
 * When the next message is due: never two within the quiet time, and a clock that was set back holds nothing
 * up for longer than it. Null: there is nothing to tell.
 */
export function messageDueAt(
  {
    oldest,
    last,
    now,
  }: { readonly oldest: number | null; readonly last: number | null; readonly now: number },
  { gatherMs, quietMs }: AlertTiming,
): number | null {
  if (oldest === null) return null;
  const gathered = Math.min(oldest, now) + gatherMs;
  return last === null ? gathered : Math.max(gathered, Math.min(last, now) + quietMs);
}

/** When a message that has failed `tries` times, first at `madeAt`, is tried again. Null: not any more. */
export function nextTryAt(
  { tries, madeAt, now }: { readonly tries: number; readonly madeAt: number; readonly now: number },
  { firstWaitMs, maxWaitMs, giveUpMs }: AlertTiming,
): number | null {
  const began = Math.min(madeAt, now);
  if (now - began >= giveUpMs) return null;
  const wait = doubledMs(tries, { firstMs: firstWaitMs, maxMs: maxWaitMs });
  // The last try is at the very end.
  return Math.min(now + wait, began + giveUpMs);
}
