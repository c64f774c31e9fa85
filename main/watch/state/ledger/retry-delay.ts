import { doubledMs, type Random } from '../../../service/backoff.ts';
import { waitLimits } from '../../../service/wait-limits.ts';
import type { LedgerEntry } from '../../model/model.ts';

/** Delays after external failures (design, "Watch rules"). Pure. Epoch ms. */

const range = { firstMs: 30_000, maxMs: waitLimits.watchedRetry };
/** Spreads the retries of many sources. */
const jitter = 0.1;

/** Returns the ms to wait after this many failures in a row, from 1: 30 s, doubling up to a day, ±10 %. */
export function retryDelayMs(failures: number, random: Random): number {
  return Math.round(doubledMs(failures, range) * (1 + jitter * (2 * random() - 1)));
}

/** Returns the due time. One beyond the longest delay means that the clock was set back: due at once. */
export function retryTimeOf({ retryAt }: Pick<LedgerEntry, 'retryAt'>, currentTime: number): number {
  if (retryAt === null || retryAt - currentTime > range.maxMs * (1 + jitter)) return currentTime;
  return retryAt;
}
