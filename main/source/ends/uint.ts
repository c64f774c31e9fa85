/**
 * A whole number without sign. Of eight bytes, what a number holds: beyond that only its size against a file’s matters.
 * @param size 1, 2, 4 or 8
 */
export function uint(bytes: Buffer, at: number, size: number, littleEndian = true): number {
  if (size !== 8) return littleEndian ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  const [low, high] = littleEndian ? [at, at + 4] : [at + 4, at];
  return uint(bytes, low, 4, littleEndian) + uint(bytes, high, 4, littleEndian) * 2 ** 32;
}
