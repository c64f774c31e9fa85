import type { FileBytes } from '../formats/base/file-bytes.ts';
import { readSegments } from '../formats/raster/jpeg.ts';
import { isFill, type ReadSample, readerOf } from '../formats/raster/tiff-samples.ts';
import { canUnpack, undoPredictor, unpack } from '../formats/raster/unpack.ts';
import { bytesOf } from './photo.ts';
import {
  type EncodedPicture,
  fitInto,
  isDrawable,
  limits,
  type Pixels,
  thumbnailSide,
  usualRange,
} from './picture.ts';
import type { TiffLevel } from './tiff-level.ts';

const jpegCompression = 7;
const [whiteIsZero, palette, yCbCr] = [0, 3, 6];
/** Bytes of an unpacked strip or tile. */
const maxPiece = 16 * 1024 * 1024;
const maxParts = 64;

/** Draws a raster from its smallest suitable overview; null if that needs too much or fails. */
export async function rasterIn(
  levels: readonly TiffLevel[],
  file: FileBytes,
  elapsedMs: () => number,
): Promise<Pixels | EncodedPicture | null> {
  for (const level of levels) {
    const picture =
      level.compression === jpegCompression
        ? await jpegParts(file, level)
        : await samplesOf(file, level, elapsedMs);
    if (picture) return picture;
  }
  return null;
}

/** The tiles as files of their own, with the tables that they share. */
async function jpegParts(file: FileBytes, level: TiffLevel): Promise<EncodedPicture | null> {
  const { width, height, columns, rows, offsets, lengths, samples, photometric, jpegTables } = level;
  const bytes = lengths.reduce((sum, length) => sum + length, 0);
  const isTooMuch = offsets.length > maxParts || bytes > limits.bytes || !isDrawable(width, height);
  if (isTooMuch || level.isPlanar || (samples !== 1 && samples !== 3)) return null;
  // Without this mark, three components mean YCbCr.
  const mark = samples === 3 && photometric !== yCbCr ? adobeRgb : '';
  const tables = jpegTables?.subarray(2, -2) ?? '';
  const start = Buffer.concat([
    Buffer.from('\xff\xd8', 'latin1'),
    Buffer.from(mark, 'latin1'),
    Buffer.from(tables),
  ]);
  const across = Math.ceil(width / columns);
  const parts: EncodedPicture['parts'][number][] = [];
  for (const [index, offset] of offsets.entries()) {
    const piece = await file.read(offset, lengths[index] ?? 0);
    if (piece.length === 0) continue;
    const { size } = await readSegments(bytesOf(piece));
    if (!size || size[0] > columns || size[1] > rows) return null;
    const [x, y] = [(index % across) * columns, Math.floor(index / across) * rows];
    parts.push({ x, y, bytes: Buffer.concat([start, piece.subarray(2)]) });
  }
  return parts.length === 0 ? null : { size: [width, height], parts };
}

/** Adobe's segment with transform 0. */
const adobeRgb = '\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\0';

/** The values of the bands to show, at evenly spaced places. */
interface Samples {
  readonly width: number;
  readonly height: number;
  readonly bands: readonly Float64Array[];
  /** 0 to 255 per place. */
  readonly opacity: Uint8Array;
}

async function samplesOf(file: FileBytes, level: TiffLevel, elapsedMs: () => number): Promise<Pixels | null> {
  const colourBands = level.alpha ?? level.samples;
  const shownBands = colourBands >= 3 && level.photometric !== palette ? [0, 1, 2] : [0];
  const samples = await readSamples(file, level, shownBands, elapsedMs);
  return samples && { width: samples.width, height: samples.height, rgba: coloursOf(samples, level) };
}

async function readSamples(
  file: FileBytes,
  level: TiffLevel,
  shownBands: readonly number[],
  elapsedMs: () => number,
): Promise<Samples | null> {
  const { columns, rows, compression, predictor, isPlanar, lengths, offsets, alpha } = level;
  const readSample = sampleReader(level);
  const bandsPerPiece = isPlanar ? 1 : level.samples;
  const size = level.bits / 8;
  const pieceLength = columns * rows * bandsPerPiece * size;
  const isReadable = canUnpack(compression) && predictor <= 3 && pieceLength > 0 && pieceLength <= maxPiece;
  if (!readSample || !isReadable) return null;
  const [width, height] = fitInto(level.width, level.height, thumbnailSide);
  const across = Math.ceil(level.width / columns);
  const down = Math.ceil(level.height / rows);
  const bands = shownBands.map(() => new Float64Array(width * height).fill(Number.NaN));
  const opacity = new Uint8Array(width * height).fill(255);
  const alphaScale = 255 / (2 ** level.bits - 1);
  const sourceX = Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * level.width) / width));
  const sourceY = Array.from({ length: height }, (_, y) => Math.floor(((y + 0.5) * level.height) / height));
  const rowsByPiece = Map.groupBy(sourceY.keys(), (y) => Math.floor((sourceY[y] ?? 0) / rows));
  const columnsByPiece = Map.groupBy(sourceX.keys(), (x) => Math.floor((sourceX[x] ?? 0) / columns));
  const pieces = [...rowsByPiece].flatMap(([row, ys]) =>
    [...columnsByPiece].map(([column, xs]) => ({ index: row * across + column, row, column, xs, ys })),
  );
  const readBands = alpha === null ? shownBands : [...shownBands, alpha];
  const planes = isPlanar ? readBands : [0];
  const packed = pieces.reduce((sum, { index }) => sum + (lengths[index] ?? 0), 0) * planes.length;
  if (packed > limits.bytes) return null;
  for (const { index, row, column, xs, ys } of pieces) {
    for (const plane of planes) {
      if (elapsedMs() > limits.ms) return null;
      const piece = plane * across * down + index;
      const [offset = 0, length = 0] = [offsets[piece], lengths[piece]];
      if (offset === 0 || length === 0) continue;
      const bytes = unpack(compression, await file.read(offset, length), pieceLength, maxPiece);
      if (!bytes) return null;
      const unpacked = predictor > 1 ? Buffer.from(bytes) : bytes;
      undoPredictor(unpacked, predictor, {
        ...{ columns, bands: bandsPerPiece, size, littleEndian: level.layout.littleEndian },
      });
      for (const band of isPlanar ? [plane] : readBands) {
        const target = band === alpha ? null : bands[shownBands.indexOf(band)];
        const offsetOfBand = isPlanar ? 0 : band * size;
        for (const y of ys)
          for (const x of xs) {
            const line = (sourceY[y] ?? 0) - row * rows;
            const sampleOffset =
              (line * columns + (sourceX[x] ?? 0) - column * columns) * bandsPerPiece * size + offsetOfBand;
            if (sampleOffset + size > unpacked.length) continue;
            const value = readSample(unpacked, sampleOffset);
            if (target) target[y * width + x] = value;
            else opacity[y * width + x] = value * alphaScale;
          }
      }
    }
  }
  return { width, height, bands, opacity };
}

/** Null for kinds of values and colours that aren't drawn. */
function sampleReader({ bits, sample, photometric, layout }: TiffLevel): ReadSample | null {
  if (sample === null || photometric > palette) return null;
  if (bits === 8 && sample === 'unsigned') return (bytes, offset) => bytes[offset] ?? 0;
  if (bits === 8 && sample === 'signed') return (bytes, offset) => bytes.readInt8(offset);
  return readerOf({ bits, sample }, layout.littleEndian);
}

/** RGBA per place; no data is transparent. */
export function coloursOf(
  { bands, opacity }: Pick<Samples, 'bands' | 'opacity'>,
  level: Pick<TiffLevel, 'bits' | 'sample' | 'photometric' | 'noData' | 'colourMap'>,
): Uint8Array {
  const { noData, colourMap, photometric } = level;
  const absent =
    noData !== null && level.sample === 'float' && level.bits === 32 ? Math.fround(noData) : noData;
  const isAbsent = (value: number) =>
    !Number.isFinite(value) || value === absent || (bands.length === 1 && isFill(value));
  const isPlain =
    level.bits === 8 && level.sample === 'unsigned' && (bands.length > 1 || photometric === palette);
  const ranges = bands.map((band) =>
    isPlain ? [0, 255] : usualRange(band.filter((value) => !isAbsent(value))),
  );
  const rgba = new Uint8Array(opacity.length * 4);
  const shades = [0, 0, 0];
  for (const [place, alpha] of opacity.entries()) {
    for (let channel = 0; channel < 3; channel++) {
      const band = bands.length > 1 ? channel : 0;
      const value = bands[band]?.[place] ?? 0;
      const [low = 0, high = 0] = ranges[band] ?? [];
      const shade = high > low ? ((value - low) / (high - low)) * 255 : 128;
      shades[channel] = photometric === whiteIsZero ? 255 - shade : shade;
      if (colourMap && photometric === palette)
        shades[channel] = (colourMap[channel * 256 + value] ?? 0) / 257;
    }
    if (bands.every((band) => isAbsent(band[place] ?? 0))) continue;
    for (let channel = 0; channel < 3; channel++)
      rgba[place * 4 + channel] = Math.min(255, Math.max(0, shades[channel] ?? 0));
    rgba[place * 4 + 3] = alpha;
  }
  return rgba;
}
