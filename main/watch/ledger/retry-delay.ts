import { doubledMs, type Random } from '../../service/backoff.ts';
import { waitLimits } from '../../service/wait-limits.ts';
import type { LedgerEntry } from '../model.ts';

/** When a source that failed for another's reason is tried again (design, "Watch rules"). Pure. Epoch ms. */

const range = { firstMs: 30_000, maxMs: waitLimits.watchedRetry };
/** Shares of the delay by which it varies, so that many sources don't come all at once. */
const jitter = 0.1;

/** The wait after this many failures in a row, from 1: 30 s, doubling to a day, give or take a tenth. ms. */
export function retryDelayMs(failures: number, random: Random): number {
  return Math.round(doubledMs(failures, range) * (1 + jitter * (2 * random() - 1)));
}

/**
 * When the source's time for another try comes. One that is further away than any delay was set before the
 * clock was set back, and counts as come: that is one try too early at most.
 */
export function retryTimeOf({ retryAt }: Pick<LedgerEntry, 'retryAt'>, now: number): number {
  if (retryAt === null || retryAt - now > range.maxMs * (1 + jitter)) return now;
  return retryAt;
}
