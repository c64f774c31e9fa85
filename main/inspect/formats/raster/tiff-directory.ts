import { type FileBytes, PastEndError, readUint } from '../base/file-bytes.ts';

/** Layout of TIFF 6.0 and BigTIFF (8-byte offsets). */
export interface TiffLayout {
  readonly littleEndian: boolean;
  readonly countSize: 2 | 8;
  readonly entrySize: 12 | 20;
  readonly offsetSize: 4 | 8;
  readonly headerEnd: number;
  /** Offset; 0 if none. */
  readonly firstDirectory: number;
}

export interface TiffField {
  readonly type: number;
  readonly count: number;
  /** Offset of the values. */
  readonly offset: number;
}

export interface TiffDirectory {
  readonly fields: ReadonlyMap<number, TiffField>;
  /** Offset; 0 if none. */
  readonly nextDirectory: number;
}

type ReadValue = (bytes: Buffer, offset: number, littleEndian: boolean) => number;

const readWhole =
  (size: 1 | 2 | 4 | 8): ReadValue =>
  (bytes, offset, littleEndian) =>
    readUint(bytes, offset, size, littleEndian);
const readSigned =
  (size: 1 | 2 | 4): ReadValue =>
  (bytes, offset, littleEndian) =>
    littleEndian ? bytes.readIntLE(offset, size) : bytes.readIntBE(offset, size);
const readFraction =
  (read: ReadValue): ReadValue =>
  (bytes, offset, littleEndian) =>
    read(bytes, offset, littleEndian) / read(bytes, offset + 4, littleEndian);

/** By type. */
const fieldTypes: Readonly<Record<number, readonly [size: 1 | 2 | 4 | 8, read: ReadValue]>> = {
  1: [1, readWhole(1)],
  2: [1, readWhole(1)],
  3: [2, readWhole(2)],
  4: [4, readWhole(4)],
  5: [8, readFraction(readWhole(4))],
  6: [1, readSigned(1)],
  7: [1, readWhole(1)],
  8: [2, readSigned(2)],
  9: [4, readSigned(4)],
  10: [8, readFraction(readSigned(4))],
  11: [
    4,
    (bytes, offset, littleEndian) => (littleEndian ? bytes.readFloatLE(offset) : bytes.readFloatBE(offset)),
  ],
  12: [
    8,
    (bytes, offset, littleEndian) => (littleEndian ? bytes.readDoubleLE(offset) : bytes.readDoubleBE(offset)),
  ],
  13: [4, readWhole(4)],
  16: [8, readWhole(8)],
  17: [8, readWhole(8)],
  18: [8, readWhole(8)],
};
/** Real ones have a few dozen. */
const maxFields = 4_096;
/** Values per read. */
export const maxValues = 4_096;

/** Returns null if it isn't a TIFF. Throws `PastEndError`, `ReadLimitError`, like all functions here. */
export async function readTiffHeader(file: FileBytes): Promise<TiffLayout | null> {
  const order = (await file.readStart(2)).toString('latin1');
  if (order === 'I' || order === 'M') throw new PastEndError();
  if (order !== 'II' && order !== 'MM') return null;
  const littleEndian = order === 'II';
  const version = readUint(await file.read(0, 4), 2, 2, littleEndian);
  if (version !== 42 && version !== 43) return null;
  const isBigTiff = version === 43;
  const [firstOffset, offsetSize] = isBigTiff ? ([8, 8] as const) : ([4, 4] as const);
  return {
    littleEndian,
    offsetSize,
    countSize: isBigTiff ? 8 : 2,
    entrySize: isBigTiff ? 20 : 12,
    headerEnd: firstOffset + offsetSize,
    firstDirectory: readUint(await file.read(firstOffset, offsetSize), 0, offsetSize, littleEndian),
  };
}

/** Returns no fields if there are too many. Doesn't check that values are in the file. */
export async function readTiffDirectory(
  file: FileBytes,
  layout: TiffLayout,
  offset: number,
): Promise<TiffDirectory> {
  const { littleEndian, countSize, entrySize, offsetSize } = layout;
  const count = readUint(await file.read(offset, countSize), 0, countSize, littleEndian);
  const fields = new Map<number, TiffField>();
  const length = count * entrySize;
  file.requireRange(offset, countSize + length + offsetSize);
  if (count > maxFields) return { fields, nextDirectory: 0 };
  const entries = await file.read(offset + countSize, length + offsetSize);
  for (let entry = 0; entry < length; entry += entrySize) {
    const type = readUint(entries, entry + 2, 2, littleEndian);
    const values = readUint(entries, entry + 4, offsetSize, littleEndian);
    const valueOffset = entry + 4 + offsetSize;
    const isInline = values * sizeOfType(type) <= offsetSize;
    fields.set(readUint(entries, entry, 2, littleEndian), {
      type,
      count: values,
      offset: isInline
        ? offset + countSize + valueOffset
        : readUint(entries, valueOffset, offsetSize, littleEndian),
    });
  }
  return { fields, nextDirectory: readUint(entries, length, offsetSize, littleEndian) };
}

/** Bytes; 0 for an unknown type. */
export const sizeOfType = (type: number): number => fieldTypes[type]?.[0] ?? 0;

/** Reads a field (0/0 as NaN); null for an unknown type or more than `maxValues`. */
export async function readTiffNumbers(
  file: FileBytes,
  { littleEndian }: TiffLayout,
  { type, count, offset }: TiffField,
  firstValue = 0,
  valueCount = count,
): Promise<readonly number[] | null> {
  const [size, read] = fieldTypes[type] ?? [];
  if (size === undefined || read === undefined || valueCount > maxValues) return null;
  const bytes = await file.read(offset + firstValue * size, size * valueCount);
  return Array.from({ length: valueCount }, (_, index) => read(bytes, index * size, littleEndian));
}

const maxTextLength = 4_096;

/** Reads up to 4,096 bytes; null if it isn't text. */
export async function readTiffText(
  file: FileBytes,
  { type, count, offset }: TiffField,
): Promise<string | null> {
  const [ascii, bytes] = [2, 1];
  if (type !== ascii && type !== bytes) return null;
  return (await file.read(offset, Math.min(count, maxTextLength))).toString('latin1');
}
