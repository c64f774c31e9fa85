/** JSON of unknown shape. */

/** The elements of an array; none of anything else. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A member of an object; undefined of anything else. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** The document; undefined for a text that isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** The elements of an array of at least `least` finite numbers; null for anything else. */
export function numbersIn(value: unknown, least: number): readonly number[] | null {
  const numbers = listIn(value);
  return numbers.length >= least && numbers.every(Number.isFinite) ? (numbers as readonly number[]) : null;
}
