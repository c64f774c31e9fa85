import { hash } from 'node:crypto';
import { crc32 } from './crc32-fold.ts';
import { RunningMd5 } from './running-md5.ts';

/** Which checksums of bytes are wanted. */
export interface WantedSums {
  readonly md5: boolean;
  readonly crc32: boolean;
}

/** Null for what was not wanted. */
export interface Sums {
  readonly md5: Buffer | null;
  readonly crc32: number | null;
}

/** Of bytes that are all there: for small ones this costs much less than piece by piece. */
export function sumsOf(bytes: Buffer, wanted: WantedSums): Sums {
  return {
    md5: wanted.md5 ? hash('md5', bytes, 'buffer') : null,
    crc32: wanted.crc32 ? crc32(bytes) : null,
  };
}

/** Checksums of bytes that come piece by piece. */
export class RunningSums {
  readonly #md5: RunningMd5 | null;
  #crc32: number | null;

  constructor(wanted: WantedSums) {
    this.#md5 = wanted.md5 ? new RunningMd5() : null;
    this.#crc32 = wanted.crc32 ? 0 : null;
  }

  /** Ends when the bytes are no more needed. One after the other. */
  async update(bytes: Buffer): Promise<void> {
    if (this.#crc32 !== null) this.#crc32 = crc32(bytes, this.#crc32);
    await this.#md5?.update(bytes);
  }

  /** Once, at the end. */
  end(): Sums {
    return { md5: this.#md5?.digest() ?? null, crc32: this.#crc32 };
  }
}
