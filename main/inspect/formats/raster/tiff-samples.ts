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
const fewest = 500;
/** Share of the values. */
const many = 0.01;
const isFill = (value: number): boolean =>
  fills.has(value) || (Math.abs(value) >= 1e30 && Number.isFinite(value));
/** Not heights. Such depths don't repeat as one whole number. */
const fills = new Set([-9_999, -99_999, -999_999, -32_768, -32_767]);

/** Strips or tiles. */
interface Pieces {
  readonly places: readonly number[];
  readonly lengths: readonly number[];
  readonly columns: number;
  readonly rows: number;
  /** Last tiles extend past the picture. */
  readonly width: number;
  readonly height: number;
}

/**
 * Samples strips or tiles of a single band. Null if that needs long reads or fails. Throws `PastEnd`,
 * `ReadEnough`.
 */
export async function sampleTiff(
  file: FileBytes,
  layout: TiffLayout,
  { fields }: TiffDirectory,
  kind: SampleKind,
): Promise<SampledValues | null> {
  const first = async (tag: number, usual: number) => {
    const field = fields.get(tag);
    return field ? ((await readTiffNumbers(file, layout, field, 0, 1))?.[0] ?? usual) : usual;
  };
  const compression = await first(tags.compression, 1);
  const predictor = await first(tags.predictor, 1);
  const read = readerOf(kind, layout.littleEndian);
  const pieces = await piecesOf(file, layout, fields, first);
  if (!read || !pieces || !canUnpack(compression) || predictor > 3) return null;
  const bytesEach = kind.bits / 8;
  const whole = pieces.columns * pieces.rows * bytesEach;
  const seen = new Values(kind);
  const across = Math.ceil(pieces.width / pieces.columns);
  const chosen = chosenOf(pieces.places.length, across);
  const emptyLengths = new Set<number>();
  let empty = 0;
  for (const index of chosen) {
    const [at = 0, length = 0] = [pieces.places[index], pieces.lengths[index]];
    if (at === 0 || length === 0) continue;
    const packed = await file.take(at, Math.min(length, maxRead));
    const unpacked = unpack(compression, packed, whole);
    if (!unpacked) return null;
    const bytes = Buffer.from(unpacked);
    if (predictor > 1)
      undoPredictor(bytes, predictor, {
        ...{ columns: pieces.columns, bands: 1, size: bytesEach },
        littleEndian: layout.littleEndian,
      });
    const row = pieces.columns * bytesEach;
    const end = predictor > 1 ? bytes.length - (bytes.length % row) : bytes.length;
    let isEmpty = length <= maxRead && bytes.length > 0;
    const right = pieces.width - (index % across) * pieces.columns;
    const bottom = pieces.height - Math.floor(index / across) * pieces.rows;
    for (let place = 0, column = 0, line = 0; place + bytesEach <= end && line < bottom; place += bytesEach) {
      if (column < right && !seen.take(read(bytes, place))) isEmpty = false;
      column += 1;
      if (column < pieces.columns) continue;
      column = 0;
      line += 1;
    }
    if (!isEmpty) continue;
    empty += 1;
    // Packed pieces of this length are empty too.
    if (compression !== 1) emptyLengths.add(length);
  }
  const isAll = pieces.places.every((at, index) => {
    const length = pieces.lengths[index] ?? 0;
    return at === 0 || length === 0 || emptyLengths.has(length);
  });
  const isEmpty = isAll || (empty === chosen.length && chosen.length === pieces.places.length);
  return seen.found(isEmpty && empty > 0);
}

type ReadSample = (bytes: Buffer, at: number) => number;

function readerOf({ bits, sample }: SampleKind, little: boolean): ReadSample | null {
  if (sample === 'float' && bits === 32)
    return (bytes, at) => (little ? bytes.readFloatLE(at) : bytes.readFloatBE(at));
  if (sample === 'float' && bits === 64)
    return (bytes, at) => (little ? bytes.readDoubleLE(at) : bytes.readDoubleBE(at));
  if (sample === 'float' || (bits !== 16 && bits !== 32)) return null;
  const length = bits / 8;
  if (sample === 'signed')
    return (bytes, at) => (little ? bytes.readIntLE(at, length) : bytes.readIntBE(at, length));
  return (bytes, at) => (little ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length));
}

/** Null if unknown or too many. */
async function piecesOf(
  file: FileBytes,
  layout: TiffLayout,
  fields: TiffDirectory['fields'],
  first: (tag: number, usual: number) => Promise<number>,
): Promise<Pieces | null> {
  const isTiled = fields.has(tilePlaces);
  const [places, lengths] = [
    fields.get(isTiled ? tilePlaces : stripPlaces),
    fields.get(isTiled ? tileLengths : stripLengths),
  ];
  // A single read must return all of them.
  if (!places || !lengths || places.count !== lengths.count || places.count > maxValues) return null;
  const height = await first(size.height, 0);
  const width = await first(size.width, 0);
  const columns = isTiled ? await first(tags.tileWidth, 0) : width;
  const rows = isTiled
    ? await first(tags.tileLength, 0)
    : Math.min(await first(tags.rowsPerStrip, height), height);
  if (!(columns > 0 && rows > 0) || columns * 8 > maxUnpacked) return null;
  return {
    ...{ columns, rows, width, height },
    places: (await readTiffNumbers(file, layout, places)) ?? [],
    lengths: (await readTiffNumbers(file, layout, lengths)) ?? [],
  };
}

/** Relative columns of tiles between the corners, away from the edges. */
const columnsBetween = [0.6, 0.35];

/** Chooses the corners, with tiles that extend past the picture, and pieces evenly between. */
function chosenOf(count: number, across: number): readonly number[] {
  if (count <= maxPieces) return Array.from({ length: count }, (_, index) => index);
  const corners = [0, across - 1, count - across, count - 1].filter((index) => index >= 0 && index < count);
  const others = maxPieces - 4;
  const down = Math.ceil(count / across);
  const between = Array.from({ length: others }, (_, index) => {
    const row = Math.round(((index + 1) * down) / (others + 1));
    const column = Math.floor(across * (columnsBetween[index % 2] ?? 0));
    return Math.min(row * across + column, count - 1);
  });
  return [...new Set([...corners, ...between])];
}

class Values {
  readonly #nothing: number | undefined;
  readonly #fills = new Map<number, number>();
  #count = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  #valid = 0;

  constructor({ noData, sample, bits }: SampleKind) {
    this.#nothing = noData === undefined || sample !== 'float' || bits > 32 ? noData : Math.fround(noData);
  }

  /** Whether the value means no data. */
  take(value: number): boolean {
    this.#count += 1;
    if (Number.isNaN(value) || value === this.#nothing) return true;
    if (isFill(value)) {
      this.#fills.set(value, (this.#fills.get(value) ?? 0) + 1);
      return false;
    }
    this.#valid += 1;
    if (value < this.#least) this.#least = value;
    if (value > this.#most) this.#most = value;
    return false;
  }

  found(isEmpty: boolean): SampledValues {
    const [fill, times] = [...this.#fills].sort(([, a], [, b]) => b - a)[0] ?? [0, 0];
    const isMany = times >= Math.max(this.#count * many, 20);
    return {
      ...(this.#valid >= fewest && { range: [this.#least, this.#most] as const }),
      ...(isEmpty && { empty: true as const }),
      ...(isMany && { fill }),
    };
  }
}
