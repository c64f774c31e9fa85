/**
 * Returns a 53-bit hash; 100,000 texts collide with a chance of one in two million. As a map key it takes a
 * third of the text's memory. Mixes like MurmurHash3, twice, over UTF-16 units; doesn't resist deliberate
 * collisions.
 *
 * @param seed selects another hash function
 */
export function hashOf(text: string, seed = 0): number {
  // XOR mixes in the seed; otherwise seed and first unit would be interchangeable.
  let lowBits = Math.imul(0xdeadbeef ^ seed, 0x85ebca6b);
  let highBits = Math.imul(0x41c6ce57 ^ seed, 0xc2b2ae35);
  lowBits ^= lowBits >>> 15;
  highBits ^= highBits >>> 13;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    lowBits = Math.imul(lowBits ^ unit, 0x9e3779b1);
    highBits = Math.imul(highBits ^ unit, 0x5f356495);
  }
  lowBits =
    Math.imul(lowBits ^ (lowBits >>> 16), 0x85ebca6b) ^ Math.imul(highBits ^ (highBits >>> 13), 0xc2b2ae35);
  highBits =
    Math.imul(highBits ^ (highBits >>> 16), 0x85ebca6b) ^ Math.imul(lowBits ^ (lowBits >>> 13), 0xc2b2ae35);
  return (highBits >>> 11) * 2 ** 32 + (lowBits >>> 0);
}
