import { posix } from 'node:path';
import type { KnownSourceType } from '../../../shared/kinds.ts';
import { FileBytes } from '../formats/base/file-bytes.ts';
import type { UnpackLaz } from '../formats/base/format.ts';
import { photoIn, pictureIn } from './photo.ts';
import { type EncodedPicture, limits } from './picture.ts';
import { encodePng } from './png.ts';
import { pointsIn } from './points.ts';
import { rasterIn } from './raster.ts';

/** A PNG, or pictures that Chromium has to decode. */
export type Thumbnail = Uint8Array | EncodedPicture;

const maxReads = 2_000;

const readers: Readonly<Record<string, 'photo' | 'picture' | 'points' | 'raster'>> = {
  ...{ jpg: 'photo', jpeg: 'photo', png: 'picture', webp: 'picture' },
  ...{ tif: 'raster', tiff: 'raster', las: 'points', laz: 'points' },
};

const rasters = ['tif', 'tiff'];
/** Extensions of files that show what an asset of this kind is. Textures of models don't. */
const telling: { readonly [Kind in KnownSourceType]?: readonly string[] } = {
  RASTER_IMAGERY: [...rasters, 'jpg', 'jpeg', 'png', 'webp'],
  RASTER_TERRAIN: rasters,
  POINT_CLOUD: ['las', 'laz'],
  '3D_CAPTURE': [...rasters, 'jpg', 'jpeg'],
};
/** With these, the pictures of a capture are textures. */
const models = new Set(['obj', 'mtl', 'fbx', 'dae', 'ply', 'gltf', 'glb', 'osgb', '3mx', 's3c']);
const maxFiles = 2_000;

/** Chooses the file that shows what an asset of this kind is, or null, among its first files. */
export function chooseFile<File extends { readonly key: string }>(
  sourceType: string,
  files: Iterable<File>,
): File | null {
  const extensions = telling[sourceType as KnownSourceType];
  let chosen: File | null = null;
  let count = 0;
  if (!extensions) return null;
  for (const file of files) {
    const extension = extensionOf(file.key);
    if (models.has(extension)) return null;
    if (extensions.includes(extension)) chosen ??= file;
    count += 1;
    if (count >= maxFiles || (chosen && sourceType !== '3D_CAPTURE')) break;
  }
  return chosen;
}

const extensionOf = (key: string) => posix.extname(key).slice(1).toLowerCase();

/** Draws a file within the limits. Null if it can't be drawn, whatever the reason. */
export async function drawFile(
  path: string,
  size: number,
  read: (offset: number, length: number) => Promise<Buffer>,
  unpackLaz: UnpackLaz,
): Promise<Thumbnail | null> {
  const began = performance.now();
  const elapsedMs = () => performance.now() - began;
  const file = new FileBytes(size, read, limits.bytes, size, maxReads);
  try {
    const kind = readers[extensionOf(path)];
    if (kind === 'photo') return await photoIn(file);
    if (kind === 'picture') return await pictureIn(file);
    const picture =
      kind === 'raster' ? await rasterIn(file, elapsedMs) : await pointsIn(file, unpackLaz, elapsedMs);
    return picture && ('rgba' in picture ? encodePng(picture) : picture);
  } catch {
    return null;
  }
}
