/**
 * Returns a 53-bit hash; 100,000 texts collide with a chance of one in two million. As a map key it takes a
 * third of the text's memory. Mixes like MurmurHash3, twice, over UTF-16 units; doesn't resist deliberate
 * collisions.
 *
 * @param seed selects another hash function
 */
export function hashOf(text: string, seed = 0): number {
  // XOR mixes in the seed; otherwise seed and first unit would be interchangeable.
  let low = Math.imul(0xdeadbeef ^ seed, 0x85ebca6b);
  let high = Math.imul(0x41c6ce57 ^ seed, 0xc2b2ae35);
  low ^= low >>> 15;
  high ^= high >>> 13;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x9e3779b1);
    high = Math.imul(high ^ unit, 0x5f356495);
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
