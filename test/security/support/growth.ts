/** How much longer the longer text is. */
const factor = 16;
/**
 * Growth below this is in proportion to the text, whatever else the machine does: growth with the square
 * would be 256.
 */
export const inProportion = 90;
/** Rounds of which the quickest counts. */
const rounds = 3;
/**
 * What looks too long is measured again so often: a busy machine makes it longer now and then, the square of
 * a length each time.
 */
const tries = 3;
/** ms of the processor; what takes less can't be measured. */
const measurable = 1;
const longest = 250_000;

/**
 * How many times as long `run` takes for a text sixteen times as long: about 16 where the time is in
 * proportion to the text, 256 where it grows with its square. Both are measured in one go and in time of the
 * processor, so that a slow or busy machine makes no difference. 1 where even a long text takes no time that
 * could be measured.
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
    const before = process.threadCpuUsage();
    run(text);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
