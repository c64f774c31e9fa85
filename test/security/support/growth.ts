/** Rounds of which the quickest counts: a machine that does something else meanwhile makes some of them slow. */
const rounds = 5;
/** ms; what takes less can't be measured. */
const measurable = 4;
const largest = 2_000_000;

/**
 * How many times as long `run` takes for a text four times as long: about 4 where the time is in proportion to the text, 16 where it grows with its square.
 * Both are measured in one go, so that a slow machine makes no difference. 1 where even a long text takes no time that could be measured.
 */
export function growthOf(textOf: (length: number) => string, run: (text: string) => unknown): number {
  for (let length = 1_000; length <= largest; length *= 2) {
    const short = quickest(textOf(length), run);
    if (short >= measurable) return quickest(textOf(length * 4), run) / short;
  }
  return 1;
}

function quickest(text: string, run: (text: string) => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    run(text);
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
}
