import { posix } from 'node:path';
import type { KnownSourceType } from '../../../shared/kinds.ts';

const rasters = ['tif', 'tiff'];
/** Extensions of files that show what an asset of this kind is. Textures of models don't. */
const telling: { readonly [Kind in KnownSourceType]?: readonly string[] } = {
  RASTER_IMAGERY: [...rasters, 'jpg', 'jpeg', 'png', 'webp', 'img'],
  RASTER_TERRAIN: [...rasters, 'asc', 'img'],
  POINT_CLOUD: ['las', 'laz'],
  '3D_CAPTURE': [...rasters, 'jpg', 'jpeg'],
};
/** Files that make the pictures of a capture textures. */
const models = new Set(['obj', 'mtl', 'fbx', 'dae', 'ply', 'gltf', 'glb', 'osgb', '3mx', 's3c']);
const maxFiles = 2_000;

/**
 * Chooses the file that shows what an asset of this kind is, or null, among its first files.
 *
 * @param excluded keys of files that are left out
 */
export function chooseFile<File extends { readonly key: string }>(
  sourceType: string,
  files: Iterable<File>,
  excluded: ReadonlySet<string> = new Set(),
): File | null {
  const extensions = telling[sourceType as KnownSourceType];
  let chosen: File | null = null;
  let count = 0;
  if (!extensions) return null;
  for (const file of files) {
    const extension = extensionOf(file.key);
    if (models.has(extension)) return null;
    if (extensions.includes(extension) && !excluded.has(file.key)) chosen ??= file;
    count += 1;
    if (count >= maxFiles || (chosen && sourceType !== '3D_CAPTURE')) break;
  }
  return chosen;
}

/** Lower case, without the dot. */
export const extensionOf = (key: string) => posix.extname(key).slice(1).toLowerCase();
