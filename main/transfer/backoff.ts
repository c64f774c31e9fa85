/** 0 up to but not including 1. */
export type Random = () => number;

export interface BackoffRange {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Design, "Retry": 0.5 s to 30 s. */
const usual: BackoffRange = { firstMs: 500, mostMs: 30_000 };

/** Full jitter: anything from 0 to the ceiling, which doubles with each try. `tries` counts those that failed, from 1. */
export function backoffMs(tries: number, random: Random, { firstMs, mostMs }: BackoffRange = usual): number {
  return random() * Math.min(mostMs, firstMs * 2 ** Math.min(tries - 1, 30));
}
