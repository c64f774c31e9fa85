/** Whether a list has become longer at its top alone: all that was there follows, in the same order. */
export function grownAtTop(before: readonly string[], now: readonly string[]): boolean {
  const grown = now.length - before.length;
  return grown > 0 && before.length > 0 && before.every((key, index) => now[index + grown] === key);
}
