import { hashOf } from '../../files/hash-of.ts';

/** Files created on access: 100,000 objects would take much memory. */
export interface IndexedFiles extends Iterable<FileNamed> {
  readonly length: number;
  at(index: number): FileNamed | undefined;
}

interface FileNamed {
  readonly key: string;
  readonly size: number;
}

/**
 * Finds files by lower-case key. Stores only indexes, as half a million rasters may each have a world file.
 */
export class LowerCaseKeyIndex {
  readonly #files: Pick<IndexedFiles, 'at'>;
  /** Open addressing by hash: index + 1, 0 if free; at most half full. */
  readonly #slots: Uint32Array;
  /** Further bits of the hash, to skip most key comparisons. */
  readonly #checks: Uint8Array;

  constructor(files: Pick<IndexedFiles, 'at'>, indices: readonly number[]) {
    this.#files = files;
    const slotCount = 2 ** Math.ceil(Math.log2(2 * indices.length + 1));
    this.#slots = new Uint32Array(slotCount);
    this.#checks = new Uint8Array(slotCount);
    for (const index of indices) {
      const lowerCaseKey = files.at(index)?.key.toLowerCase() ?? '';
      const hash = hashOf(lowerCaseKey);
      const slot = this.#slotOf(lowerCaseKey, hash);
      this.#slots[slot] = index + 1;
      this.#checks[slot] = checkOf(hash);
    }
  }

  /** Returns the last of several. */
  get(lowerCaseKey: string): number | undefined {
    const storedIndex = this.#slots[this.#slotOf(lowerCaseKey, hashOf(lowerCaseKey))] ?? 0;
    return storedIndex === 0 ? undefined : storedIndex - 1;
  }

  /** Returns the key's slot or the free slot for it. */
  #slotOf(lowerCaseKey: string, hash: number): number {
    const [slotMask, hashCheck] = [this.#slots.length - 1, checkOf(hash)];
    for (let slot = hash & slotMask; ; slot = (slot + 1) & slotMask) {
      const storedIndex = this.#slots[slot] ?? 0;
      if (storedIndex === 0) return slot;
      if (
        this.#checks[slot] === hashCheck &&
        this.#files.at(storedIndex - 1)?.key.toLowerCase() === lowerCaseKey
      )
        return slot;
    }
  }
}

const checkOf = (hash: number): number => Math.floor(hash / 2 ** 32) & 0xff;
