/** A job's speed over the last minutes, as seen by this window. */

export interface Sample {
  readonly at: number;
  readonly bytesPerSecond: number;
}

/** Length of the curve, ms. */
export const throughputSpanMs = 5 * 60_000;
const spacingMs = 1000;

/** Adds a sample, at most one per second, and drops those older than the span. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last && sample.at - last.at < spacingMs) return samples;
  return [...samples.filter((kept) => sample.at - kept.at <= throughputSpanMs), sample];
}

/**
 * Points of the curve in a box of this size, oldest left, fastest at the top. Empty with fewer than two
 * samples.
 */
export function curve(
  samples: readonly Sample[],
  width: number,
  height: number,
): readonly { readonly x: number; readonly y: number }[] {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || samples.length < 2) return [];
  const top = Math.max(...samples.map((sample) => sample.bytesPerSecond), 1);
  const span = last.at - first.at;
  return samples.map((sample) => ({
    x: ((sample.at - first.at) / span) * width,
    y: height - (sample.bytesPerSecond / top) * height,
  }));
}
