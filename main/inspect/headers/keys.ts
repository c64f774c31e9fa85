import { hashOf } from '../../files/hash-of.ts';

/** Files of a source, each made when it is asked for: 100,000 of them as objects would take much memory. */
export interface FilesNamed extends Iterable<FileNamed> {
  readonly length: number;
  /** Undefined past the end. */
  at(place: number): FileNamed | undefined;
}

interface FileNamed {
  readonly key: string;
  readonly size: number;
}

/**
 * Some of the files of a source, to be found by their keys in lower case. It holds indices alone: beside each
 * of half a million rasters there may be a world file.
 */
export class KeysInLowerCase {
  readonly #files: Pick<FilesNamed, 'at'>;
  /** By hash, or in the next that is free: one more than the index, 0 where none is: in half of them. */
  readonly #slots: Uint32Array;
  /** Of another part of the hash: tells most others apart without their keys. */
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

  /** Index of the one that is this in lower case: of several the last. */
  get(low: string): number | undefined {
    const taken = this.#slots[this.#slotOf(low, hashOf(low))] ?? 0;
    return taken === 0 ? undefined : taken - 1;
  }

  /** Where it is, or may be put. */
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
