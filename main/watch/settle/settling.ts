/** When a source counts as finished (design, "Watch rules"): pure, times handed in. */

/** What a look at a source is compared by: as of `SurveyedSource`. */
interface Digests {
  readonly digest: string;
  readonly dataDigest: string;
}

/** One look at a source. Times in ms of a clock that only moves forward. */
export interface Sample extends Digests {
  readonly at: number;
  /** Since when its `dataDigest` has been the same. */
  readonly sameDataSinceAt: number;
}

export type Settling =
  | { readonly settled: true }
  | {
      readonly settled: false;
      /** When another look can tell more, on the samples’ clock. */
      readonly nextSampleAt: number;
      /** Since when nothing has changed, as far as is known. */
      readonly quietSinceAt: number;
    };

interface SettlingOptions {
  readonly settleMs: number;
  /** Something about it looks unfinished although nothing moves: it is watched for longer. */
  readonly suspicious: boolean;
}

/** Equal samples that it takes. */
export const minSamples = 3;
/** How much longer a suspicious source is watched. */
export const suspicionFactor = 6;
/** Samples that are kept; with more, every second goes. */
const maxSamples = 64;
/**
 * How long changes of permissions or owners alone start settling again, ms: a job that sets them every minute
 * must not keep sources from settling for ever, but a copy that sets times after each block looks the same.
 */
const maxPermissionsMs = 60_000;

/** The samples that count once this one is taken: a difference, or a clock that went back, starts again. */
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
 * What samples from `addSample` say. A source has settled when at least three equal ones span the settle
 * time, each a third of it or more after the one before: looks in quick succession, as hints cause them,
 * prove no more than one.
 */
export function judgeSettling(
  samples: readonly Sample[],
  { settleMs, suspicious }: SettlingOptions,
): Settling {
  const first = samples[0];
  if (!first) return { settled: false, nextSampleAt: Number.NEGATIVE_INFINITY, quietSinceAt: Number.NaN };
  const span = settleMs * (suspicious ? suspicionFactor : 1);
  // Whole ms: what floating point takes off a third would ask for another look without end.
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
