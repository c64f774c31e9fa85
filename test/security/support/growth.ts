/** Ratio of the lengths. */
const factor = 16;
/** Growth below this is linear, whatever else the machine does; quadratic growth would be 256. */
export const inProportion = 90;
/** Rounds, of which the quickest counts. */
const rounds = 3;
/** Repeated measurements of a long result, since a busy machine distorts some. */
const maxAttempts = 3;
/** CPU time in ms; less can't be measured. */
const measurable = 1;
const longestText = 250_000;

/**
 * Ratio of the CPU times for a text sixteen times as long: about 16 for linear growth, 256 for quadratic
 * growth. CPU time ignores a slow or busy machine. Returns 1 if even a long text takes no measurable time.
 */
export function growthOf(textOf: (length: number) => string, run: (text: string) => unknown): number {
  for (let length = 1_000; length <= longestText; length *= 2) {
    const shortMs = quickest(textOf(length), run);
    if (shortMs >= measurable) return leastGrowth(length);
  }
  return 1;

  function shortOf(length: number): number {
    return Math.max(measurable, quickest(textOf(length), run));
  }

  function leastGrowth(length: number): number {
    let minimumMs = Number.POSITIVE_INFINITY;
    for (let attempts = 0; attempts < maxAttempts && minimumMs >= inProportion; attempts += 1)
      minimumMs = Math.min(minimumMs, quickest(textOf(length * factor), run) / shortOf(length));
    return minimumMs;
  }
}

function quickest(text: string, run: (text: string) => unknown): number {
  let minimumMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const previous = process.threadCpuUsage();
    run(text);
    const { user, system } = process.threadCpuUsage(previous);
    minimumMs = Math.min(minimumMs, (user + system) / 1_000);
  }
  return minimumMs;
}
