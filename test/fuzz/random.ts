/** Seeded random numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below `end`. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixedBits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixedBits ^= mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), mixedBits | 61);
    return Math.floor((((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  pickOne<ItemType>(items: readonly ItemType[]): ItemType {
    return items[this.below(items.length)] as ItemType;
  }
}
