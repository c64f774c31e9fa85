/** A part of a file that was read, and where in the file it begins. */
export interface Piece {
  readonly at: number;
  readonly bytes: Buffer;
}

/**
 * What is known of a file: a few pieces of it. Readers take bytes from here and give up where one is missing; `wanted` then says where to read further, so
 * that they stay free of waiting.
 */
export class FilePieces {
  readonly size: number;
  /** Where the first missing bytes begin; null while nothing was missing, or the file has no such place. */
  wanted: number | null = null;
  readonly #pieces: readonly Piece[];

  constructor(size: number, pieces: readonly Piece[]) {
    this.size = size;
    this.#pieces = pieces;
  }

  /** Exactly these bytes, or null. */
  take(at: number, length: number): Buffer | null {
    if (!Number.isSafeInteger(at) || at < 0 || length < 0 || at + length > this.size) return null;
    for (const piece of this.#pieces) {
      const from = at - piece.at;
      if (from >= 0 && from + length <= piece.bytes.length) return piece.bytes.subarray(from, from + length);
    }
    this.wanted ??= at;
    return null;
  }

  /** As many bytes as are there from `at` on, at most `length`. */
  takeUpTo(at: number, length: number): Buffer {
    for (const piece of this.#pieces) {
      const from = at - piece.at;
      if (from >= 0 && from < piece.bytes.length) return piece.bytes.subarray(from, from + length);
    }
    return Buffer.alloc(0);
  }
}
