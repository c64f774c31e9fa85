import type { FileBytes } from '../formats/base/file-bytes.ts';
import {
  maxValues,
  readTiffDirectory,
  readTiffHeader,
  readTiffNumbers,
  readTiffText,
  type TiffDirectory,
  type TiffLayout,
} from '../formats/raster/tiff-directory.ts';

/** A picture of a raster, as TIFF stores it: all of it, or a smaller copy (overview). */
export interface TiffLevel {
  readonly layout: Pick<TiffLayout, 'littleEndian'>;
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  /** Null for others, such as complex numbers. */
  readonly sample: 'unsigned' | 'signed' | 'float' | null;
  readonly samples: number;
  /** Index of the band with the opacity, or null. */
  readonly alpha: number | null;
  readonly photometric: number;
  readonly compression: number;
  readonly predictor: number;
  /** Bands have pieces of their own. */
  readonly isPlanar: boolean;
  /** Pixels per strip or tile. */
  readonly columns: number;
  readonly rows: number;
  readonly offsets: readonly number[];
  readonly lengths: readonly number[];
  readonly noData: number | null;
  readonly colourMap: readonly number[] | null;
  readonly jpegTables: Buffer | null;
}

const tags = {
  ...{ kind: 254, width: 256, height: 257, bits: 258, compression: 259, photometric: 262 },
  ...{ stripOffsets: 273, samples: 277, rowsPerStrip: 278, stripLengths: 279, planar: 284, predictor: 317 },
  ...{ colourMap: 320, tileWidth: 322, tileHeight: 323, tileOffsets: 324, tileLengths: 325 },
  ...{ extraSamples: 338, sampleFormat: 339, jpegTables: 347, noData: 42_113 },
};
const maxLevels = 40;
const maxPieces = 65_536;
const maxTables = 64 * 1024;
/** Relative difference in the aspect of overviews, whose sizes are rounded. */
const maxSkew = 0.03;
const maskBit = 4;
const formats: Readonly<Record<number, TiffLevel['sample']>> = {
  ...{ 1: 'unsigned', 2: 'signed', 3: 'float', 4: 'unsigned' },
};

type Fields = TiffDirectory['fields'];

/** Reads fields of a directory. `fallback`: value of a missing field. */
interface FieldReader {
  readonly number: (tag: number, fallback: number) => Promise<number>;
  readonly list: (tag: number) => Promise<readonly number[]>;
}

function readerFor(file: FileBytes, layout: TiffLayout, fields: Fields): FieldReader {
  return {
    number: async (tag, fallback) => {
      const field = fields.get(tag);
      return (field && (await readTiffNumbers(file, layout, field, 0, 1))?.[0]) ?? fallback;
    },
    list: async (tag) => {
      const field = fields.get(tag);
      const numbers: number[] = [];
      if (!field || field.count > maxPieces) return numbers;
      while (numbers.length < field.count) {
        const count = Math.min(maxValues, field.count - numbers.length);
        const page = await readTiffNumbers(file, layout, field, numbers.length, count);
        if (!page) return [];
        numbers.push(...page);
      }
      return numbers;
    },
  };
}

/**
 * Returns up to two pictures to try: the smallest of at least this side, then the largest below. Throws
 * `PastEndError`, `ReadLimitError`.
 */
export async function tiffLevels(file: FileBytes, side: number): Promise<readonly TiffLevel[]> {
  const layout = await readTiffHeader(file);
  if (!layout) return [];
  const levels: { readonly fields: Fields; readonly width: number; readonly height: number }[] = [];
  const visitedOffsets = new Set<number>();
  let offset = layout.firstDirectory;
  while (offset !== 0 && visitedOffsets.size < maxLevels && !visitedOffsets.has(offset)) {
    visitedOffsets.add(offset);
    const { fields, nextDirectory } = await readTiffDirectory(file, layout, offset);
    const { number } = readerFor(file, layout, fields);
    const [width, height] = [await number(tags.width, 0), await number(tags.height, 0)];
    const [whole] = levels;
    const isMask = ((await number(tags.kind, 0)) & maskBit) !== 0;
    const isCopy =
      !whole ||
      (width < whole.width &&
        Math.abs((width * whole.height) / (height * whole.width) - 1) <=
          maxSkew + 1 / Math.min(width, height));
    if (width > 0 && height > 0 && !isMask && isCopy) levels.push({ fields, width, height });
    if (levels.length === 0) return [];
    offset = nextDirectory;
  }
  const bySize = levels.toSorted((a, b) => a.width - b.width);
  const isLarge = ({ width, height }: (typeof levels)[number]) => Math.max(width, height) >= side;
  const chosen = [bySize.find(isLarge), bySize.findLast((level) => !isLarge(level))];
  const noDataField = levels[0]?.fields.get(tags.noData);
  const text = noDataField ? await readTiffText(file, noDataField) : null;
  const noData = text === null ? null : Number.parseFloat(text);
  const read: TiffLevel[] = [];
  for (const level of chosen) if (level) read.push({ ...(await readLevel(file, layout, level)), noData });
  return read;
}

async function readLevel(
  file: FileBytes,
  layout: TiffLayout,
  { fields, width, height }: { readonly fields: Fields; readonly width: number; readonly height: number },
): Promise<Omit<TiffLevel, 'noData'>> {
  const { number, list } = readerFor(file, layout, fields);
  const isTiled = fields.has(tags.tileOffsets);
  const samples = await number(tags.samples, 1);
  const [extra] = await list(tags.extraSamples);
  const extraCount = fields.get(tags.extraSamples)?.count ?? 0;
  const tables = fields.get(tags.jpegTables);
  const map = await list(tags.colourMap);
  return {
    ...{ layout, width, height, samples },
    bits: await number(tags.bits, 1),
    sample: formats[await number(tags.sampleFormat, 1)] ?? null,
    alpha: extra === 1 || extra === 2 ? samples - extraCount : null,
    photometric: await number(tags.photometric, 1),
    compression: await number(tags.compression, 1),
    predictor: await number(tags.predictor, 1),
    isPlanar: samples > 1 && (await number(tags.planar, 1)) === 2,
    columns: isTiled ? await number(tags.tileWidth, 0) : width,
    rows: isTiled
      ? await number(tags.tileHeight, 0)
      : Math.min(height, await number(tags.rowsPerStrip, height)),
    offsets: await list(isTiled ? tags.tileOffsets : tags.stripOffsets),
    lengths: await list(isTiled ? tags.tileLengths : tags.stripLengths),
    colourMap: map.length === 768 ? map : null,
    jpegTables: tables && tables.count <= maxTables ? await file.read(tables.offset, tables.count) : null,
  };
}
