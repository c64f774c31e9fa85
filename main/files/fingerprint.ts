import { createHash, hash } from 'node:crypto';
import type { SourceFile } from './model.ts';

type Facts = Pick<SourceFile, 'key' | 'size' | 'mtimeMs'>;

/**
 * Of keys, sizes and modification times (whole ms), in no particular order: the same for two scans that found
 * the same. 64 hex digits.
 */
export function fingerprintOf(files: Iterable<Facts>): string {
  const fingerprint = new Fingerprint();
  for (const file of files) fingerprint.add(lineOf(file));
  return fingerprint.digest();
}

export const lineOf = ({ key, size, mtimeMs }: Facts): string => `${key}\0${size}\0${Math.floor(mtimeMs)}`;

/**
 * The same, bit by bit: 100,000 files in one go would hold up the main thread. Each line is hashed and the
 * hashes are added up, so that order plays no part and nothing needs sorting. Made against chance, not
 * against someone who looks for two lists with one sum.
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
