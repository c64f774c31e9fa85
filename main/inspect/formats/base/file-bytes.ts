/** An offset or length exceeds the file, so it is truncated or incomplete. */
export class PastEndError extends Error {
  override readonly name = 'PastEnd';
}

/** The check reached its read limit without a fault. */
export class ReadLimitError extends Error {
  override readonly name = 'ReadEnough';
}

/** Read limit for one file. */
export const maxBytes = 1.5 * 1024 * 1024;
/** Each read is slow on a network drive. */
const maxReads = 400;
const minReadLength = 4_096;
const maxCachedPieces = 6;

/** Reads untrusted files: checks offsets against the size, and limits the reads. */
export class FileBytes {
  readonly size: number;
  readonly #read: (offset: number, length: number) => Promise<Buffer>;
  readonly #readable: number;
  #wasRefused = false;
  #cachedPieces: readonly { readonly offset: number; readonly bytes: Buffer }[] = [];
  #remainingBytes: number;
  #remainingReads: number;

  /**
   * `read` may return fewer bytes. `budget`: bytes it may read. `readable`: bytes at the beginning, if the
   * rest is packed. `reads`: how often it may read.
   */
  constructor(
    size: number,
    read: (offset: number, length: number) => Promise<Buffer>,
    budget: number = maxBytes,
    readable: number = size,
    reads: number = maxReads,
  ) {
    this.size = size;
    this.#read = read;
    this.#remainingBytes = budget;
    this.#remainingReads = reads;
    this.#readable = readable;
  }

  /** Whether a read went past the readable part. */
  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  /** Throws `PastEndError` if outside the file. */
  requireRange(offset: number, length = 0): void {
    if (!(offset >= 0 && length >= 0 && offset + length <= this.size && Number.isInteger(offset + length)))
      throw new PastEndError();
  }

  /** Returns exactly these bytes. Throws `PastEndError`, `ReadLimitError`. */
  async read(offset: number, length: number): Promise<Buffer> {
    this.requireRange(offset, length);
    for (const piece of this.#cachedPieces) {
      const start = offset - piece.offset;
      if (start >= 0 && start + length <= piece.bytes.length)
        return piece.bytes.subarray(start, start + length);
    }
    if (offset + length > this.#readable) {
      this.#wasRefused = true;
      throw new ReadLimitError();
    }
    const readLength = Math.min(this.#readable - offset, Math.max(length, minReadLength));
    this.#remainingBytes -= readLength;
    this.#remainingReads--;
    if (this.#remainingBytes < 0 || this.#remainingReads < 0) throw new ReadLimitError();
    const bytes = await this.#read(offset, readLength);
    if (bytes.length < length) throw new PastEndError();
    this.#cachedPieces = [{ offset, bytes }, ...this.#cachedPieces.slice(0, maxCachedPieces - 1)];
    return bytes.subarray(0, length);
  }

  /**
   * Returns the whole file, regardless of the budget; null if it exceeds `maxLength` bytes or isn't all
   * readable.
   */
  async readWhole(maxLength: number): Promise<Buffer | null> {
    if (this.size > maxLength) return null;
    if (this.size > this.#readable) {
      this.#wasRefused = true;
      return null;
    }
    const bytes = await this.#read(0, this.size);
    if (bytes.length < this.size) throw new PastEndError();
    return bytes;
  }

  /** Shorter for a shorter file. */
  readStart(length: number): Promise<Buffer> {
    return this.read(0, Math.min(length, this.size));
  }

  /** Shorter if less is readable. */
  readReadableStart(length: number): Promise<Buffer> {
    return this.read(0, Math.min(length, this.#readable));
  }

  /** Shorter for a shorter file. */
  readEnd(length: number): Promise<Buffer> {
    const endLength = Math.min(length, this.size);
    return this.read(this.size - endLength, endLength);
  }

  /** Whether the file begins with this Latin-1 text. Throws `PastEndError` if it ends within. */
  async startsWith(signature: string): Promise<boolean> {
    const start = (await this.readStart(signature.length)).toString('latin1');
    if (start.length < signature.length && signature.startsWith(start)) throw new PastEndError();
    return start === signature;
  }
}

/** Returns null for a read past the readable part; rethrows other errors. */
export async function unlessRefused<Value>(file: FileBytes, value: Promise<Value>): Promise<Value | null> {
  try {
    return await value;
  } catch (error) {
    if (error instanceof ReadLimitError && file.wasRefused) return null;
    throw error;
  }
}

/** Bytes checked for zeros at both ends. */
export const zeroProbeLength = 4_096;

/** Whether all bytes are zero. */
export const isAllZeros = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

/**
 * Reads an unsigned integer of 1, 2, 4 or 8 bytes. Eight bytes may lose precision, but suffice to compare
 * sizes.
 */
export function readUint(bytes: Buffer, offset: number, size: number, littleEndian = true): number {
  if (size !== 8) return littleEndian ? bytes.readUIntLE(offset, size) : bytes.readUIntBE(offset, size);
  const [lowOffset, highOffset] = littleEndian ? [offset, offset + 4] : [offset + 4, offset];
  return readUint(bytes, lowOffset, 4, littleEndian) + readUint(bytes, highOffset, 4, littleEndian) * 2 ** 32;
}
