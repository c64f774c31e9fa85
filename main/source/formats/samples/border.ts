import type { FileBytes } from '../file-bytes.ts';
import {
  readTiffDirectory,
  readTiffNumbers,
  type TiffDirectory,
  type TiffField,
  type TiffLayout,
} from '../tiff-directory.ts';
import { BorderPixels, type SeenBorder } from './border-pixels.ts';
import { unpackEighth } from './jpeg-eighth.ts';
import { chosenOf, maxRead, type Pieces, piecesOf, tags } from './tiff-samples.ts';
import { canUnpack, undoPredictor, unpack } from './unpack.ts';

const [subfileType, photometric, planar, jpegTables] = [254, 262, 284, 347];
const maskBit = 4;
/** Grey whose 0 is black, and colours. */
const understood = new Set([1, 2]);
const [jpeg, brightness] = [7, 6];
/** Of the tables that pieces packed as JPEG have in common, bytes. */
const maxTables = 4_096;
/** Directories behind the first that may hold its mask. */
const maxBehind = 8;

/**
 * Whether a picture of whole bytes seems to have black or white along its edges in place of nothing, as what
 * is turned or cut along a boundary has: one colour there, from an edge on, with no shades of it, which the
 * middle does not have. Null where it does not, where it has a mask, and where that can't be seen by little
 * of it. Throws `PastEnd`, `ReadEnough`.
 */
export async function sampleBorder(
  file: FileBytes,
  layout: TiffLayout,
  directory: TiffDirectory,
  bands: number,
): Promise<SeenBorder | null> {
  const { fields } = directory;
  const first = async (tag: number, usual: number) => {
    const field = fields.get(tag);
    return field ? ((await readTiffNumbers(file, layout, field, 0, 1))?.[0] ?? usual) : usual;
  };
  const [compression, colours] = [await first(tags.compression, 1), await first(photometric, 0)];
  const isBrightness = compression === jpeg && colours === brightness && bands === 3;
  if (bands > 4 || bands === 2 || !(isBrightness || understood.has(colours))) return null;
  if (bands > 1 && (await first(planar, 1)) !== 1) return null;
  const predictor = await first(tags.predictor, 1);
  const pieces = await piecesOf(file, layout, fields, first);
  if (!pieces || !(compression === jpeg || canUnpack(compression)) || predictor > 2) return null;
  if (await hasMask(file, layout, directory)) return null;
  if (compression === jpeg)
    return borderOfJpeg(file, pieces, fields.get(jpegTables), isBrightness ? 1 : bands);
  const across = Math.ceil(pieces.width / pieces.columns);
  const pixels = new BorderPixels(bands, pieces.width, pieces.height);
  for (const index of chosenOf(pieces.places.length, across)) {
    const [at = 0, length = 0] = [pieces.places[index], pieces.lengths[index]];
    if (at === 0 || length === 0) continue;
    const packed = await file.take(at, Math.min(length, maxRead));
    const unpacked = unpack(compression, packed, pieces.columns * pieces.rows * bands);
    if (!unpacked) return null;
    const row = pieces.columns * bands;
    const whole = predictor > 1 ? unpacked.length - (unpacked.length % row) : unpacked.length;
    const bytes = predictor > 1 ? Buffer.from(unpacked.subarray(0, whole)) : unpacked;
    if (predictor > 1)
      undoPredictor(bytes, predictor, {
        ...{ columns: pieces.columns, bands, size: 1 },
        littleEndian: layout.littleEndian,
      });
    const [left, top] = [(index % across) * pieces.columns, Math.floor(index / across) * pieces.rows];
    const [right, bottom] = [Math.min(pieces.columns, pieces.width - left), pieces.height - top];
    for (let line = 0; line < bottom && line * row < bytes.length; line++)
      pixels.takeRow(bytes.subarray(line * row, line * row + right * bands), left, top + line);
  }
  return pixels.border && { border: pixels.border };
}

/** By an eighth of each piece. */
async function borderOfJpeg(
  file: FileBytes,
  pieces: Pieces,
  tables: TiffField | undefined,
  bands: number,
): Promise<SeenBorder | null> {
  const common =
    tables && tables.count > 4 ? [await file.take(tables.at, Math.min(tables.count, maxTables))] : [];
  const across = Math.ceil(pieces.width / pieces.columns);
  const [width, height] = [Math.ceil(pieces.width / 8), Math.ceil(pieces.height / 8)];
  const pixels = new BorderPixels(bands, width, height, 'means');
  for (const index of chosenOf(pieces.places.length, across)) {
    const [at = 0, length = 0] = [pieces.places[index], pieces.lengths[index]];
    if (at === 0 || length === 0) continue;
    const packed = await file.take(at, Math.min(length, maxRead));
    const eighth = unpackEighth([...common, packed], bands === 1);
    if (eighth?.bands !== bands || eighth.columns * 8 < pieces.columns) return null;
    const left = Math.floor(((index % across) * pieces.columns) / 8);
    const top = Math.floor((Math.floor(index / across) * pieces.rows) / 8);
    const right = Math.min(Math.ceil(pieces.columns / 8), width - left);
    for (const [line, row] of eighth.rows.slice(0, height - top).entries())
      pixels.takeRow(row.subarray(0, right * bands), left, top + line);
  }
  return pixels.border && { border: pixels.border, lossy: true };
}

/** One that says which pixels are there lies in a directory of its own, behind that of the picture. */
async function hasMask(file: FileBytes, layout: TiffLayout, { next }: TiffDirectory): Promise<boolean> {
  for (let at = next, count = 0; at !== 0 && count < maxBehind; count++) {
    const directory = await readTiffDirectory(file, layout, at);
    const field = directory.fields.get(subfileType);
    const kind = field ? (await readTiffNumbers(file, layout, field, 0, 1))?.[0] : 0;
    if (((kind ?? 0) & maskBit) !== 0) return true;
    at = directory.next;
  }
  return false;
}
