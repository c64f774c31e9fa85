/** Decides when a source has settled. Pure: times are arguments. */

/** As in `ScannedSource`. */
interface Digests {
  readonly digest: string;
  readonly dataDigest: string;
}

/** A sample. Times are monotonic ms. */
export interface Sample extends Digests {
  readonly sampledAt: number;
  readonly sameDataSinceAt: number;
}

export type Settling =
  | { readonly settled: true }
  | {
      readonly settled: false;
      /** Uses the samples' clock. */
      readonly nextSampleAt: number;
      readonly quietSinceAt: number;
    };

interface SettlingOptions {
  readonly settleMs: number;
  readonly suspicious: boolean;
}

/** Equal samples needed. */
const minSamples = 3;
/** Multiplies the quiet time. */
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
 * A source has settled if at least three equal samples span the settle time, each at least a third of it
 * after the previous one. Checks in quick succession, caused by hints, only count once.
 */
export function judgeSettling(
  samples: readonly Sample[],
  { settleMs, suspicious }: SettlingOptions,
): Settling {
  const firstSample = samples[0];
  if (!firstSample)
    return { settled: false, nextSampleAt: Number.NEGATIVE_INFINITY, quietSinceAt: Number.NaN };
  const span = settleMs * (suspicious ? suspicionFactor : 1);
  // Whole ms: a rounding error would request further samples endlessly.
  const spacing = Math.ceil(span / minSamples);
  let counted = 1;
  let lastCountedAt = firstSample.sampledAt;
  for (const { sampledAt } of samples) {
    if (sampledAt - lastCountedAt < spacing) continue;
    counted++;
    lastCountedAt = sampledAt;
  }
  if (counted >= minSamples && lastCountedAt - firstSample.sampledAt >= span) return { settled: true };
  return { settled: false, nextSampleAt: lastCountedAt + spacing, quietSinceAt: firstSample.sampledAt };
}
