/** CRC-32 (ISO 3309, zlib, S3), reflected. */
const polynomial = 0xedb88320;

/** Formats a CRC32 as S3 does: big-endian bytes in Base64. */
export function crc32Text(crc: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc >>> 0);
  return bytes.toString('base64');
}

/** Parses S3's form; null if malformed. */
export function parseCrc32(text: string | undefined): number | null {
  if (text === undefined || !/^[A-Za-z0-9+/]{6}==$/.test(text)) return null;
  const crc = Buffer.from(text, 'base64').readUInt32BE();
  return crc32Text(crc) === text ? crc : null;
}

/** Combines the CRC32s of consecutive runs without reading their bytes. */
export function crc32Of(runs: Iterable<{ readonly crc32: number; readonly size: number }>): number {
  let combinedCrc = 0;
  for (const { crc32, size } of runs) combinedCrc = (multiply(afterZeros(size), combinedCrc) ^ crc32) >>> 0;
  return combinedCrc;
}

/** Over GF(2), modulo CRC-32's polynomial. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shiftedCrc = b;
  for (let bit = 0x80000000; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shiftedCrc;
    shiftedCrc = shiftedCrc & 1 ? (shiftedCrc >>> 1) ^ polynomial : shiftedCrc >>> 1;
  }
  return product >>> 0;
}

/** x to the power of 2^index. */
const powers = Array.from({ length: 64 }, () => 0);
powers[0] = 0x40000000;
for (let index = 1; index < powers.length; index++)
  powers[index] = multiply(powers[index - 1] ?? 0, powers[index - 1] ?? 0);

const unit = 0x80000000;
const bitsOfByte = 3;

/** The factor that appends this many zero bytes to a CRC. */
function afterZeros(bytes: number): number {
  let factor = unit;
  for (
    let bytesLeft = bytes, index = bitsOfByte;
    bytesLeft > 0;
    bytesLeft = Math.floor(bytesLeft / 2), index++
  )
    if (bytesLeft % 2 === 1) factor = multiply(powers[index] ?? 0, factor);
  return factor;
}
