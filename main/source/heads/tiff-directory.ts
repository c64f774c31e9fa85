import type { FilePieces } from './file-pieces.ts';

/** Where and how a TIFF's values stand: TIFF 6.0, and BigTIFF, whose offsets have eight bytes. */
export interface TiffLayout {
  /** Where the TIFF begins in the file; offsets count from there. Not 0 inside a JPEG. */
  readonly base: number;
  readonly littleEndian: boolean;
  readonly big: boolean;
}

export interface TiffField {
  readonly type: number;
  readonly count: number;
  /** Where in the file its values begin. */
  readonly at: number;
}

export type TiffDirectory = ReadonlyMap<number, TiffField>;

const sizeOfType: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  18: 8,
};
/** Real directories hold a few dozen fields. */
const mostFields = 1_000;
const mostValues = 4_096;

/** The layout and the place of the first directory; null for what is no TIFF. */
export function readTiffHeader(
  file: FilePieces,
  base: number,
): (TiffLayout & { readonly first: number }) | null {
  const head = file.take(base, 8);
  const order = head?.toString('latin1', 0, 2);
  if (!head || (order !== 'II' && order !== 'MM')) return null;
  const littleEndian = order === 'II';
  const magic = unsigned(head, 2, 2, littleEndian);
  if (magic === 42) {
    return { base, littleEndian, big: false, first: base + unsigned(head, 4, 4, littleEndian) };
  }
  const offset = magic === 43 ? file.take(base + 8, 8) : null;
  return offset && { base, littleEndian, big: true, first: base + unsigned(offset, 0, 8, littleEndian) };
}

/** The fields of the directory at a place of the file; null when it can't be read. */
export function readTiffDirectory(file: FilePieces, layout: TiffLayout, at: number): TiffDirectory | null {
  const { base, littleEndian, big } = layout;
  const [countSize, entrySize, offsetSize] = big ? [8, 20, 8] : [2, 12, 4];
  const counted = file.take(at, countSize);
  if (!counted) return null;
  const count = unsigned(counted, 0, countSize, littleEndian);
  if (count === 0 || count > mostFields) return null;
  const entries = file.take(at + countSize, count * entrySize);
  if (!entries) return null;
  const fields = new Map<number, TiffField>();
  for (let index = 0; index < count; index++) {
    const from = index * entrySize;
    const type = unsigned(entries, from + 2, 2, littleEndian);
    const values = unsigned(entries, from + 4, offsetSize, littleEndian);
    const place = from + 4 + offsetSize;
    const inside = values * (sizeOfType[type] ?? 1) <= offsetSize;
    fields.set(unsigned(entries, from, 2, littleEndian), {
      type,
      count: values,
      at: inside ? at + countSize + place : base + unsigned(entries, place, offsetSize, littleEndian),
    });
  }
  return fields;
}

/** The values of a field of whole numbers (of fractions: numerators and denominators in turn); null when they can't be read. */
export function readTiffNumbers(
  file: FilePieces,
  layout: TiffLayout,
  field: TiffField,
): readonly number[] | null {
  const whole = sizeOfType[field.type];
  if (whole === undefined || field.type === 11 || field.type === 12 || field.count > mostValues) return null;
  const [size, count] = field.type === 5 ? [4, field.count * 2] : [whole, field.count];
  const bytes = file.take(field.at, size * count);
  if (!bytes) return null;
  return Array.from({ length: count }, (_, index) =>
    unsigned(bytes, index * size, size, layout.littleEndian),
  );
}

/** @param size 1, 2, 4 or 8 bytes; of eight, what a number holds. */
function unsigned(bytes: Buffer, at: number, size: number, littleEndian: boolean): number {
  if (size === 8) return Number(littleEndian ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  return littleEndian ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
}
