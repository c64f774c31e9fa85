import { type FileBytes, PastEnd, uint } from '../base/file-bytes.ts';

/** Layout of TIFF 6.0 and BigTIFF (8-byte offsets). */
export interface TiffLayout {
  readonly littleEndian: boolean;
  readonly countSize: 2 | 8;
  readonly entrySize: 12 | 20;
  readonly offsetSize: 4 | 8;
  readonly headerEnd: number;
  /** Offset; 0 if none. */
  readonly first: number;
}

export interface TiffField {
  readonly type: number;
  readonly count: number;
  /** Offset of the values. */
  readonly at: number;
}

export interface TiffDirectory {
  readonly fields: ReadonlyMap<number, TiffField>;
  /** Offset; 0 if none. */
  readonly next: number;
}

type ReadValue = (bytes: Buffer, at: number, littleEndian: boolean) => number;

const whole =
  (size: 1 | 2 | 4 | 8): ReadValue =>
  (bytes, at, littleEndian) =>
    uint(bytes, at, size, littleEndian);
const signed =
  (size: 1 | 2 | 4): ReadValue =>
  (bytes, at, littleEndian) =>
    littleEndian ? bytes.readIntLE(at, size) : bytes.readIntBE(at, size);
const fraction =
  (read: ReadValue): ReadValue =>
  (bytes, at, littleEndian) =>
    read(bytes, at, littleEndian) / read(bytes, at + 4, littleEndian);

/** By type. */
const types: Readonly<Record<number, readonly [size: 1 | 2 | 4 | 8, read: ReadValue]>> = {
  1: [1, whole(1)],
  2: [1, whole(1)],
  3: [2, whole(2)],
  4: [4, whole(4)],
  5: [8, fraction(whole(4))],
  6: [1, signed(1)],
  7: [1, whole(1)],
  8: [2, signed(2)],
  9: [4, signed(4)],
  10: [8, fraction(signed(4))],
  11: [4, (bytes, at, little) => (little ? bytes.readFloatLE(at) : bytes.readFloatBE(at))],
  12: [8, (bytes, at, little) => (little ? bytes.readDoubleLE(at) : bytes.readDoubleBE(at))],
  13: [4, whole(4)],
  16: [8, whole(8)],
  17: [8, whole(8)],
  18: [8, whole(8)],
};
/** Real ones have a few dozen. */
const maxFields = 4_096;
/** Values per read. */
export const maxValues = 4_096;

/** Returns null if it isn't a TIFF. Throws `PastEnd`, `ReadEnough`, like all functions here. */
export async function readTiffHeader(file: FileBytes): Promise<TiffLayout | null> {
  const order = (await file.first(2)).toString('latin1');
  if (order === 'I' || order === 'M') throw new PastEnd();
  if (order !== 'II' && order !== 'MM') return null;
  const littleEndian = order === 'II';
  const version = uint(await file.take(0, 4), 2, 2, littleEndian);
  if (version !== 42 && version !== 43) return null;
  const big = version === 43;
  const [firstAt, offsetSize] = big ? ([8, 8] as const) : ([4, 4] as const);
  return {
    littleEndian,
    offsetSize,
    countSize: big ? 8 : 2,
    entrySize: big ? 20 : 12,
    headerEnd: firstAt + offsetSize,
    first: uint(await file.take(firstAt, offsetSize), 0, offsetSize, littleEndian),
  };
}

/** Returns no fields if there are too many. Doesn't check that values are in the file. */
export async function readTiffDirectory(
  file: FileBytes,
  layout: TiffLayout,
  at: number,
): Promise<TiffDirectory> {
  const { littleEndian, countSize, entrySize, offsetSize } = layout;
  const count = uint(await file.take(at, countSize), 0, countSize, littleEndian);
  const fields = new Map<number, TiffField>();
  const length = count * entrySize;
  file.need(at, countSize + length + offsetSize);
  if (count > maxFields) return { fields, next: 0 };
  const entries = await file.take(at + countSize, length + offsetSize);
  for (let entry = 0; entry < length; entry += entrySize) {
    const type = uint(entries, entry + 2, 2, littleEndian);
    const values = uint(entries, entry + 4, offsetSize, littleEndian);
    const place = entry + 4 + offsetSize;
    const isInside = values * sizeOf(type) <= offsetSize;
    fields.set(uint(entries, entry, 2, littleEndian), {
      type,
      count: values,
      at: isInside ? at + countSize + place : uint(entries, place, offsetSize, littleEndian),
    });
  }
  return { fields, next: uint(entries, length, offsetSize, littleEndian) };
}

/** Bytes; 0 for an unknown type. */
export const sizeOf = (type: number): number => types[type]?.[0] ?? 0;

/** Reads a field (0/0 as NaN); null for an unknown type or more than `maxValues`. */
export async function readTiffNumbers(
  file: FileBytes,
  { littleEndian }: TiffLayout,
  { type, count, at }: TiffField,
  from = 0,
  most = count,
): Promise<readonly number[] | null> {
  const [size, read] = types[type] ?? [];
  if (size === undefined || read === undefined || most > maxValues) return null;
  const bytes = await file.take(at + from * size, size * most);
  return Array.from({ length: most }, (_, index) => read(bytes, index * size, littleEndian));
}

const longestText = 4_096;

/** Reads up to 4,096 bytes; null if it isn't text. */
export async function readTiffText(file: FileBytes, { type, count, at }: TiffField): Promise<string | null> {
  const [ascii, bytes] = [2, 1];
  if (type !== ascii && type !== bytes) return null;
  return (await file.take(at, Math.min(count, longestText))).toString('latin1');
}
