import { waitLimits } from './wait-limits.ts';

/** 0 up to but not including 1. */
export type Random = () => number;

interface BackoffRange {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Design, "Retry": 0.5 s to 30 s. */
const requestRange: BackoffRange = { firstMs: 500, maxMs: waitLimits.backoff };

/** The wait after so many failures in a row, from 1: doubles with each, up to `maxMs`. ms. */
export function doubledMs(failures: number, { firstMs, maxMs }: BackoffRange): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), 30));
}

/** The same with full jitter: from 0 up to that wait. ms. */
export function backoffMs(failures: number, random: Random, range: BackoffRange = requestRange): number {
  return random() * doubledMs(failures, range);
}
