/** CRC-32 as ISO 3309, zlib and S3 have it, reflected. */
const polynomial = 0xedb88320;

/** The form in which S3 writes a CRC32: its four bytes, the highest first, in Base64. */
export function crc32Text(crc: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc >>> 0);
  return bytes.toString('base64');
}

/** The number in that text; null where it is no such text. */
export function parseCrc32(text: string | undefined): number | null {
  if (text === undefined || !/^[A-Za-z0-9+/]{6}==$/.test(text)) return null;
  const crc = Buffer.from(text, 'base64').readUInt32BE();
  return crc32Text(crc) === text ? crc : null;
}

/**
 * The CRC32 of bytes that lie one after the other, of which each run's is known: without reading them again.
 * `size`: bytes of a run.
 */
export function crc32Of(runs: Iterable<{ readonly crc32: number; readonly size: number }>): number {
  let whole = 0;
  for (const { crc32, size } of runs) whole = (multiply(afterZeros(size), whole) ^ crc32) >>> 0;
  return whole;
}

/** The product of two polynomials over GF(2), modulo the one of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = 0x80000000; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ polynomial : shifted >>> 1;
  }
  return product >>> 0;
}

/** x to the power of 2 to the power of the index. */
const powers = Array.from({ length: 64 }, () => 0);
powers[0] = 0x40000000;
for (let index = 1; index < powers.length; index++)
  powers[index] = multiply(powers[index - 1] ?? 0, powers[index - 1] ?? 0);

const one = 0x80000000;
const bitsOfByte = 3;

/** What a CRC is multiplied by when so many bytes follow it. */
function afterZeros(bytes: number): number {
  let factor = one;
  for (let left = bytes, index = bitsOfByte; left > 0; left = Math.floor(left / 2), index++)
    if (left % 2 === 1) factor = multiply(powers[index] ?? 0, factor);
  return factor;
}
