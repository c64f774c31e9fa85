/** The middle value; of an even count the mean of the two in the middle. Not a number without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Sum of the first of each pair over the sum of the second. */
export function meanShare(pairs: readonly (readonly [number, number])[]): number {
  const sum = (side: 0 | 1) => pairs.reduce((total, pair) => total + pair[side], 0);
  return sum(0) / sum(1);
}

/** The same, beginning `by` places later and going on from the front. */
export function rotate<T>(items: readonly T[], by: number): T[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** For people and for the JSON: three digits that mean something. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
