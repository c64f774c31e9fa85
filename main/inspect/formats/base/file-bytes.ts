import type { FileHandle } from 'node:fs/promises';

/** An offset or length exceeds the file, so it is truncated or incomplete. */
export class PastEnd extends Error {
  override readonly name = 'PastEnd';
}

/** The check reached its read limit without a fault. */
export class ReadEnough extends Error {
  override readonly name = 'ReadEnough';
}

/** Read limit for one file. */
export const maxBytes = 1.5 * 1024 * 1024;
/** Each read is slow on a network drive. */
const maxReads = 400;
const leastRead = 4_096;
const keptPieces = 6;

/** Reads untrusted files: checks offsets against the size, and limits the reads. */
export class FileBytes {
  readonly size: number;
  readonly #read: (at: number, length: number) => Promise<Buffer>;
  readonly #readable: number;
  #wasRefused = false;
  #pieces: readonly { readonly at: number; readonly bytes: Buffer }[] = [];
  #bytesLeft: number;
  #readsLeft = maxReads;

  /**
   * `read` may return fewer bytes. `budget`: bytes it may read. `readable`: bytes at the beginning, if the
   * rest is packed.
   */
  constructor(
    size: number,
    read: (at: number, length: number) => Promise<Buffer>,
    budget: number = maxBytes,
    readable: number = size,
  ) {
    this.size = size;
    this.#read = read;
    this.#bytesLeft = budget;
    this.#readable = readable;
  }

  /** Whether a read went past the readable part. */
  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  /** Throws `PastEnd` if outside the file. */
  need(at: number, length = 0): void {
    if (!(at >= 0 && length >= 0 && at + length <= this.size && Number.isInteger(at + length)))
      throw new PastEnd();
  }

  /** Returns exactly these bytes. Throws `PastEnd`, `ReadEnough`. */
  async take(at: number, length: number): Promise<Buffer> {
    this.need(at, length);
    for (const piece of this.#pieces) {
      const from = at - piece.at;
      if (from >= 0 && from + length <= piece.bytes.length) return piece.bytes.subarray(from, from + length);
    }
    if (at + length > this.#readable) {
      this.#wasRefused = true;
      throw new ReadEnough();
    }
    const wanted = Math.min(this.#readable - at, Math.max(length, leastRead));
    this.#bytesLeft -= wanted;
    this.#readsLeft--;
    if (this.#bytesLeft < 0 || this.#readsLeft < 0) throw new ReadEnough();
    const bytes = await this.#read(at, wanted);
    if (bytes.length < length) throw new PastEnd();
    this.#pieces = [{ at, bytes }, ...this.#pieces.slice(0, keptPieces - 1)];
    return bytes.subarray(0, length);
  }

  /**
   * Returns the whole file, regardless of the budget; null if it exceeds `most` bytes or isn't all readable.
   */
  async whole(most: number): Promise<Buffer | null> {
    if (this.size > most) return null;
    if (this.size > this.#readable) {
      this.#wasRefused = true;
      return null;
    }
    const bytes = await this.#read(0, this.size);
    if (bytes.length < this.size) throw new PastEnd();
    return bytes;
  }

  /** Shorter for a shorter file. */
  first(length: number): Promise<Buffer> {
    return this.take(0, Math.min(length, this.size));
  }

  /** Shorter if less is readable. */
  beginning(length: number): Promise<Buffer> {
    return this.take(0, Math.min(length, this.#readable));
  }

  /** Shorter for a shorter file. */
  last(length: number): Promise<Buffer> {
    const there = Math.min(length, this.size);
    return this.take(this.size - there, there);
  }

  /** Whether the file begins with this Latin-1 text. Throws `PastEnd` if it ends within. */
  async begins(deps: string): Promise<boolean> {
    const head = (await this.first(deps.length)).toString('latin1');
    if (head.length < deps.length && deps.startsWith(head)) throw new PastEnd();
    return head === deps;
  }
}

/** Returns null for a read past the readable part; rethrows other errors. */
export async function unlessRefused<Value>(file: FileBytes, value: Promise<Value>): Promise<Value | null> {
  try {
    return await value;
  } catch (error) {
    if (error instanceof ReadEnough && file.wasRefused) return null;
    throw error;
  }
}

/** Bytes checked for zeros at both ends. */
export const glimpse = 4_096;

/** Whether all bytes are zero. */
export const areZeros = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

/** Reads an open file; shorter at its end. */
export const readSome =
  (handle: FileHandle) =>
  async (at: number, length: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  };

/**
 * Reads an unsigned integer of 1, 2, 4 or 8 bytes. Eight bytes may lose precision, but suffice to compare
 * sizes.
 */
export function uint(bytes: Buffer, at: number, size: number, littleEndian = true): number {
  if (size !== 8) return littleEndian ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  const [low, high] = littleEndian ? [at, at + 4] : [at + 4, at];
  return uint(bytes, low, 4, littleEndian) + uint(bytes, high, 4, littleEndian) * 2 ** 32;
}
