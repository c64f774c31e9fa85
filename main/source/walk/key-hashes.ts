/**
 * Which keys there are, for any number of them: hashes of 53 bits, side by side, some 17 bytes for each of a
 * million. Two keys of one hash are taken for one key, which happens in one source of a million in 20,000.
 */
export class KeyHashes {
  /** By their remainders, the next free place where that is taken; 0: free. */
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

/** Where it is, or would be. There is always a free place. */
function placeIn(places: Float64Array, hash: number): number {
  let at = hash % places.length;
  while (places[at] !== 0 && places[at] !== hash) at = (at + 1) % places.length;
  return at;
}

/** cyrb53 (public domain, github.com/bryc/code): two lanes of 32 bits, of which 53 are kept. Never 0. */
function hashOf(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 1 + 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
}
