/** One border at which something from outside comes in, and what the room behind it does with it. */
export interface Target {
  readonly name: string;
  /** Real inputs, to be changed. */
  readonly seeds: readonly (string | Buffer)[];
  /** Words of the format: put in and out, they get further than random bytes. */
  readonly words?: readonly string[];
  /** Of the time, beside the others. Default: 1. */
  readonly share?: number;
  /**
   * Does what the room does with it, and says in a word what came of it: an input with another outcome is
   * worth changing further. Throws nothing but what is a crash, since the room's documented errors are
   * outcomes; `Escape` where the result is outside of what it may reach.
   */
  run(input: Buffer): string | Promise<string>;
}

/** The input has led out of its folder, or made something of what is only to be shown. */
export class Escape extends Error {
  override readonly name = 'Escape';
}

/** The outcome, or the name of a documented error. Everything else continues. */
export function outcomeOf(run: () => unknown, documented: (error: unknown) => string | null): string {
  try {
    return shapeOf(run());
  } catch (error) {
    const name = documented(error);
    if (name === null) throw error;
    return name;
  }
}

/** What a value looks like, without what it holds: kinds and numbers of its parts, two levels deep. */
export function shapeOf(value: unknown, depth = 2): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  if (Array.isArray(value)) return `[${Math.min(value.length, 3)}]`;
  if (depth === 0) return '{}';
  const parts = Object.entries(value).slice(0, 30);
  return `{${parts.map(([key, part]) => `${key.slice(0, 20)}:${shapeOf(part, depth - 1)}`).join()}}`;
}
