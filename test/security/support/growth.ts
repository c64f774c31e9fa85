/** Ratio of the lengths. */
const factor = 16;
/** Growth below this is linear, whatever else the machine does; quadratic growth would be 256. */
export const inProportion = 90;
/** Rounds, of which the quickest counts. */
const rounds = 3;
/** Repeated measurements of a long result, since a busy machine distorts some. */
const tries = 3;
/** CPU time in ms; less can't be measured. */
const measurable = 1;
const longest = 250_000;

/**
 * Ratio of the CPU times for a text sixteen times as long: about 16 for linear growth, 256 for quadratic
 * growth. CPU time ignores a slow or busy machine. Returns 1 if even a long text takes no measurable time.
 */
export function growthOf(textOf: (length: number) => string, run: (text: string) => unknown): number {
  for (let length = 1_000; length <= longest; length *= 2) {
    const short = quickest(textOf(length), run);
    if (short >= measurable) return leastGrowth(length);
  }
  return 1;

  function shortOf(length: number): number {
    return Math.max(measurable, quickest(textOf(length), run));
  }

  function leastGrowth(length: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let tried = 0; tried < tries && least >= inProportion; tried += 1)
      least = Math.min(least, quickest(textOf(length * factor), run) / shortOf(length));
    return least;
  }
}

function quickest(text: string, run: (text: string) => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const previous = process.threadCpuUsage();
    run(text);
    const { user, system } = process.threadCpuUsage(previous);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
