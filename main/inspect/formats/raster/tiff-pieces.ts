import type { FileBytes } from '../base/file-bytes.ts';
import { readTiffNumbers, type TiffDirectory, type TiffLayout } from './tiff-directory.ts';

const tags = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  samples: 277,
  rowsPerStrip: 278,
  planar: 284,
  tileWidth: 322,
  tileLength: 323,
};
const [uncompressed, planar] = [1, 2];
/** If a packed piece claims over 1 MiB, libtiff reads at most ten times its unpacked size plus 4 KiB. */
const [trustedLength, maxRatio, extraLength] = [1024 * 1024, 10, 4_096];

/** LZW, JPEG, Deflate, JPEG 2000, LERC, LZMA, Zstandard, WebP, JPEG XL: none begins with zeros. */
const markedCompressions = new Set([
  5, 7, 8, 32_946, 33_003, 33_005, 34_712, 34_887, 34_925, 50_000, 50_001, 50_002,
]);

/** Whether pieces can't begin with zeros. Throws `PastEndError`, `ReadLimitError`. */
export async function hasMarkedCompression(
  file: FileBytes,
  layout: TiffLayout,
  { fields }: TiffDirectory,
): Promise<boolean> {
  const field = fields.get(tags.compression);
  const [compression = uncompressed] = (field && (await readTiffNumbers(file, layout, field, 0, 1))) ?? [];
  return markedCompressions.has(compression);
}

/**
 * Returns how many bytes libtiff reads of a strip or tile (`TIFFFillStrip`, `TIFFFillTile`): at most its
 * pixels if uncompressed, else up to the limit above. Throws `PastEndError`, `ReadLimitError`.
 */
export async function bytesOfPieces(
  file: FileBytes,
  layout: TiffLayout,
  { fields }: TiffDirectory,
): Promise<(index: number, statedLength: number) => number> {
  const firstValue = async (tag: number, fallback: number) => {
    const field = fields.get(tag);
    return field && field.count > 0
      ? ((await readTiffNumbers(file, layout, field, 0, 1))?.[0] ?? fallback)
      : fallback;
  };
  const [width, height] = [await firstValue(tags.width, 0), await firstValue(tags.height, 0)];
  const [bits, samples] = [await firstValue(tags.bits, 1), await firstValue(tags.samples, 1)];
  const samplesPerPiece = (await firstValue(tags.planar, 1)) === planar ? 1 : samples;
  const isTiled = fields.has(tags.tileWidth);
  const columns = isTiled ? await firstValue(tags.tileWidth, 0) : width;
  const statedRows = isTiled
    ? await firstValue(tags.tileLength, 0)
    : await firstValue(tags.rowsPerStrip, height);
  const rows = isTiled ? statedRows : Math.min(statedRows, height);
  const row = Math.ceil((columns * bits * samplesPerPiece) / 8);
  if (!(row > 0 && rows > 0)) return (_, statedLength) => statedLength;
  const strips = Math.ceil(height / rows);
  const rowsOf = (index: number) => {
    const isLast = !isTiled && index % strips === strips - 1;
    return isLast ? height - (strips - 1) * rows : rows;
  };
  const isPlain = (await firstValue(tags.compression, uncompressed)) === uncompressed;
  return (index, statedLength) => {
    const fullLength = row * rowsOf(index);
    if (isPlain) return Math.min(statedLength, fullLength);
    return statedLength > trustedLength
      ? Math.min(statedLength, fullLength * maxRatio + extraLength)
      : statedLength;
  };
}
