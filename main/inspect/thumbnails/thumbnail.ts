import { FileBytes } from '../formats/base/file-bytes.ts';
import type { UnpackLaz } from '../formats/base/format.ts';
import { extensionOf } from './choose-file.ts';
import { gridIn } from './grid.ts';
import { imagineLevels } from './imagine-level.ts';
import { photoIn, pictureIn } from './photo.ts';
import { type EncodedPicture, limits, thumbnailSide } from './picture.ts';
import { encodePng } from './png.ts';
import { pointsIn } from './points.ts';
import { rasterIn } from './raster.ts';
import { tiffLevels } from './tiff-level.ts';

/** A PNG, or pictures that Chromium has to decode. */
export type Thumbnail = Uint8Array | EncodedPicture;

const maxReads = 2_000;

const readers: Readonly<Record<string, 'photo' | 'picture' | 'points' | 'tiff' | 'imagine' | 'grid'>> = {
  ...{ jpg: 'photo', jpeg: 'photo', png: 'picture', webp: 'picture' },
  ...{ tif: 'tiff', tiff: 'tiff', las: 'points', laz: 'points' },
  ...{ asc: 'grid', img: 'imagine' },
};

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
    const picture = await (kind === 'grid'
      ? gridIn(file)
      : kind === 'points'
        ? pointsIn(file, unpackLaz, elapsedMs)
        : rasterIn(
            await (kind === 'imagine' ? imagineLevels : tiffLevels)(file, thumbnailSide),
            file,
            elapsedMs,
          ));
    return picture && ('rgba' in picture ? encodePng(picture) : picture);
  } catch {
    return null;
  }
}
