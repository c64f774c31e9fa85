import { FileBytes } from '../formats/base/file-bytes.ts';
import { readWebp } from '../formats/models/textures.ts';
import { type ByteRange, readSegments } from '../formats/raster/jpeg.ts';
import { readPng } from '../formats/raster/pictures.ts';
import { readTiffDirectory, readTiffHeader, readTiffNumbers } from '../formats/raster/tiff-directory.ts';
import { type EncodedPicture, isDrawable, limits } from './picture.ts';

const tags = { orientation: 274, previewOffset: 513, previewLength: 514 };
/** Pixels; smaller previews look worse than an icon. */
const minPreview = 100;

/** Reads a whole PNG or WebP within the limits; null otherwise. */
export async function pictureIn(file: FileBytes): Promise<EncodedPicture | null> {
  const { head } = (await file.startsWith('RIFF'))
    ? await readWebp(file, async () => null)
    : await readPng(file);
  const [width, height] = (head && 'size' in head && head.size) || [0, 0];
  return isDrawable(width, height) ? wholeFile(file) : null;
}

/** Reads a JPEG's EXIF preview, or all of it within the limits; null otherwise. */
export async function photoIn(file: FileBytes): Promise<EncodedPicture | null> {
  const { exif, size } = await readSegments(file);
  if (!size) return null;
  const [width, height] = size;
  const preview = exif && (await previewIn(file, exif).catch(() => null));
  if (preview) return { size: null, parts: [{ x: 0, y: 0, bytes: preview }], aspect: width / height };
  return isDrawable(width, height) ? wholeFile(file) : null;
}

async function wholeFile(file: FileBytes): Promise<EncodedPicture | null> {
  const bytes = await file.readWhole(limits.bytes);
  return bytes && { size: null, parts: [{ x: 0, y: 0, bytes }] };
}

/** Null for a rotated photo, because its preview doesn't say so itself. */
async function previewIn(file: FileBytes, { offset, length }: ByteRange): Promise<Buffer | null> {
  const bytes = await file.read(offset, length);
  const exif = bytesOf(bytes);
  const layout = await readTiffHeader(exif);
  if (!layout) return null;
  const photo = await readTiffDirectory(exif, layout, layout.firstDirectory);
  if (photo.nextDirectory === 0) return null;
  const { fields } = await readTiffDirectory(exif, layout, photo.nextDirectory);
  const numberOf = async (directory: typeof fields, tag: number) => {
    const field = directory.get(tag);
    return (field && (await readTiffNumbers(exif, layout, field, 0, 1))?.[0]) ?? 0;
  };
  if ((await numberOf(photo.fields, tags.orientation)) > 1) return null;
  const start = await numberOf(fields, tags.previewOffset);
  const preview = bytes.subarray(start, start + (await numberOf(fields, tags.previewLength)));
  const [width, height] = (await readSegments(bytesOf(preview))).size ?? [0, 0];
  return Math.max(width, height) >= minPreview && isDrawable(width, height) ? preview : null;
}

/** Reads bytes that are in memory. */
export const bytesOf = (bytes: Buffer): FileBytes =>
  new FileBytes(bytes.length, async (offset, length) => bytes.subarray(offset, offset + length));
