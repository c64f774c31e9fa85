import type { FileBytes } from '../base/file-bytes.ts';
import { type Check, type Reader, unrecognizedFile } from '../base/format.ts';
import { bmpEnd, gifEnd, webpEnd } from '../raster/pictures.ts';

/** A picture without georeference. */
export interface TextureHead {
  readonly kind: 'texture';
  readonly size: readonly [columns: number, rows: number];
}

type Size = TextureHead['size'] | null;

const createReader =
  (
    signature: string,
    sizeIn: (file: FileBytes) => Promise<Size>,
    end: Check = () => null,
    zerosAtEnd?: 'unfilled',
  ): Reader<TextureHead> =>
  async (file) => {
    if (!(await file.startsWith(signature))) return unrecognizedFile;
    const size = await sizeIn(file);
    return { head: size && { kind: 'texture', size }, end, ...(zerosAtEnd && { zerosAtEnd }) };
  };

const sizeAt = (offset: number) => async (file: FileBytes) => {
  const bytes = await file.read(offset, 8);
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)] as const;
};

/** DirectDraw Surface (Microsoft, "DDS_HEADER"): height first. */
export const readDds = createReader('DDS ', async (file) => {
  const [height, width] = await sizeAt(12)(file);
  return [width, height];
});

/** Khronos Texture 2.0, section 3; 1D textures have height 0. */
export const readKtx2 = createReader('\xabKTX 20\xbb\r\n\x1a\n', sizeAt(20));

/** GIF89a, section 18. */
export const readGif = createReader(
  'GIF8',
  async (file) => {
    const bytes = await file.read(6, 4);
    return [bytes.readUInt16LE(0), bytes.readUInt16LE(2)];
  },
  gifEnd,
);

/** Windows bitmaps since 3.0; negative heights mean top-down rows. */
export const readBmp = createReader(
  'BM',
  async (file) => {
    const bytes = await file.read(14, 12);
    const isOld = bytes.readUInt32LE(0) === 12;
    return isOld
      ? [bytes.readUInt16LE(4), bytes.readUInt16LE(6)]
      : [Math.abs(bytes.readInt32LE(4)), Math.abs(bytes.readInt32LE(8))];
  },
  bmpEnd,
);

/** RFC 9649, sections 2.5 to 2.7: extended, lossy, lossless. */
export const readWebp = createReader('RIFF', webpSize, webpEnd, 'unfilled');

async function webpSize(file: FileBytes): Promise<Size> {
  const bytes = await file.readStart(30);
  if (bytes.length < 30 || bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (kind !== 'VP8L') return null;
  const bits = bytes.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
}
