/** Decides when a source has settled. Pure: times are arguments. */

/** As in `FoundSource`. */
interface Digests {
  readonly digest: string;
  readonly dataDigest: string;
}

/** A sample. Times are monotonic ms. */
export interface Sample extends Digests {
  readonly sampledAt: number;
  readonly sameDataSinceAt: number;
}

/** Equal samples needed. */
const minSamples = 3;
/** Multiplies the quiet time of a suspicious source. */
export const suspicionFactor = 6;
/** Beyond it, every second sample is dropped. */
const maxSamples = 64;
/**
 * For this long, changes of permissions or owners restart settling, ms. A job that sets them every minute
 * must not block sources forever, but a copy that sets times after each block looks the same.
 */
const maxPermissionsMs = 60_000;

/** Adds a sample. A difference, or a clock that went back, starts over. */
export function addSample(
  samples: readonly Sample[],
  currentTime: number,
  { digest, dataDigest }: Digests,
): readonly Sample[] {
  const lastSample = samples.at(-1);
  const sampledAt = Math.floor(currentTime);
  if (!lastSample || lastSample.dataDigest !== dataDigest || sampledAt < lastSample.sampledAt)
    return [{ sampledAt, digest, dataDigest, sameDataSinceAt: sampledAt }];
  const newSample: Sample = { ...lastSample, sampledAt, digest };
  if (lastSample.digest !== digest && sampledAt - newSample.sameDataSinceAt < maxPermissionsMs)
    return [newSample];
  const thinned =
    samples.length < maxSamples ? samples : samples.filter((_, index) => index === 0 || index % 2 === 1);
  return [...thinned, newSample];
}

/**
 * Returns when the next sample is due (same clock), or null if the source has settled: at least three equal
 * samples span the settle time (ms), each at least a third of it after the previous one. Checks in quick
 * succession, caused by hints, only count once.
 */
export function nextSampleAt(samples: readonly Sample[], settleMs: number): number | null {
  const [firstSample] = samples;
  if (!firstSample) return Number.NEGATIVE_INFINITY;
  // Whole ms: a rounding error would request further samples endlessly.
  const spacing = Math.ceil(settleMs / minSamples);
  let counted = 1;
  let lastCountedAt = firstSample.sampledAt;
  for (const { sampledAt } of samples) {
    if (sampledAt - lastCountedAt < spacing) continue;
    counted++;
    lastCountedAt = sampledAt;
  }
  const hasSettled = counted >= minSamples && lastCountedAt - firstSample.sampledAt >= settleMs;
  return hasSettled ? null : lastCountedAt + spacing;
}
