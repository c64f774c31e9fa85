import { constants, inflateSync, zstdDecompressSync } from 'node:zlib';

/** Unpacks the start of TIFF pieces (TIFF 6.0, sections 9 and 13; zlib; ZSTD). */

/** Bytes per piece. */
export const maxUnpacked = 2 * 1024 * 1024;

type Unpack = (bytes: Buffer, maxLength: number, limit: number) => Buffer | null;

const unpackers: Readonly<Record<number, Unpack>> = {
  1: (bytes, maxLength) => bytes.subarray(0, maxLength),
  5: unpackLzw,
  8: inflate,
  32946: inflate,
  32773: unpackBits,
  50000: unpackZstd,
};

/** Whether this compression is supported. */
export const canUnpack = (compression: number): boolean => unpackers[compression] !== undefined;

/** Unpacks up to `maxLength` or `limit` bytes; null if invalid. */
export function unpack(
  compression: number,
  bytes: Buffer,
  maxLength: number,
  limit: number = maxUnpacked,
): Buffer | null {
  return unpackers[compression]?.(bytes, Math.min(maxLength, limit), limit) ?? null;
}

function inflate(bytes: Buffer, maxLength: number, limit: number): Buffer | null {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: limit };
    return inflateSync(bytes, options).subarray(0, maxLength);
  } catch {
    return null;
  }
}

/** Whole blocks of up to 128 KiB (RFC 8878, 3.1.1.2), so a cut piece lacks its last one. */
function unpackZstd(bytes: Buffer, maxLength: number, limit: number): Buffer | null {
  try {
    const options = { finishFlush: constants.ZSTD_e_flush, maxOutputLength: limit };
    return zstdDecompressSync(bytes, options).subarray(0, maxLength);
  } catch {
    return null;
  }
}

function unpackBits(bytes: Buffer, maxLength: number): Buffer {
  const unpacked = Buffer.alloc(maxLength);
  let [inputOffset, outputOffset] = [0, 0];
  while (inputOffset < bytes.length && outputOffset < maxLength) {
    const length = bytes.readInt8(inputOffset);
    inputOffset += 1;
    if (length >= 0) {
      const end = Math.min(inputOffset + length + 1, bytes.length);
      outputOffset += bytes.copy(unpacked, outputOffset, inputOffset, end);
      inputOffset = end;
    } else if (length !== -128 && inputOffset < bytes.length) {
      unpacked.fill(bytes[inputOffset] ?? 0, outputOffset, Math.min(outputOffset + 1 - length, maxLength));
      outputOffset = Math.min(outputOffset + 1 - length, maxLength);
      inputOffset += 1;
    }
  }
  return unpacked.subarray(0, outputOffset);
}

const [clear, end, firstTableCode, maxCodes] = [256, 257, 258, 4_096];

/** Codes of 9 to 12 bits, highest bit first; null for an invalid code. */
function unpackLzw(bytes: Buffer, maxLength: number): Buffer | null {
  const unpacked = Buffer.alloc(maxLength);
  // Table codes are ranges of the unpacked bytes.
  const [codeOffsets, codeLengths] = [new Uint32Array(maxCodes), new Uint16Array(maxCodes)];
  let [outputOffset, bitOffset, codeWidth, nextCode, previousCode] = [0, 0, 9, firstTableCode, -1];
  let [previousOffset, previousLength] = [0, 0];
  while (bitOffset + codeWidth <= bytes.length * 8 && outputOffset < maxLength) {
    const byteOffset = bitOffset >> 3;
    const nextBytes =
      ((bytes[byteOffset] ?? 0) << 16) | ((bytes[byteOffset + 1] ?? 0) << 8) | (bytes[byteOffset + 2] ?? 0);
    const code = (nextBytes >> (24 - codeWidth - (bitOffset & 7))) & ((1 << codeWidth) - 1);
    bitOffset += codeWidth;
    if (code === end) break;
    if (code === clear) {
      [codeWidth, nextCode, previousCode] = [9, firstTableCode, -1];
      continue;
    }
    const codeOffset = outputOffset;
    if (code < clear) unpacked[outputOffset++] = code;
    else {
      const isNew = code === nextCode && previousCode >= 0;
      if (!isNew && (code < firstTableCode || code >= nextCode)) return null;
      const sourceStart = isNew ? previousOffset : (codeOffsets[code] ?? 0);
      const length = Math.min(
        isNew ? previousLength + 1 : (codeLengths[code] ?? 0),
        maxLength - outputOffset,
      );
      // The range may overlap its own output.
      for (let index = 0; index < length; index++)
        unpacked[outputOffset++] = unpacked[sourceStart + index] ?? 0;
    }
    if (previousCode >= 0 && nextCode < maxCodes) {
      codeOffsets[nextCode] = previousOffset;
      codeLengths[nextCode] = previousLength + 1;
      nextCode += 1;
    }
    [previousCode, previousOffset, previousLength] = [code, codeOffset, outputOffset - codeOffset];
    if (nextCode + 1 >= 1 << codeWidth && codeWidth < 12) codeWidth += 1;
  }
  return unpacked.subarray(0, outputOffset);
}

/** Undoes differences in place (TIFF 6.0, section 14; Adobe's third predictor). */
export function undoPredictor(
  bytes: Buffer,
  predictor: number,
  { columns, bands, size, littleEndian }: RowLayout,
): void {
  const row = columns * bands * size;
  for (let rowOffset = 0; rowOffset + row <= bytes.length; rowOffset += row) {
    if (predictor === 2)
      undoDifferences(bytes.subarray(rowOffset, rowOffset + row), bands, size, littleEndian);
    else if (predictor === 3)
      joinFloats(bytes.subarray(rowOffset, rowOffset + row), bands, size, littleEndian);
  }
}

interface RowLayout {
  readonly columns: number;
  readonly bands: number;
  /** Bytes per sample: 1, 2, 4 or 8. */
  readonly size: number;
  readonly littleEndian: boolean;
}

function undoDifferences(row: Buffer, bands: number, size: number, littleEndian: boolean): void {
  for (let sampleOffset = bands * size; sampleOffset + size <= row.length; sampleOffset += size) {
    let carry = 0;
    for (let index = 0; index < size; index++) {
      const byteIndex = sampleOffset + (littleEndian ? index : size - 1 - index);
      const sum = (row[byteIndex] ?? 0) + (row[byteIndex - bands * size] ?? 0) + carry;
      row[byteIndex] = sum & 0xff;
      carry = sum >> 8;
    }
  }
}

/** The highest bytes of all samples come first. */
function joinFloats(row: Buffer, bands: number, size: number, littleEndian: boolean): void {
  for (let index = bands; index < row.length; index++)
    row[index] = ((row[index] ?? 0) + (row[index - bands] ?? 0)) & 0xff;
  const planarBytes = Buffer.from(row);
  const count = row.length / size;
  for (let sample = 0; sample < count; sample++)
    for (let index = 0; index < size; index++)
      row[sample * size + (littleEndian ? size - 1 - index : index)] =
        planarBytes[index * count + sample] ?? 0;
}
