import type { FileHandle } from 'node:fs/promises';

/** What the file says of itself does not fit into it: it was cut off, or is not all there yet. */
export class PastEnd extends Error {
  override readonly name = 'PastEnd';
}

/** More would have to be read than a check may: nothing was found wrong so far. */
export class ReadEnough extends Error {
  override readonly name = 'ReadEnough';
}

/** Bytes that all checks of one file may read together. */
export const maxBytes = 1.5 * 1024 * 1024;
/** Reads from the disk, likewise: on a network drive each takes its time. */
const maxReads = 400;
/** Neighbouring values come with one read. */
const leastRead = 4_096;
const keptPieces = 6;

/**
 * A file’s bytes for checks of its end, which trust nothing that it says: every place is held against its
 * size, and reading has an end.
 */
export class FileBytes {
  readonly size: number;
  readonly #read: (at: number, length: number) => Promise<Buffer>;
  readonly #readable: number;
  #wasRefused = false;
  #pieces: readonly { readonly at: number; readonly bytes: Buffer }[] = [];
  #bytesLeft: number;
  #readsLeft = maxReads;

  /**
   * `read` gives as many of the bytes as there are. `budget`: bytes that may be read. `readable`: length of
   * the part at the beginning that can be read, where the rest is packed.
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

  /** Whether bytes behind the readable part were asked for. */
  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  /** Throws `PastEnd` unless these bytes lie in the file. */
  need(at: number, length = 0): void {
    if (!(at >= 0 && length >= 0 && at + length <= this.size && Number.isInteger(at + length)))
      throw new PastEnd();
  }

  /** Exactly these bytes. Throws `PastEnd`, `ReadEnough`. */
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
   * All of the file, beyond the budget, for formats that a part of the file says nothing about; null if it
   * is longer than `most` bytes, or can't be read to its end.
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

  /** The first bytes, fewer where the file is shorter. */
  first(length: number): Promise<Buffer> {
    return this.take(0, Math.min(length, this.size));
  }

  /** The same, fewer where only a part can be read. */
  beginning(length: number): Promise<Buffer> {
    return this.take(0, Math.min(length, this.#readable));
  }

  /** The last bytes, fewer where the file is shorter. */
  last(length: number): Promise<Buffer> {
    const there = Math.min(length, this.size);
    return this.take(this.size - there, there);
  }

  /**
   * Whether it begins like this, each sign one byte. Throws `PastEnd` for a file that is a beginning of this
   * and no more.
   */
  async begins(deps: string): Promise<boolean> {
    const head = (await this.first(deps.length)).toString('latin1');
    if (head.length < deps.length && deps.startsWith(head)) throw new PastEnd();
    return head === deps;
  }
}

/** Null if it asks for bytes behind the readable part of the file; other errors are passed on. */
export async function unlessRefused<Value>(file: FileBytes, value: Promise<Value>): Promise<Value | null> {
  try {
    return await value;
  } catch (error) {
    if (error instanceof ReadEnough && file.wasRefused) return null;
    throw error;
  }
}

/** Bytes at the ends of a file that are looked at for zeros. */
export const glimpse = 4_096;

/** Whether there is nothing but zeros in these bytes. */
export const areZeros = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

/** Reads what there is at a place of an open file. */
export const readSome =
  (handle: FileHandle) =>
  async (at: number, length: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  };

/**
 * A whole number without sign. Of eight bytes, what a number holds: beyond that only its size against a
 * file’s matters.
 * @param size 1, 2, 4 or 8
 */
export function uint(bytes: Buffer, at: number, size: number, littleEndian = true): number {
  if (size !== 8) return littleEndian ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  const [low, high] = littleEndian ? [at, at + 4] : [at + 4, at];
  return uint(bytes, low, 4, littleEndian) + uint(bytes, high, 4, littleEndian) * 2 ** 32;
}
