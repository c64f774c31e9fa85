import { hashOf } from '../../files/hash-of.ts';

/** Keys of a source, in the order of its files: a list of them, or what makes each when it is asked for. */
export interface Keys extends Iterable<string> {
  readonly length: number;
  /** Undefined past the end. */
  at(index: number): string | undefined;
}

/** Texts that came as one, each followed by a NUL, which none holds: each is made when it is asked for. */
export class Texts implements Keys {
  readonly length: number;
  readonly #all: string;
  /** Where each begins, and where one after the last would. */
  readonly #starts: Uint32Array;

  constructor(all: string, length: number) {
    this.length = length;
    this.#all = all;
    this.#starts = new Uint32Array(length + 1);
    let start = 0;
    for (let at = 1; at <= length; at++) {
      start = all.indexOf('\0', start) + 1;
      this.#starts[at] = start;
    }
  }

  /** Undefined past the end. */
  at(place: number): string | undefined {
    const [start, next] = [this.#starts[place], this.#starts[place + 1]];
    return start === undefined || next === undefined ? undefined : this.#all.slice(start, next - 1);
  }

  *[Symbol.iterator](): Generator<string> {
    for (let at = 0; at < this.length; at++) yield this.at(at) ?? '';
  }
}

/**
 * Some of the keys, to be found by what they are in lower case. It holds indices alone: beside each of half a
 * million rasters there may be a world file.
 */
export class KeysInLowerCase {
  readonly #keys: Keys;
  /** By hash, or in the next that is free: one more than the index, 0 where none is: in half of them. */
  readonly #slots: Uint32Array;
  /** Of another part of the hash: tells most others apart without their keys. */
  readonly #checks: Uint8Array;

  constructor(keys: Keys, indices: readonly number[]) {
    this.#keys = keys;
    const room = 2 ** Math.ceil(Math.log2(2 * indices.length + 1));
    this.#slots = new Uint32Array(room);
    this.#checks = new Uint8Array(room);
    for (const index of indices) {
      const low = keys.at(index)?.toLowerCase() ?? '';
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
      if (this.#checks[slot] === check && this.#keys.at(taken - 1)?.toLowerCase() === low) return slot;
    }
  }
}

const checkOf = (hash: number): number => Math.floor(hash / 2 ** 32) & 0xff;
