import { createHash, hash } from 'node:crypto';
import type { SourceFile } from './model.ts';

type FingerprintFacts = Pick<SourceFile, 'key' | 'size' | 'mtimeMs'>;

/** Fingerprint of keys, sizes and modification times (whole ms) in any order. 64 hex digits. */
export function fingerprintOf(files: Iterable<FingerprintFacts>): string {
  const fingerprint = new Fingerprint();
  for (const file of files) fingerprint.add(lineOf(file));
  return fingerprint.digest();
}

export const lineOf = ({ key, size, mtimeMs }: FingerprintFacts): string =>
  `${key}\0${size}\0${Math.floor(mtimeMs)}`;

/**
 * Incremental fingerprint, since 100,000 files at once would block the main thread. Sums hashes, so that
 * order doesn't matter. Resists chance, not deliberate collisions.
 */
export class Fingerprint {
  readonly #sum = new Uint32Array(8);
  #count = 0;

  add(line: string): void {
    const digest = hash('sha256', line, 'buffer');
    for (let lane = 0; lane < this.#sum.length; lane++) {
      this.#sum[lane] = (this.#sum[lane] ?? 0) + digest.readUInt32LE(lane * 4);
    }
    this.#count++;
  }

  digest(): string {
    return createHash('sha256')
      .update(`${this.#sum.join(' ')} ${this.#count}`)
      .digest('hex');
  }
}
