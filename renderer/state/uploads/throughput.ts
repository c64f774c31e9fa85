export interface Sample {
  readonly at: number;
  readonly bytesPerSecond: number;
}

/** Length of the curve, ms. */
export const throughputSpanMs = 5 * 60_000;
const spacingMs = 1000;

/** Adds a sample, at most one per second, and drops those older than the span. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const latest = samples.at(-1);
  if (latest && sample.at - latest.at < spacingMs) return samples;
  return [...samples.filter((earlierSample) => sample.at - earlierSample.at <= throughputSpanMs), sample];
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
  const oldest = samples[0];
  const latest = samples.at(-1);
  if (!oldest || !latest || samples.length < 2) return [];
  const maxSpeed = Math.max(...samples.map((sample) => sample.bytesPerSecond), 1);
  const span = latest.at - oldest.at;
  return samples.map((sample) => ({
    x: ((sample.at - oldest.at) / span) * width,
    y: height - (sample.bytesPerSecond / maxSpeed) * height,
  }));
}
