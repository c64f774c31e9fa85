/** Access to JSON of unknown shape. */

/** Empty for other values than arrays. */
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Undefined for other values than objects. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** Undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** At least `minLength` finite numbers; null for other values. */
export function numbersIn(value: unknown, minLength: number): readonly number[] | null {
  const numbers = toList(value);
  return numbers.length >= minLength && numbers.every(Number.isFinite)
    ? (numbers as readonly number[])
    : null;
}
