import { areZeros, type FileBytes, unlessRefused } from '../base/file-bytes.ts';
import { type Opened, somethingElse, type Verdict } from '../base/format.ts';
import type { Corners, NamedSystem } from '../systems/coordinate-system.ts';
import { arePoints, type KeyDirectory, systemOfGeoKeys } from '../systems/geo-keys.ts';
import {
  maxValues,
  readTiffDirectory,
  readTiffHeader,
  readTiffNumbers,
  readTiffText,
  sizeOf,
  type TiffDirectory,
  type TiffField,
  type TiffLayout,
} from './tiff-directory.ts';
import { bytesOfPieces, isPacked } from './tiff-pieces.ts';
import { type SampledValues, sampleTiff } from './tiff-samples.ts';

/** Facts from a TIFF (TIFF 6.0; GeoTIFF 1.1). */
export interface TiffHead extends NamedSystem {
  readonly kind: 'tiff';
  readonly bands: number;
  /** Per sample. */
  readonly bits: number;
  readonly sample: 'unsigned' | 'signed' | 'float';
  /** Samples index colours. */
  readonly palette: boolean;
  /** The value of empty cells. */
  readonly noData?: number;
  /** Null without an affine georeference. */
  readonly corners: Corners | null;
  /** Has GeoTIFF keys or a pixel scale. */
  readonly geo: boolean;
  /** No tag locates the pixels, not even by rational coefficients. */
  readonly unplaced?: true;
  readonly values?: SampledValues;
  /** Without corners: a sidecar file may place the picture. */
  readonly size?: readonly [columns: number, rows: number];
}

const tags = {
  width: 256,
  height: 257,
  bits: 258,
  photometric: 262,
  samples: 277,
  sampleFormat: 339,
  scale: 33_550,
  tiePoints: 33_922,
  transformation: 34_264,
  geoKeys: 34_735,
  geoDoubles: 34_736,
  geoWords: 34_737,
  noData: 42_113,
  rationalCoefficients: 50_844,
};
const placing = [tags.scale, tags.tiePoints, tags.transformation, tags.rationalCoefficients];

const paletteColours = 3;
/** 5 and 6 are complex numbers. */
const formats: Readonly<Record<number, TiffHead['sample']>> = {
  2: 'signed',
  3: 'float',
  5: 'signed',
  6: 'float',
};

/** Includes overviews, masks and pages. */
const maxDirectories = 512;
/** Evenly spaced in a longer array, with the last. */
const maxPages = 12;
const subDirectories = 330;
/** EXIF, GPS, interoperability. */
const ownDirectories = [34_665, 34_853, 40_965];
/** Offsets and lengths: strips, tiles, and the one piece of an old JPEG. */
const pieces = [
  [273, 279],
  [324, 325],
  [513, 514],
] as const;

export async function readTiff(file: FileBytes): Promise<Opened<TiffHead>> {
  const layout = await readTiffHeader(file);
  if (!layout) return somethingElse;
  if (layout.first === 0) return { head: null, end: () => 'noDirectory' };
  const first = await readTiffDirectory(file, layout, layout.first);
  if (first.fields.size === 0) return { head: null, end: () => 'noDirectory' };
  const head = await headOf(file, layout, first);
  const hasMarks = (await unlessRefused(file, isPacked(file, layout, first))) ?? false;
  return {
    head,
    ...(hasMarks && { zerosAtEnd: 'nothing' as const }),
    end: () => judge(file, layout, first, hasMarks),
    deeper: async () => {
      if (head?.bands !== 1 || head.palette || head.bits < 16) return head;
      const values = await sampleTiff(file, layout, first, head);
      return values ? { ...head, values } : head;
    },
  };
}

async function headOf(
  file: FileBytes,
  layout: TiffLayout,
  { fields }: TiffDirectory,
): Promise<TiffHead | null> {
  const numbers = async (tag: number) => {
    const field = fields.get(tag);
    return field ? readTiffNumbers(file, layout, field) : [];
  };
  const bits = await numbers(tags.bits);
  const samples = await numbers(tags.samples);
  const format = await numbers(tags.sampleFormat);
  const photometric = await numbers(tags.photometric);
  const geoKeys = await numbers(tags.geoKeys);
  // Missing tags have defaults; unreadable ones leave the picture unknown.
  if (!bits || !samples || !format || !photometric || !geoKeys) return null;
  const text = async (tag: number) => {
    const field = fields.get(tag);
    return field ? readTiffText(file, field) : null;
  };
  const directory: KeyDirectory =
    geoKeys.length === 0
      ? { keys: geoKeys }
      : {
          keys: geoKeys,
          doubles: (await numbers(tags.geoDoubles)) ?? [],
          words: (await text(tags.geoWords)) ?? '',
        };
  const corners = await cornersOf(numbers, arePoints(directory));
  const noData = await text(tags.noData);
  const [columns, rows] = [(await numbers(tags.width))?.[0], (await numbers(tags.height))?.[0]];
  return {
    kind: 'tiff',
    bands: samples[0] ?? 1,
    bits: bits[0] ?? 1,
    sample: formats[format[0] ?? 0] ?? 'unsigned',
    // GDAL turns a single bit into two colours.
    palette: photometric[0] === paletteColours || (bits[0] ?? 1) === 1,
    ...(noData === null ? {} : { noData: numberIn(noData) }),
    ...systemOfGeoKeys(directory),
    corners,
    geo: fields.has(tags.geoKeys) || fields.has(tags.scale),
    ...(placing.some((tag) => fields.has(tag)) ? {} : { unplaced: true }),
    ...(corners === null && columns && rows ? { size: [columns, rows] as const } : {}),
  };
}

/** Parses like GDAL, including MSVC's words; other text counts as 0. */
function numberIn(words: string): number {
  const value = words.replace(/\0[\s\S]*$/, '').trim();
  if (/^[-+]?(?:nan|1\.#(?:qnan|snan|ind))/i.test(value)) return Number.NaN;
  const [, sign] = /^([-+]?)(?:inf|1\.#inf)/i.exec(value) ?? [];
  if (sign !== undefined) return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number.parseFloat(value) || 0;
}

/**
 * GeoTIFF 1.1, annex B: a transformation, or the first tie point and the pixel size, whose sign GDAL ignores
 * for rows. If pixels are points, a tie point is a pixel's centre.
 */
async function cornersOf(
  numbers: (tag: number) => Promise<readonly number[] | null>,
  isPoint: boolean,
): Promise<Corners | null> {
  const [width, height] = [(await numbers(tags.width))?.[0] ?? 0, (await numbers(tags.height))?.[0] ?? 0];
  const [scale, tie, matrix] = [
    (await numbers(tags.scale)) ?? [],
    (await numbers(tags.tiePoints)) ?? [],
    (await numbers(tags.transformation)) ?? [],
  ];
  const [sx = Number.NaN, sy = Number.NaN] = scale;
  const [i = Number.NaN, j = Number.NaN, , x = Number.NaN, y = Number.NaN] = tie.length >= 6 ? tie : [];
  const [a = sx, b = 0, , c = x - i * sx, d = 0, e = -Math.abs(sy), , f = y + j * Math.abs(sy)] =
    matrix.length === 16 ? matrix : [];
  const shift = isPoint ? 0.5 : 0;
  const at = (column: number, row: number): readonly [number, number] => [
    a * (column - shift) + b * (row - shift) + c,
    d * (column - shift) + e * (row - shift) + f,
  ];
  const corners = [at(0, height), at(width, height), at(width, 0), at(0, 0)];
  const isFlat = a * e === b * d;
  return width > 0 && height > 0 && !isFlat && corners.flat().every(Number.isFinite) ? corners : null;
}

/**
 * Requires directories, values, strips and tiles in the file. Missing pieces of a sparse file have offset 0.
 * `hasMarks`: no piece begins with zeros.
 */
async function judge(
  file: FileBytes,
  layout: TiffLayout,
  first: TiffDirectory,
  hasMarks: boolean,
): Promise<Verdict> {
  const waiting = [layout.first];
  const seen = new Set<number>();
  let furthest = 0;
  const sampled: number[] = [];
  for (let at = waiting.pop(); at !== undefined && seen.size < maxDirectories; at = waiting.pop()) {
    if (at === 0 || seen.has(at)) continue;
    seen.add(at);
    const directory = at === layout.first ? first : await readTiffDirectory(file, layout, at);
    for (const { type, count, at: place } of directory.fields.values())
      file.need(place, count * sizeOf(type));
    waiting.push(...(await below(file, layout, directory)), directory.next);
    for (const [places, lengths] of pieces) {
      const offsets = directory.fields.get(places);
      if (!offsets) continue;
      const spread = await spreadOfPieces(file, layout, directory, [offsets, directory.fields.get(lengths)]);
      furthest = Math.max(furthest, spread.end);
      if (hasMarks && directory === first) sampled.push(...spread.begins);
    }
  }
  for (const at of sampled) if (areZeros(await file.take(at, leastPacked))) return 'zeros';
  if (furthest > 0 && (await hasTrailers(file, layout.headerEnd))) file.need(furthest, 4);
  return null;
}

async function below(file: FileBytes, layout: TiffLayout, { fields }: TiffDirectory): Promise<number[]> {
  const places: number[] = [];
  for (const tag of [...ownDirectories, subDirectories]) {
    const field = fields.get(tag);
    if (field && field.count <= (tag === subDirectories ? maxDirectories : 1))
      places.push(...((await readTiffNumbers(file, layout, field)) ?? []));
  }
  return places;
}

/** Shorter pieces aren't sampled. */
const leastPacked = 16;

/**
 * Returns the end of the last piece, and the offsets of pieces to sample for zeros. Throws `PastEnd` for a
 * piece outside the file.
 */
async function spreadOfPieces(
  file: FileBytes,
  layout: TiffLayout,
  directory: TiffDirectory,
  [offsets, lengths]: readonly [offsets: TiffField, lengths: TiffField | undefined],
): Promise<{ readonly end: number; readonly begins: ReadonlySet<number> }> {
  let [furthest, last] = [0, 0];
  const middles = new Set<number>();
  let taken: Awaited<ReturnType<typeof bytesOfPieces>> | null = null;
  for (const page of pagesOf(offsets.count)) {
    const from = page * maxValues;
    const values = Math.min(maxValues, offsets.count - from);
    const begins = (await readTiffNumbers(file, layout, offsets, from, values)) ?? [];
    const has = lengths && lengths.count >= from + values;
    const sizes = (has ? await readTiffNumbers(file, layout, lengths, from, values) : null) ?? [];
    for (const [index, begin] of begins.entries()) {
      const size = sizes[index] ?? 0;
      if (begin === 0) continue;
      if (begin + size > file.size) {
        taken ??= await bytesOfPieces(file, layout, directory);
        file.need(begin, taken(from + index, size));
      }
      if (size >= leastPacked && begin > last) last = begin;
      if (size > 0) furthest = Math.max(furthest, Math.min(begin + size, file.size));
    }
    const middle = begins.length >> 1;
    if ((sizes[middle] ?? 0) >= leastPacked) middles.add(begins[middle] ?? 0);
  }
  const [middle = 0] = middles;
  return { end: furthest, begins: new Set([middle, last].filter((begin) => begin > 0)) };
}

function pagesOf(values: number): readonly number[] {
  const pages = Math.ceil(values / maxValues);
  const read = Math.min(pages, maxPages);
  return Array.from({ length: read }, (_, index) =>
    read === pages ? index : Math.round((index * (pages - 1)) / (read - 1)),
  );
}

/**
 * GDAL's cloud-optimised files repeat each tile's last four bytes and declare it after the header (GDAL, "COG
 * driver", structural metadata).
 */
async function hasTrailers(file: FileBytes, at: number): Promise<boolean> {
  const words = (await file.take(at, Math.min(400, file.size - at))).toString('latin1');
  return (
    words.startsWith('GDAL_STRUCTURAL_METADATA_SIZE=') &&
    words.includes('BLOCK_TRAILER=LAST_4_BYTES_REPEATED') &&
    !words.includes('KNOWN_INCOMPATIBLE_EDITION=YES')
  );
}
