import { hashOf } from '../../files/hash-of.ts';

/** Files created on access: 100,000 objects would take much memory. */
export interface FilesNamed extends Iterable<FileNamed> {
  readonly length: number;
  at(place: number): FileNamed | undefined;
}

interface FileNamed {
  readonly key: string;
  readonly size: number;
}

/**
 * Finds files by lower-case key. Stores only indexes, as half a million rasters may each have a world file.
 */
export class KeysInLowerCase {
  readonly #files: Pick<FilesNamed, 'at'>;
  /** Open addressing by hash: index + 1, 0 if free; at most half full. */
  readonly #slots: Uint32Array;
  /** Further bits of the hash, to skip most key comparisons. */
  readonly #checks: Uint8Array;

  constructor(files: Pick<FilesNamed, 'at'>, indices: readonly number[]) {
    this.#files = files;
    const room = 2 ** Math.ceil(Math.log2(2 * indices.length + 1));
    this.#slots = new Uint32Array(room);
    this.#checks = new Uint8Array(room);
    for (const index of indices) {
      const low = files.at(index)?.key.toLowerCase() ?? '';
      const hash = hashOf(low);
      const slot = this.#slotOf(low, hash);
      this.#slots[slot] = index + 1;
      this.#checks[slot] = checkOf(hash);
    }
  }

  /** Returns the last of several. */
  get(low: string): number | undefined {
    const taken = this.#slots[this.#slotOf(low, hashOf(low))] ?? 0;
    return taken === 0 ? undefined : taken - 1;
  }

  /** Returns the key's slot or the free slot for it. */
  #slotOf(low: string, hash: number): number {
    const [last, check] = [this.#slots.length - 1, checkOf(hash)];
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const taken = this.#slots[slot] ?? 0;
      if (taken === 0) return slot;
      if (this.#checks[slot] === check && this.#files.at(taken - 1)?.key.toLowerCase() === low) return slot;
    }
  }
}

const checkOf = (hash: number): number => Math.floor(hash / 2 ** 32) & 0xff;
