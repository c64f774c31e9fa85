import type { FileBytes } from '../formats/base/file-bytes.ts';
import { readGridHeader } from '../formats/raster/grids.ts';
import { fitInto, isDrawable, limits, type Pixels, thumbnailSide } from './picture.ts';
import { coloursOf } from './raster.ts';

/** A grid has decimals without colours, and empty cells have exactly the written value. */
const values = { bits: 64, sample: 'float', photometric: 1, colourMap: null } as const;

/** Draws an ESRI ASCII grid of at most `limits.bytes`; null if it needs too much or fails. */
export async function gridIn(file: FileBytes): Promise<Pixels | null> {
  const bytes = await file.readWhole(limits.bytes);
  const header = bytes && readGridHeader(bytes);
  if (!header || !isDrawable(header.columns, header.rows)) return null;
  const { columns, rows, noData, dataOffset } = header;
  const [width, height] = fitInto(columns, rows, thumbnailSide);
  const band = new Float64Array(width * height).fill(Number.NaN);
  const cellOf = (place: number) => {
    const [x, y] = [place % width, Math.floor(place / width)];
    return Math.floor(((y + 0.5) * rows) / height) * columns + Math.floor(((x + 0.5) * columns) / width);
  };
  let [cell, place, offset, nextCell] = [0, 0, dataOffset, cellOf(0)];
  while (place < band.length && offset < bytes.length) {
    let end = offset;
    while (end < bytes.length && (bytes[end] ?? 0) > space) end++;
    if (end > offset) {
      if (cell === nextCell) {
        band[place] = Number(bytes.toString('latin1', offset, end).replace(',', '.'));
        place += 1;
        nextCell = cellOf(place);
      }
      cell += 1;
    }
    offset = end + 1;
  }
  const opacity = new Uint8Array(band.length).fill(255);
  return { width, height, rgba: coloursOf({ bands: [band], opacity }, { ...values, noData }) };
}

const space = 32;
