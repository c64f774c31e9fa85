import { waitLimits } from './wait-limits.ts';

/** At least 0, below 1. */
export type Random = () => number;

interface BackoffRange {
  readonly firstMs: number;
  readonly maxMs: number;
}

const requestRange: BackoffRange = { firstMs: 500, maxMs: waitLimits.backoff };

/** `failures`: consecutive, from 1. Doubles up to `maxMs`. */
export function doubledMs(failures: number, { firstMs, maxMs }: BackoffRange): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), 30));
}

/** `doubledMs` with full jitter, ms. */
export function backoffMs(failures: number, random: Random, range: BackoffRange = requestRange): number {
  return random() * doubledMs(failures, range);
}
