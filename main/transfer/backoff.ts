import { waitLimits } from '../service/wait-limits.ts';

/** 0 up to but not including 1. */
export type Random = () => number;

interface BackoffRange {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Design, "Retry": 0.5 s to 30 s. */
const usual: BackoffRange = { firstMs: 500, maxMs: waitLimits.backoff };

/** Full jitter: from 0 to the ceiling, which doubles with each try. `tries` counts failed ones, from 1. */
export function backoffMs(tries: number, random: Random, { firstMs, maxMs }: BackoffRange = usual): number {
  return random() * Math.min(maxMs, firstMs * 2 ** Math.min(tries - 1, 30));
}
