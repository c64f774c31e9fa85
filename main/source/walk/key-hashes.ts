/**
 * Which keys there are, for any number of them: hashes of 53 bits, side by side, some 17 bytes for each of a
 * million. Two keys of one hash are taken for one key, which happens in one source of a million in 20,000.
 */
export class KeyHashes {
  /** Each at the place that it tells, the next free one where that is taken; 0: free. */
  #places = new Float64Array(1_024);
  #count = 0;

  /** Whether it is another than all before. */
  add(key: string): boolean {
    if (this.#count * 2 >= this.#places.length) this.#grow();
    const hash = hashOf(key);
    const at = placeIn(this.#places, hash);
    if (this.#places[at] === hash) return false;
    this.#places[at] = hash;
    this.#count += 1;
    return true;
  }

  has(key: string): boolean {
    const hash = hashOf(key);
    return this.#places[placeIn(this.#places, hash)] === hash;
  }

  #grow(): void {
    const larger = new Float64Array(this.#places.length * 2);
    for (const hash of this.#places) if (hash !== 0) larger[placeIn(larger, hash)] = hash;
    this.#places = larger;
  }
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
