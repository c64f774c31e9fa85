/** A boundary that external data cross, and the code that handles them. */
export interface Target {
  readonly name: string;
  readonly seeds: readonly (string | Buffer)[];
  /** Words of the format, which get further than random bytes. */
  readonly words?: readonly string[];
  /** Relative share of the time. Default: 1. */
  readonly share?: number;
  /**
   * Handles the input and returns its outcome in a word; new outcomes are mutated further. Documented errors
   * are outcomes, other errors are crashes. Throws `Escape` if the result exceeds its permitted reach.
   */
  run(input: Buffer): string | Promise<string>;
}

/** The input reached outside its folder, or changed data that should only be shown. */
export class Escape extends Error {
  override readonly name = 'Escape';
}

/** The outcome, or the name of a documented error. Rethrows all others. */
export function outcomeOf(run: () => unknown, documented: (error: unknown) => string | null): string {
  try {
    return shapeOf(run());
  } catch (error) {
    const name = documented(error);
    if (name === null) throw error;
    return name;
  }
}

/** Shape of a value without its content: kinds and numbers of its parts, two levels deep. */
export function shapeOf(value: unknown, depth = 2): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  if (Array.isArray(value)) return `[${Math.min(value.length, 3)}]`;
  if (depth === 0) return '{}';
  const parts = Object.entries(value).slice(0, 30);
  return `{${parts.map(([key, part]) => `${key.slice(0, 20)}:${shapeOf(part, depth - 1)}`).join()}}`;
}
