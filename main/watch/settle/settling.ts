/** Decides when a source has settled (design, "Watch rules"). Pure: times are arguments. */

/** As in `SurveyedSource`. */
interface Digests {
  readonly digest: string;
  readonly dataDigest: string;
}

/** A sample. Times are monotonic ms. */
export interface Sample extends Digests {
  readonly at: number;
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
export const minSamples = 3;
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
  lookedAt: number,
  { digest, dataDigest }: Digests,
): readonly Sample[] {
  const last = samples.at(-1);
  const at = Math.floor(lookedAt);
  if (!last || last.dataDigest !== dataDigest || at < last.at)
    return [{ at, digest, dataDigest, sameDataSinceAt: at }];
  const now: Sample = { ...last, at, digest };
  if (last.digest !== digest && at - now.sameDataSinceAt < maxPermissionsMs) return [now];
  const kept =
    samples.length < maxSamples ? samples : samples.filter((_, index) => index === 0 || index % 2 === 1);
  return [...kept, now];
}

/**
 * A source has settled if at least three equal samples span the settle time, each at least a third of it
 * after the previous one. Checks in quick succession, caused by hints, only count once.
 */
export function judgeSettling(
  samples: readonly Sample[],
  { settleMs, suspicious }: SettlingOptions,
): Settling {
  const first = samples[0];
  if (!first) return { settled: false, nextSampleAt: Number.NEGATIVE_INFINITY, quietSinceAt: Number.NaN };
  const span = settleMs * (suspicious ? suspicionFactor : 1);
  // Whole ms: a rounding error would request further samples endlessly.
  const spacing = Math.ceil(span / minSamples);
  let counted = 1;
  let last = first.at;
  for (const { at } of samples) {
    if (at - last < spacing) continue;
    counted++;
    last = at;
  }
  if (counted >= minSamples && last - first.at >= span) return { settled: true };
  return { settled: false, nextSampleAt: last + spacing, quietSinceAt: first.at };
}
