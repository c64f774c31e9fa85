/** Access to JSON of unknown shape. */

/** Returns an array's elements; an empty array for other values. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns an object's member; undefined for other values. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** Returns the document; undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Returns an array of at least `least` finite numbers; null for other values. */
export function numbersIn(value: unknown, least: number): readonly number[] | null {
  const numbers = listIn(value);
  return numbers.length >= least && numbers.every(Number.isFinite) ? (numbers as readonly number[]) : null;
}
