import { type FileBytes, isAllZeros, unlessRefused } from '../base/file-bytes.ts';
import { type Opened, unrecognizedFile, type Verdict } from '../base/format.ts';
import type { Corners, NamedSystem } from '../systems/coordinate-system.ts';
import { arePoints, type KeyDirectory, systemOfGeoKeys } from '../systems/geo-keys.ts';
import {
  maxValues,
  readTiffDirectory,
  readTiffHeader,
  readTiffNumbers,
  readTiffText,
  sizeOfType,
  type TiffDirectory,
  type TiffField,
  type TiffLayout,
} from './tiff-directory.ts';
import { bytesOfPieces, hasMarkedCompression } from './tiff-pieces.ts';
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
const placementTags = [tags.scale, tags.tiePoints, tags.transformation, tags.rationalCoefficients];

const paletteColours = 3;
/** 5 and 6 are complex numbers. */
const sampleFormats: Readonly<Record<number, TiffHead['sample']>> = {
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
const pieceTags = [
  [273, 279],
  [324, 325],
  [513, 514],
] as const;

export async function readTiff(file: FileBytes): Promise<Opened<TiffHead>> {
  const layout = await readTiffHeader(file);
  if (!layout) return unrecognizedFile;
  if (layout.firstDirectory === 0) return { head: null, end: () => 'noDirectory' };
  const firstDirectory = await readTiffDirectory(file, layout, layout.firstDirectory);
  if (firstDirectory.fields.size === 0) return { head: null, end: () => 'noDirectory' };
  const head = await headOf(file, layout, firstDirectory);
  const hasMarkedPieces =
    (await unlessRefused(file, hasMarkedCompression(file, layout, firstDirectory))) ?? false;
  return {
    head,
    ...(hasMarkedPieces && { zerosAtEnd: 'nothing' as const }),
    end: () => checkPieces(file, layout, firstDirectory, hasMarkedPieces),
    readSamples: async () => {
      if (head?.bands !== 1 || head.palette || head.bits < 16) return head;
      const values = await sampleTiff(file, layout, firstDirectory, head);
      return values ? { ...head, values } : head;
    },
  };
}

async function headOf(
  file: FileBytes,
  layout: TiffLayout,
  { fields }: TiffDirectory,
): Promise<TiffHead | null> {
  const readNumbers = async (tag: number) => {
    const field = fields.get(tag);
    return field ? readTiffNumbers(file, layout, field) : [];
  };
  const bits = await readNumbers(tags.bits);
  const samples = await readNumbers(tags.samples);
  const format = await readNumbers(tags.sampleFormat);
  const photometric = await readNumbers(tags.photometric);
  const geoKeys = await readNumbers(tags.geoKeys);
  // Missing tags have defaults; unreadable ones leave the picture unknown.
  if (!bits || !samples || !format || !photometric || !geoKeys) return null;
  const readText = async (tag: number) => {
    const field = fields.get(tag);
    return field ? readTiffText(file, field) : null;
  };
  const directory: KeyDirectory =
    geoKeys.length === 0
      ? { keys: geoKeys }
      : {
          keys: geoKeys,
          doubles: (await readNumbers(tags.geoDoubles)) ?? [],
          asciiText: (await readText(tags.geoWords)) ?? '',
        };
  const corners = await cornersOf(readNumbers, arePoints(directory));
  const noData = await readText(tags.noData);
  const [columns, rows] = [(await readNumbers(tags.width))?.[0], (await readNumbers(tags.height))?.[0]];
  return {
    kind: 'tiff',
    bands: samples[0] ?? 1,
    bits: bits[0] ?? 1,
    sample: sampleFormats[format[0] ?? 0] ?? 'unsigned',
    // GDAL turns a single bit into two colours.
    palette: photometric[0] === paletteColours || (bits[0] ?? 1) === 1,
    ...(noData === null ? {} : { noData: numberIn(noData) }),
    ...systemOfGeoKeys(directory),
    corners,
    geo: fields.has(tags.geoKeys) || fields.has(tags.scale),
    ...(placementTags.some((tag) => fields.has(tag)) ? {} : { unplaced: true }),
    ...(corners === null && columns && rows ? { size: [columns, rows] as const } : {}),
  };
}

/** Parses like GDAL, including MSVC's words; other text counts as 0. */
function numberIn(numberText: string): number {
  const value = numberText.replace(/\0[\s\S]*$/, '').trim();
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
  const [scale, tiePoint, matrix] = [
    (await numbers(tags.scale)) ?? [],
    (await numbers(tags.tiePoints)) ?? [],
    (await numbers(tags.transformation)) ?? [],
  ];
  const [scaleX = Number.NaN, scaleY = Number.NaN] = scale;
  const [tieColumn = Number.NaN, tieRow = Number.NaN, , x = Number.NaN, y = Number.NaN] =
    tiePoint.length >= 6 ? tiePoint : [];
  const [
    a = scaleX,
    b = 0,
    ,
    c = x - tieColumn * scaleX,
    d = 0,
    e = -Math.abs(scaleY),
    ,
    f = y + tieRow * Math.abs(scaleY),
  ] = matrix.length === 16 ? matrix : [];
  const shift = isPoint ? 0.5 : 0;
  const cornerAt = (column: number, row: number): readonly [number, number] => [
    a * (column - shift) + b * (row - shift) + c,
    d * (column - shift) + e * (row - shift) + f,
  ];
  const corners = [cornerAt(0, height), cornerAt(width, height), cornerAt(width, 0), cornerAt(0, 0)];
  const isFlat = a * e === b * d;
  return width > 0 && height > 0 && !isFlat && corners.flat().every(Number.isFinite) ? corners : null;
}

/**
 * Requires directories, values, strips and tiles in the file. Missing pieces of a sparse file have offset 0.
 * `hasMarkedPieces`: no piece begins with zeros.
 */
async function checkPieces(
  file: FileBytes,
  layout: TiffLayout,
  firstDirectory: TiffDirectory,
  hasMarkedPieces: boolean,
): Promise<Verdict> {
  const pendingOffsets = [layout.firstDirectory];
  const visitedOffsets = new Set<number>();
  let dataEnd = 0;
  const sampledOffsets: number[] = [];
  for (
    let directoryOffset = pendingOffsets.pop();
    directoryOffset !== undefined && visitedOffsets.size < maxDirectories;
    directoryOffset = pendingOffsets.pop()
  ) {
    if (directoryOffset === 0 || visitedOffsets.has(directoryOffset)) continue;
    visitedOffsets.add(directoryOffset);
    const directory =
      directoryOffset === layout.firstDirectory
        ? firstDirectory
        : await readTiffDirectory(file, layout, directoryOffset);
    for (const { type, count, offset: valueOffset } of directory.fields.values())
      file.requireRange(valueOffset, count * sizeOfType(type));
    pendingOffsets.push(...(await subDirectoryOffsets(file, layout, directory)), directory.nextDirectory);
    for (const [offsetsTag, lengthsTag] of pieceTags) {
      const offsets = directory.fields.get(offsetsTag);
      if (!offsets) continue;
      const spread = await measurePieces(file, layout, directory, [
        offsets,
        directory.fields.get(lengthsTag),
      ]);
      dataEnd = Math.max(dataEnd, spread.end);
      if (hasMarkedPieces && directory === firstDirectory) sampledOffsets.push(...spread.pieceOffsets);
    }
  }
  for (const pieceOffset of sampledOffsets)
    if (isAllZeros(await file.read(pieceOffset, minPackedLength))) return 'zeros';
  if (dataEnd > 0 && (await hasTrailers(file, layout.headerEnd))) file.requireRange(dataEnd, 4);
  return null;
}

async function subDirectoryOffsets(
  file: FileBytes,
  layout: TiffLayout,
  { fields }: TiffDirectory,
): Promise<number[]> {
  const offsets: number[] = [];
  for (const tag of [...ownDirectories, subDirectories]) {
    const field = fields.get(tag);
    if (field && field.count <= (tag === subDirectories ? maxDirectories : 1))
      offsets.push(...((await readTiffNumbers(file, layout, field)) ?? []));
  }
  return offsets;
}

/** Shorter pieces aren't sampled. */
const minPackedLength = 16;

/**
 * Returns the end of the last piece, and the offsets of pieces to sample for zeros. Throws `PastEndError` for
 * a piece outside the file.
 */
async function measurePieces(
  file: FileBytes,
  layout: TiffLayout,
  directory: TiffDirectory,
  [offsets, lengths]: readonly [offsets: TiffField, lengths: TiffField | undefined],
): Promise<{ readonly end: number; readonly pieceOffsets: ReadonlySet<number> }> {
  let [dataEnd, lastBegin] = [0, 0];
  const middles = new Set<number>();
  let lengthOfPiece: Awaited<ReturnType<typeof bytesOfPieces>> | null = null;
  for (const page of pagesOf(offsets.count)) {
    const firstValue = page * maxValues;
    const values = Math.min(maxValues, offsets.count - firstValue);
    const pieceOffsets = (await readTiffNumbers(file, layout, offsets, firstValue, values)) ?? [];
    const hasLengths = lengths && lengths.count >= firstValue + values;
    const pieceLengths =
      (hasLengths ? await readTiffNumbers(file, layout, lengths, firstValue, values) : null) ?? [];
    for (const [index, pieceOffset] of pieceOffsets.entries()) {
      const size = pieceLengths[index] ?? 0;
      if (pieceOffset === 0) continue;
      if (pieceOffset + size > file.size) {
        lengthOfPiece ??= await bytesOfPieces(file, layout, directory);
        file.requireRange(pieceOffset, lengthOfPiece(firstValue + index, size));
      }
      if (size >= minPackedLength && pieceOffset > lastBegin) lastBegin = pieceOffset;
      if (size > 0) dataEnd = Math.max(dataEnd, Math.min(pieceOffset + size, file.size));
    }
    const middle = pieceOffsets.length >> 1;
    if ((pieceLengths[middle] ?? 0) >= minPackedLength) middles.add(pieceOffsets[middle] ?? 0);
  }
  const [middle = 0] = middles;
  return {
    end: dataEnd,
    pieceOffsets: new Set([middle, lastBegin].filter((pieceOffset) => pieceOffset > 0)),
  };
}

function pagesOf(values: number): readonly number[] {
  const pages = Math.ceil(values / maxValues);
  const pageCount = Math.min(pages, maxPages);
  return Array.from({ length: pageCount }, (_, index) =>
    pageCount === pages ? index : Math.round((index * (pages - 1)) / (pageCount - 1)),
  );
}

/**
 * GDAL's cloud-optimised files repeat each tile's last four bytes and declare it after the header (GDAL, "COG
 * driver", structural metadata).
 */
async function hasTrailers(file: FileBytes, offset: number): Promise<boolean> {
  const metadataText = (await file.read(offset, Math.min(400, file.size - offset))).toString('latin1');
  return (
    metadataText.startsWith('GDAL_STRUCTURAL_METADATA_SIZE=') &&
    metadataText.includes('BLOCK_TRAILER=LAST_4_BYTES_REPEATED') &&
    !metadataText.includes('KNOWN_INCOMPATIBLE_EDITION=YES')
  );
}
