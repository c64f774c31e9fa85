import { constants, inflateSync, zstdDecompressSync } from 'node:zlib';

/** Unpacks the start of TIFF pieces (TIFF 6.0, sections 9 and 13; zlib; ZSTD). */

/** Bytes per piece. */
export const maxUnpacked = 2 * 1024 * 1024;

const unpackers: Readonly<Record<number, (bytes: Buffer, most: number) => Buffer | null>> = {
  1: (bytes, most) => bytes.subarray(0, most),
  5: unpackLzw,
  8: inflated,
  32946: inflated,
  32773: unpackBits,
  50000: unpackZstd,
};

/** Whether this compression is supported. */
export const canUnpack = (compression: number): boolean => unpackers[compression] !== undefined;

/** Unpacks up to `most` or `maxUnpacked` bytes; null if invalid. */
export function unpack(compression: number, bytes: Buffer, most: number): Buffer | null {
  return unpackers[compression]?.(bytes, Math.min(most, maxUnpacked)) ?? null;
}

function inflated(bytes: Buffer, most: number): Buffer | null {
  try {
    return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxUnpacked }).subarray(
      0,
      most,
    );
  } catch {
    return null;
  }
}

/** Whole blocks of up to 128 KiB (RFC 8878, 3.1.1.2), so a cut piece lacks its last one. */
function unpackZstd(bytes: Buffer, most: number): Buffer | null {
  try {
    const options = { finishFlush: constants.ZSTD_e_flush, maxOutputLength: maxUnpacked };
    return zstdDecompressSync(bytes, options).subarray(0, most);
  } catch {
    return null;
  }
}

function unpackBits(bytes: Buffer, most: number): Buffer {
  const unpacked = Buffer.alloc(most);
  let [at, to] = [0, 0];
  while (at < bytes.length && to < most) {
    const length = bytes.readInt8(at);
    at += 1;
    if (length >= 0) {
      const end = Math.min(at + length + 1, bytes.length);
      to += bytes.copy(unpacked, to, at, end);
      at = end;
    } else if (length !== -128 && at < bytes.length) {
      unpacked.fill(bytes[at] ?? 0, to, Math.min(to + 1 - length, most));
      to = Math.min(to + 1 - length, most);
      at += 1;
    }
  }
  return unpacked.subarray(0, to);
}

const [clear, end, firstOwn, maxCodes] = [256, 257, 258, 4_096];

/** Codes of 9 to 12 bits, highest bit first; null for an invalid code. */
function unpackLzw(bytes: Buffer, most: number): Buffer | null {
  const unpacked = Buffer.alloc(most);
  // Table codes are ranges of the unpacked bytes.
  const [places, lengths] = [new Uint32Array(maxCodes), new Uint16Array(maxCodes)];
  let [to, bit, width, next, before] = [0, 0, 9, firstOwn, -1];
  let [lastAt, lastLength] = [0, 0];
  while (bit + width <= bytes.length * 8 && to < most) {
    const at = bit >> 3;
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const code = (three >> (24 - width - (bit & 7))) & ((1 << width) - 1);
    bit += width;
    if (code === end) break;
    if (code === clear) {
      [width, next, before] = [9, firstOwn, -1];
      continue;
    }
    const from = to;
    if (code < clear) unpacked[to++] = code;
    else {
      const isNew = code === next && before >= 0;
      if (!isNew && (code < firstOwn || code >= next)) return null;
      const place = isNew ? lastAt : (places[code] ?? 0);
      const length = Math.min(isNew ? lastLength + 1 : (lengths[code] ?? 0), most - to);
      // The range may overlap its own output.
      for (let index = 0; index < length; index++) unpacked[to++] = unpacked[place + index] ?? 0;
    }
    if (before >= 0 && next < maxCodes) {
      places[next] = lastAt;
      lengths[next] = lastLength + 1;
      next += 1;
    }
    [before, lastAt, lastLength] = [code, from, to - from];
    if (next + 1 >= 1 << width && width < 12) width += 1;
  }
  return unpacked.subarray(0, to);
}

/** Undoes differences in place (TIFF 6.0, section 14; Adobe's third predictor). */
export function undoPredictor(
  bytes: Buffer,
  predictor: number,
  { columns, bands, size, littleEndian }: RowLayout,
): void {
  const row = columns * bands * size;
  for (let at = 0; at + row <= bytes.length; at += row) {
    if (predictor === 2) addUp(bytes.subarray(at, at + row), bands, size, littleEndian);
    else if (predictor === 3) joinFloats(bytes.subarray(at, at + row), bands, size, littleEndian);
  }
}

interface RowLayout {
  readonly columns: number;
  readonly bands: number;
  /** Bytes per sample: 1, 2, 4 or 8. */
  readonly size: number;
  readonly littleEndian: boolean;
}

function addUp(row: Buffer, bands: number, size: number, littleEndian: boolean): void {
  for (let at = bands * size; at + size <= row.length; at += size) {
    let carry = 0;
    for (let index = 0; index < size; index++) {
      const place = at + (littleEndian ? index : size - 1 - index);
      const sum = (row[place] ?? 0) + (row[place - bands * size] ?? 0) + carry;
      row[place] = sum & 0xff;
      carry = sum >> 8;
    }
  }
}

/** The highest bytes of all samples come first. */
function joinFloats(row: Buffer, bands: number, size: number, littleEndian: boolean): void {
  for (let at = bands; at < row.length; at++) row[at] = ((row[at] ?? 0) + (row[at - bands] ?? 0)) & 0xff;
  const apart = Buffer.from(row);
  const count = row.length / size;
  for (let sample = 0; sample < count; sample++)
    for (let index = 0; index < size; index++)
      row[sample * size + (littleEndian ? size - 1 - index : index)] = apart[index * count + sample] ?? 0;
}
