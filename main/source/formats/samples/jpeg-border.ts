import type { FileBytes } from '../file-bytes.ts';
import { BorderPixels, type SeenBorder } from './border-pixels.ts';
import { unpackEighth } from './jpeg-eighth.ts';

/** Of one file, bytes. */
const maxRead = 192 * 1024;

/**
 * As `samplePngBorder`, of a sequential JPEG: by an eighth of the rows that can be unpacked from its first
 * bytes. Throws `PastEnd`, `ReadEnough`.
 */
export async function sampleJpegBorder(
  file: FileBytes,
  [width, height]: readonly [columns: number, rows: number],
): Promise<SeenBorder | null> {
  const eighth = unpackEighth([await file.first(maxRead)], true);
  if (!eighth) return null;
  const columns = Math.ceil(width / 8);
  const pixels = new BorderPixels(eighth.bands, columns, Math.ceil(height / 8), 'means');
  for (const [line, row] of eighth.rows.entries())
    pixels.takeRow(row.subarray(0, columns * eighth.bands), 0, line);
  return pixels.seen && { ...pixels.seen, lossy: true };
}
