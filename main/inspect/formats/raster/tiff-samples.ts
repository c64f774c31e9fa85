import type { FileBytes } from '../base/file-bytes.ts';
import { maxValues, readTiffNumbers, type TiffDirectory, type TiffLayout } from './tiff-directory.ts';
import { canUnpack, maxUnpacked, undoPredictor, unpack } from './unpack.ts';

/** Facts from sampled values of a band. */
export interface SampledValues {
  /** Absent with too few valid values. */
  readonly range?: readonly [least: number, most: number];
  /** The whole file has only no-data cells. */
  readonly empty?: true;
  /** A usual no-data value in many cells that the file doesn't declare. */
  readonly fill?: number;
}

/** The sample format, from the header. */
export interface SampleKind {
  readonly bits: number;
  readonly sample: 'unsigned' | 'signed' | 'float';
  readonly noData?: number;
}

const tags = { compression: 259, rowsPerStrip: 278, predictor: 317, tileWidth: 322, tileLength: 323 };
const size = { width: 256, height: 257 };
const [stripPlaces, stripLengths, tilePlaces, tileLengths] = [273, 279, 324, 325];

/** Pieces per file, and bytes of each. */
const maxPieces = 8;
const maxRead = 24 * 1024;
const minSamples = 500;
/** Share of the values. */
const minFillShare = 0.01;
/** Whether a value usually means no data. */
export const isFill = (value: number): boolean =>
  fills.has(value) || (Math.abs(value) >= 1e30 && Number.isFinite(value));
/** Not heights. Such depths don't repeat as one whole number. */
const fills = new Set([-9_999, -99_999, -999_999, -32_768, -32_767]);

/** Strips or tiles. */
interface Pieces {
  readonly offsets: readonly number[];
  readonly lengths: readonly number[];
  readonly columns: number;
  readonly rows: number;
  /** Last tiles extend past the picture. */
  readonly width: number;
  readonly height: number;
}

/**
 * Samples strips or tiles of a single band. Null if that needs long reads or fails. Throws `PastEndError`,
 * `ReadLimitError`.
 */
export async function sampleTiff(
  file: FileBytes,
  layout: TiffLayout,
  { fields }: TiffDirectory,
  kind: SampleKind,
): Promise<SampledValues | null> {
  const firstValue = async (tag: number, fallback: number) => {
    const field = fields.get(tag);
    return field ? ((await readTiffNumbers(file, layout, field, 0, 1))?.[0] ?? fallback) : fallback;
  };
  const compression = await firstValue(tags.compression, 1);
  const predictor = await firstValue(tags.predictor, 1);
  const readSample = readerOf(kind, layout.littleEndian);
  const tiffPieces = await readPieces(file, layout, fields, firstValue);
  if (!readSample || !tiffPieces || !canUnpack(compression) || predictor > 3) return null;
  const bytesEach = kind.bits / 8;
  const pieceLength = tiffPieces.columns * tiffPieces.rows * bytesEach;
  const sampledValues = new ValueStatistics(kind);
  const piecesPerRow = Math.ceil(tiffPieces.width / tiffPieces.columns);
  const chosenPieces = choosePieces(tiffPieces.offsets.length, piecesPerRow);
  const emptyLengths = new Set<number>();
  let emptyCount = 0;
  for (const index of chosenPieces) {
    const [pieceOffset = 0, length = 0] = [tiffPieces.offsets[index], tiffPieces.lengths[index]];
    if (pieceOffset === 0 || length === 0) continue;
    const packed = await file.read(pieceOffset, Math.min(length, maxRead));
    const unpacked = unpack(compression, packed, pieceLength);
    if (!unpacked) return null;
    const bytes = Buffer.from(unpacked);
    if (predictor > 1)
      undoPredictor(bytes, predictor, {
        ...{ columns: tiffPieces.columns, bands: 1, size: bytesEach },
        littleEndian: layout.littleEndian,
      });
    const row = tiffPieces.columns * bytesEach;
    const end = predictor > 1 ? bytes.length - (bytes.length % row) : bytes.length;
    let isEmpty = length <= maxRead && bytes.length > 0;
    const right = tiffPieces.width - (index % piecesPerRow) * tiffPieces.columns;
    const bottom = tiffPieces.height - Math.floor(index / piecesPerRow) * tiffPieces.rows;
    for (
      let sampleOffset = 0, column = 0, line = 0;
      sampleOffset + bytesEach <= end && line < bottom;
      sampleOffset += bytesEach
    ) {
      if (column < right && !sampledValues.add(readSample(bytes, sampleOffset))) isEmpty = false;
      column += 1;
      if (column < tiffPieces.columns) continue;
      column = 0;
      line += 1;
    }
    if (!isEmpty) continue;
    emptyCount += 1;
    // Packed pieces of this length are empty too.
    if (compression !== 1) emptyLengths.add(length);
  }
  const areAllEmpty = tiffPieces.offsets.every((pieceOffset, index) => {
    const length = tiffPieces.lengths[index] ?? 0;
    return pieceOffset === 0 || length === 0 || emptyLengths.has(length);
  });
  const isEmpty =
    areAllEmpty || (emptyCount === chosenPieces.length && chosenPieces.length === tiffPieces.offsets.length);
  return sampledValues.summary(isEmpty && emptyCount > 0);
}

/** Reads the value at an offset. */
export type ReadSample = (bytes: Buffer, offset: number) => number;

/** Returns the reader of values of 16, 32 or 64 bits; null for other kinds. */
export function readerOf({ bits, sample }: SampleKind, littleEndian: boolean): ReadSample | null {
  if (sample === 'float' && bits === 32)
    return (bytes, offset) => (littleEndian ? bytes.readFloatLE(offset) : bytes.readFloatBE(offset));
  if (sample === 'float' && bits === 64)
    return (bytes, offset) => (littleEndian ? bytes.readDoubleLE(offset) : bytes.readDoubleBE(offset));
  if (sample === 'float' || (bits !== 16 && bits !== 32)) return null;
  const length = bits / 8;
  if (sample === 'signed')
    return (bytes, offset) =>
      littleEndian ? bytes.readIntLE(offset, length) : bytes.readIntBE(offset, length);
  return (bytes, offset) =>
    littleEndian ? bytes.readUIntLE(offset, length) : bytes.readUIntBE(offset, length);
}

/** Null if unknown or too many. */
async function readPieces(
  file: FileBytes,
  layout: TiffLayout,
  fields: TiffDirectory['fields'],
  firstValue: (tag: number, fallback: number) => Promise<number>,
): Promise<Pieces | null> {
  const isTiled = fields.has(tilePlaces);
  const [offsets, lengths] = [
    fields.get(isTiled ? tilePlaces : stripPlaces),
    fields.get(isTiled ? tileLengths : stripLengths),
  ];
  // A single read must return all of them.
  if (!offsets || !lengths || offsets.count !== lengths.count || offsets.count > maxValues) return null;
  const height = await firstValue(size.height, 0);
  const width = await firstValue(size.width, 0);
  const columns = isTiled ? await firstValue(tags.tileWidth, 0) : width;
  const rows = isTiled
    ? await firstValue(tags.tileLength, 0)
    : Math.min(await firstValue(tags.rowsPerStrip, height), height);
  if (!(columns > 0 && rows > 0) || columns * 8 > maxUnpacked) return null;
  return {
    ...{ columns, rows, width, height },
    offsets: (await readTiffNumbers(file, layout, offsets)) ?? [],
    lengths: (await readTiffNumbers(file, layout, lengths)) ?? [],
  };
}

/** Relative columns of tiles between the corners, away from the edges. */
const columnsBetween = [0.6, 0.35];

/** Chooses the corners, with tiles that extend past the picture, and pieces evenly between. */
function choosePieces(count: number, piecesPerRow: number): readonly number[] {
  if (count <= maxPieces) return Array.from({ length: count }, (_, index) => index);
  const corners = [0, piecesPerRow - 1, count - piecesPerRow, count - 1].filter(
    (index) => index >= 0 && index < count,
  );
  const innerCount = maxPieces - 4;
  const pieceRows = Math.ceil(count / piecesPerRow);
  const innerPieces = Array.from({ length: innerCount }, (_, index) => {
    const row = Math.round(((index + 1) * pieceRows) / (innerCount + 1));
    const column = Math.floor(piecesPerRow * (columnsBetween[index % 2] ?? 0));
    return Math.min(row * piecesPerRow + column, count - 1);
  });
  return [...new Set([...corners, ...innerPieces])];
}

class ValueStatistics {
  readonly #noData: number | undefined;
  readonly #fills = new Map<number, number>();
  #count = 0;
  #lowest = Number.POSITIVE_INFINITY;
  #highest = Number.NEGATIVE_INFINITY;
  #valid = 0;

  constructor({ noData, sample, bits }: SampleKind) {
    this.#noData = noData === undefined || sample !== 'float' || bits > 32 ? noData : Math.fround(noData);
  }

  /** Whether the value means no data. */
  add(value: number): boolean {
    this.#count += 1;
    if (Number.isNaN(value) || value === this.#noData) return true;
    if (isFill(value)) {
      this.#fills.set(value, (this.#fills.get(value) ?? 0) + 1);
      return false;
    }
    this.#valid += 1;
    if (value < this.#lowest) this.#lowest = value;
    if (value > this.#highest) this.#highest = value;
    return false;
  }

  summary(isEmpty: boolean): SampledValues {
    const [fill, fillCount] = [...this.#fills].sort(([, a], [, b]) => b - a)[0] ?? [0, 0];
    const isFrequent = fillCount >= Math.max(this.#count * minFillShare, 20);
    return {
      ...(this.#valid >= minSamples && { range: [this.#lowest, this.#highest] as const }),
      ...(isEmpty && { empty: true as const }),
      ...(isFrequent && { fill }),
    };
  }
}
