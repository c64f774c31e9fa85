/**
 * A set of keys as 53-bit hashes, about 17 bytes each. A million keys collide with a chance of one in 20,000.
 */
export class KeyHashes {
  readonly #hashes = new HashTable();

  /** Returns false if the key was probably added before. */
  add(key: string): boolean {
    return this.#hashes.add(hashOf(key), 0) === undefined;
  }

  has(key: string): boolean {
    return this.#hashes.has(hashOf(key));
  }
}

/** One of 64 parts grows within a millisecond at a million hashes; a single table would take 50. */
const partsOfTable = 64;
/** Initial capacity; all capacities are powers of two. */
const leastPlaces = 16;

/** Maps 53-bit hashes to optional numbers, in parts that grow separately. */
export class HashTable {
  readonly #parts: Part[] = [];
  readonly #withNumbers: boolean;

  /** `withNumbers`: takes 4 more bytes per slot; otherwise all numbers are 0. */
  constructor({ withNumbers = false } = {}) {
    this.#withNumbers = withNumbers;
  }

  /**
   * Returns the number of an existing hash, or adds it and returns undefined.
   *
   * @param hash from 1 to 2^53, evenly distributed
   * @param number below 2^32
   */
  add(hash: number, number: number): number | undefined {
    const which = partOf(hash);
    let part = this.#parts[which];
    if (!part || part.count * 2 >= part.hashes.length) {
      part = enlarge(part, this.#withNumbers);
      this.#parts[which] = part;
    }
    const index = placeIn(part.hashes, hash);
    if (part.hashes[index] === hash) return part.numbers?.[index] ?? 0;
    part.hashes[index] = hash;
    if (part.numbers) part.numbers[index] = number;
    part.count += 1;
    return undefined;
  }

  has(hash: number): boolean {
    const part = this.#parts[partOf(hash)];
    return part !== undefined && part.hashes[placeIn(part.hashes, hash)] === hash;
  }

  set(hash: number, number: number): void {
    const part = this.#parts[partOf(hash)];
    if (part?.numbers) part.numbers[placeIn(part.hashes, hash)] = number;
  }
}

interface Part {
  /** Open addressing; 0 is free. */
  readonly hashes: Float64Array;
  readonly numbers: Uint32Array | null;
  count: number;
}

/** Uses bits that `placeIn` needs only in parts of 2^26 slots. */
const partOf = (hash: number): number => (hash / 2 ** 47) & (partsOfTable - 1);

function enlarge(part: Part | undefined, withNumbers: boolean): Part {
  const hashes = new Float64Array(part ? part.hashes.length * 2 : leastPlaces);
  const numbers = withNumbers ? new Uint32Array(hashes.length) : null;
  for (let place = 0; place < (part?.hashes.length ?? 0); place++) {
    const hash = part?.hashes[place] ?? 0;
    if (hash === 0) continue;
    const index = placeIn(hashes, hash);
    hashes[index] = hash;
    if (numbers) numbers[index] = part?.numbers?.[place] ?? 0;
  }
  return { hashes, numbers, count: part?.count ?? 0 };
}

/**
 * Returns the slot of the hash or a free one, which always exists. Powers of two avoid the slow remainder of
 * 53 bits.
 */
function placeIn(places: Float64Array, hash: number): number {
  const mask = places.length - 1;
  let slot = (hash / 2 ** 21) & mask;
  while (places[slot] !== 0 && places[slot] !== hash) slot = (slot + 1) & mask;
  return slot;
}

/**
 * Combines two FNV-like hashes (RFC 9923) with different constants: all bits of the first and the upper bits
 * of the second, which depend on every character. Never 0.
 */
function hashOf(key: string): number {
  let [firstHash, second] = [2_166_136_261, 84_696_351];
  for (let index = 0; index < key.length; index++) {
    const unit = key.charCodeAt(index);
    firstHash = Math.imul(firstHash ^ unit, 16_777_619);
    second = Math.imul((second ^ unit) + (second >>> 15), 1_540_483_477);
  }
  return 1 + (firstHash >>> 0) * 2 ** 21 + (second >>> 11);
}
