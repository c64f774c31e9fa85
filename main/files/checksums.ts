import { createHash, type Hash, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Which checksums of bytes to compute. */
export interface WantedSums {
  readonly md5: boolean;
  readonly crc32: boolean;
}

/** Checksums of bytes; null for each that was not requested. `crc32` as an unsigned integer. */
export interface Sums {
  readonly md5: Buffer | null;
  readonly crc32: number | null;
}

/** Returns the checksums of a whole buffer. Costs less than `RunningSums` for small files. */
export function sumsOf(bytes: Buffer, requestedSums: WantedSums): Sums {
  return {
    md5: requestedSums.md5 ? hash('md5', bytes, 'buffer') : null,
    crc32: requestedSums.crc32 ? crc32(bytes) : null,
  };
}

/** Checksums of bytes that arrive piece by piece. */
export class RunningSums {
  readonly #md5: Hash | null;
  #crc32: number | null;

  constructor(requestedSums: WantedSums) {
    this.#md5 = requestedSums.md5 ? createHash('md5') : null;
    this.#crc32 = requestedSums.crc32 ? 0 : null;
  }

  update(bytes: Buffer): void {
    if (this.#crc32 !== null) this.#crc32 = crc32(bytes, this.#crc32);
    this.#md5?.update(bytes);
  }

  /** Returns the checksums. Nothing can be added afterwards. */
  end(): Sums {
    return { md5: this.#md5?.digest() ?? null, crc32: this.#crc32 };
  }
}
