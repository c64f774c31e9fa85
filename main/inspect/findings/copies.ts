import { hashOf } from '../../files/hash-of.ts';
import { HashTable } from '../../files/walk/key-hashes.ts';

/** Added to the place of a file that is among what was found already. */
const told = 2 ** 31;

/**
 * Files of the same name and size, by a hash of both of 53 bits: some 25 bytes for each of a million, where
 * their keys in a map take 90. Two that differ are taken for copies in one source of a million in 20,000.
 */
export class Copies {
  /** With the place of the first file that has it. */
  readonly #firsts = new HashTable({ withNumbers: true });
  readonly #found: number[] = [];

  /** Places of files of which there is more than one, in the order in which that was found. */
  get found(): readonly number[] {
    return this.#found;
  }

  /** `place`: where the file is in the source, below 2^31. */
  add(key: string, size: number, place: number): void {
    const name = key.slice(key.lastIndexOf('/') + 1).toLowerCase();
    const hash = hashOf(name, size % 2 ** 32) || 1;
    const first = this.#firsts.add(hash, place);
    if (first === undefined) return;
    if (first < told) {
      this.#found.push(first);
      this.#firsts.set(hash, first + told);
    }
    this.#found.push(place);
  }
}
