/**
 * Which keys there are, for any number of them: hashes of 53 bits, side by side, some 17 bytes for each of a
 * million. Two keys of one hash are taken for one key, which happens in one source of a million in 20,000.
 */
export class KeyHashes {
  readonly #hashes = new HashTable();

  /** Whether it is another than all before. */
  add(key: string): boolean {
    return this.#hashes.add(hashOf(key), 0) === undefined;
  }

  has(key: string): boolean {
    return this.#hashes.has(hashOf(key));
  }
}

/** Parts of a table: of a million hashes one of them grows within a millisecond, where all would take 50. */
const partsOfTable = 64;
/** Places of a part that has just been begun; a power of two, as all numbers of places. */
const leastPlaces = 16;

/** Hashes of 53 bits, and a number for each where they are to have one, in parts that grow by themselves. */
export class HashTable {
  readonly #parts: Part[] = [];
  readonly #withNumbers: boolean;

  /** `withNumbers`: 4 bytes more for each place. Without, all are 0. */
  constructor({ withNumbers = false } = {}) {
    this.#withNumbers = withNumbers;
  }

  /**
   * The number of this hash if it is there already; undefined if it has been added with this one.
   *
   * @param hash from 1 to 2^53, evenly spread
   * @param number below 2^32
   */
  add(hash: number, number: number): number | undefined {
    const which = partOf(hash);
    let part = this.#parts[which];
    if (!part || part.count * 2 >= part.hashes.length) {
      part = larger(part, this.#withNumbers);
      this.#parts[which] = part;
    }
    const at = placeIn(part.hashes, hash);
    if (part.hashes[at] === hash) return part.numbers?.[at] ?? 0;
    part.hashes[at] = hash;
    if (part.numbers) part.numbers[at] = number;
    part.count += 1;
    return undefined;
  }

  has(hash: number): boolean {
    const part = this.#parts[partOf(hash)];
    return part !== undefined && part.hashes[placeIn(part.hashes, hash)] === hash;
  }

  /** Gives another number to a hash that is there. */
  set(hash: number, number: number): void {
    const part = this.#parts[partOf(hash)];
    if (part?.numbers) part.numbers[placeIn(part.hashes, hash)] = number;
  }
}

interface Part {
  /** Each at the place that it tells, the next free one where that is taken; 0: free. */
  readonly hashes: Float64Array;
  /** Beside them. */
  readonly numbers: Uint32Array | null;
  count: number;
}

/** By bits that `placeIn` looks at in parts of 2^26 places alone. */
const partOf = (hash: number): number => (hash / 2 ** 47) & (partsOfTable - 1);

function larger(part: Part | undefined, withNumbers: boolean): Part {
  const hashes = new Float64Array(part ? part.hashes.length * 2 : leastPlaces);
  const numbers = withNumbers ? new Uint32Array(hashes.length) : null;
  for (let from = 0; from < (part?.hashes.length ?? 0); from++) {
    const hash = part?.hashes[from] ?? 0;
    if (hash === 0) continue;
    const at = placeIn(hashes, hash);
    hashes[at] = hash;
    if (numbers) numbers[at] = part?.numbers?.[from] ?? 0;
  }
  return { hashes, numbers, count: part?.count ?? 0 };
}

/**
 * Where it is, or would be: there is always a free place. Their number is a power of two, so that bits of the
 * first hash tell where to look first; the remainder of 53 bits would take as long as the hash itself.
 */
function placeIn(places: Float64Array, hash: number): number {
  const last = places.length - 1;
  let at = (hash / 2 ** 21) & last;
  while (places[at] !== 0 && places[at] !== hash) at = (at + 1) & last;
  return at;
}

/**
 * Two hashes of FNV's kind (RFC 9923: exclusive or, then times a prime), begun and multiplied differently:
 * all of the first and the upper bits of the second, which depend on every sign. Never 0.
 */
function hashOf(key: string): number {
  let [first, second] = [2_166_136_261, 84_696_351];
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    first = Math.imul(first ^ unit, 16_777_619);
    second = Math.imul((second ^ unit) + (second >>> 15), 1_540_483_477);
  }
  return 1 + (first >>> 0) * 2 ** 21 + (second >>> 11);
}
