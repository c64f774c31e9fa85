/** How fast an upload goes: bytes over the last minute. Pure; times are ms, rates bytes a second. */

export interface RateSample {
  readonly at: number;
  /** Bytes sent since the upload began. */
  readonly bytes: number;
}

const windowMs = 60_000;
/** Samples closer together than this replace each other. */
const spacingMs = 500;
/** A shorter time says nothing yet. */
const shortestMs = 1_000;

/** The samples with one more, without those older than the window. A clock that was set back starts again. */
export function addSample(samples: readonly RateSample[], sample: RateSample): readonly RateSample[] {
  const last = samples.at(-1);
  if (last && sample.at < last.at) return [sample];
  const before = samples.at(-2);
  const kept = last && before && last.at - before.at < spacingMs ? samples.slice(0, -1) : samples;
  const from = kept.findLastIndex((old) => sample.at - old.at >= windowMs);
  return [...kept.slice(Math.max(0, from)), sample];
}

/**
 * Over the last minute up to `now`, so that a standstill shows; null while there is too little to tell. Parts
 * that have to be sent again count against it, never below 0.
 */
export function rateAt(samples: readonly RateSample[], now: number): number | null {
  const last = samples.at(-1);
  if (!last) return null;
  const from = samples.findLast((sample) => now - sample.at >= windowMs) ?? samples[0];
  if (!from) return null;
  const elapsed = now - from.at;
  return elapsed < shortestMs ? null : (Math.max(0, last.bytes - from.bytes) * 1000) / elapsed;
}

/** Null where nothing moves. */
export function secondsLeft(bytesLeft: number, bytesPerSecond: number | null): number | null {
  if (bytesPerSecond === null || bytesPerSecond <= 0) return null;
  return Math.max(0, bytesLeft) / bytesPerSecond;
}
