/** Median; NaN without values. */
export function median(values: readonly number[]): number {
  const sortedValues = values.toSorted((a, b) => a - b);
  const upperMiddle = sortedValues[Math.floor(sortedValues.length / 2)] ?? Number.NaN;
  const lowerMiddle = sortedValues[Math.ceil(sortedValues.length / 2) - 1] ?? Number.NaN;
  return (lowerMiddle + upperMiddle) / 2;
}

/** Sum of the first items of the pairs ÷ sum of the second items. */
export function meanShare(pairs: readonly (readonly [number, number])[]): number {
  const sum = (side: 0 | 1) => pairs.reduce((total, pair) => total + pair[side], 0);
  return sum(0) / sum(1);
}

/** Moves the first `offset` items to the end. */
export function rotate<T>(items: readonly T[], offset: number): T[] {
  const start = items.length === 0 ? 0 : offset % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** Rounds to three significant digits. */
export function roundValue(value: number): number {
  return Number(value.toPrecision(3));
}
