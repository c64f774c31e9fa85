/**
 * A field of a TIFF directory. Types: 2 ASCII, 3 short, 4 long, 5 and 10 rational (numerator, denominator),
 * 6, 8 and 9 signed, 12 double.
 */
export type TiffField = readonly [
  tag: number,
  type: 2 | 3 | 4 | 5 | 6 | 8 | 9 | 10 | 12,
  values: readonly number[],
];

interface TiffOptions {
  readonly big?: boolean;
  readonly littleEndian?: boolean;
}

const sizes = { 2: 1, 3: 2, 4: 4, 5: 4, 6: 1, 8: 2, 9: 4, 10: 4, 12: 8 } as const;

function write(target: Buffer, at: number, size: number, value: number, littleEndian: boolean): void {
  if (size === 8 && littleEndian) target.writeBigUInt64LE(BigInt(value), at);
  else if (size === 8) target.writeBigUInt64BE(BigInt(value), at);
  else if (littleEndian) target.writeUIntLE(value, at, size);
  else target.writeUIntBE(value, at, size);
}

/** The header of a TIFF whose first directory is at this byte. */
export function tiffHeader(
  directoryAt: number,
  { big: isBig = false, littleEndian = true }: TiffOptions = {},
) {
  const header = Buffer.alloc(isBig ? 16 : 8);
  header.write(littleEndian ? 'II' : 'MM', 'latin1');
  write(header, 2, 2, isBig ? 43 : 42, littleEndian);
  if (isBig) write(header, 4, 2, 8, littleEndian);
  write(header, isBig ? 8 : 4, isBig ? 8 : 4, directoryAt, littleEndian);
  return header;
}

/** A TIFF directory for this byte, and behind it the values that are too long for their entries. */
export function tiffDirectory(
  fields: readonly TiffField[],
  { at, next = 0, big: isBig = false, littleEndian = true }: TiffOptions & { at: number; next?: number },
): Buffer {
  const [countSize, entrySize, offsetSize] = isBig ? [8, 20, 8] : [2, 12, 4];
  const directory = Buffer.alloc(countSize + fields.length * entrySize + offsetSize);
  write(directory, 0, countSize, fields.length, littleEndian);
  write(directory, directory.length - offsetSize, offsetSize, next, littleEndian);
  const furtherDirectories: Buffer[] = [];
  let furtherAt = at + directory.length;
  for (const [index, [tag, type, values]] of fields.entries()) {
    const size = sizes[type];
    const bytes = Buffer.alloc(values.length * size);
    for (const [place, value] of values.entries()) {
      if (type === 12 && littleEndian) bytes.writeDoubleLE(value, place * 8);
      else if (type === 12) bytes.writeDoubleBE(value, place * 8);
      else write(bytes, place * size, size, value, littleEndian);
    }
    const entry = countSize + index * entrySize;
    const count = type === 5 || type === 10 ? values.length / 2 : values.length;
    write(directory, entry, 2, tag, littleEndian);
    write(directory, entry + 2, 2, type, littleEndian);
    write(directory, entry + 4, offsetSize, count, littleEndian);
    const place = entry + 4 + offsetSize;
    if (bytes.length <= offsetSize) bytes.copy(directory, place);
    else {
      write(directory, place, offsetSize, furtherAt, littleEndian);
      furtherDirectories.push(bytes);
      furtherAt += bytes.length;
    }
  }
  return Buffer.concat([directory, ...furtherDirectories]);
}
