import { deflateSync, zstdCompressSync } from 'node:zlib';
import { type TiffField, tiffDirectory, tiffHeader } from '../formats/tiff-directory.ts';

interface Picture {
  readonly columns: number;
  readonly rows: number;
  readonly bands?: 1 | 3 | 4;
  readonly at: (x: number, y: number) => readonly number[] | number;
  readonly compression?: 'none' | 'deflate' | 'zstd';
  /** Side of the tiles; default: strips of eight rows. */
  readonly tile?: number;
  /** Meaning of the fourth band: 0 unspecified, 2 alpha. */
  readonly extra?: 0 | 2;
  readonly noData?: string;
  /** Adds a second directory with its mask. */
  readonly mask?: true;
  /** False lengths of pieces, by index. */
  readonly claimed?: Readonly<Record<number, number>>;
  /** 2: differences from the previous value. */
  readonly predictor?: 1 | 2;
  readonly place?: readonly [x: number, y: number];
}

/** A little-endian TIFF with 8-bit bands. */
export function pictureFile(picture: Picture): Buffer {
  const { columns, rows, bands = 3, at, compression = 'deflate', tile, extra: extraSample, noData } = picture;
  const { mask = false, predictor = 1, claimed: claimedLengths = {}, place } = picture;
  const [width, height] = tile ? [tile, tile] : [columns, 8];
  const pieces: Buffer[] = [];
  for (let top = 0; top < rows; top += height)
    for (let leftColumn = 0; leftColumn < columns; leftColumn += width) {
      const lines = tile ? height : Math.min(height, rows - top);
      const bytes = Buffer.alloc(width * lines * bands);
      for (let y = 0; y < lines; y++)
        for (let x = 0; x < width; x++) {
          const value = leftColumn + x < columns && top + y < rows ? at(leftColumn + x, top + y) : 0;
          for (let band = 0; band < bands; band++)
            bytes[(y * width + x) * bands + band] = (typeof value === 'number' ? value : value[band]) ?? 0;
        }
      if (predictor === 2)
        for (let y = 0; y < lines; y++)
          for (let place = width * bands - 1; place >= bands; place--)
            bytes[y * width * bands + place] =
              (bytes[y * width * bands + place] ?? 0) - (bytes[y * width * bands + place - bands] ?? 0);
      pieces.push(
        { none: () => bytes, deflate: () => deflateSync(bytes), zstd: () => zstdCompressSync(bytes) }[
          compression
        ](),
      );
    }
  const places: number[] = [];
  let end = 8;
  for (const piece of pieces) {
    places.push(end);
    end += piece.length;
  }
  end += end % 2;
  const lengths = pieces.map(({ length }, index) => claimedLengths[index] ?? length);
  const fields: readonly TiffField[] = [
    [256, 4, [columns]],
    [257, 4, [rows]],
    [258, 3, Array.from({ length: bands }, () => 8)],
    [259, 3, [{ none: 1, deflate: 8, zstd: 50_000 }[compression]]],
    [262, 3, [bands === 1 ? 1 : 2]],
    ...(tile ? [] : [[273, 4, places] as const]),
    [277, 3, [bands]],
    ...(tile ? [] : [[278, 4, [height]] as const, [279, 4, lengths] as const]),
    [284, 3, [1]],
    [317, 3, [predictor]],
    ...(tile
      ? ([
          [322, 4, [tile]],
          [323, 4, [tile]],
          [324, 4, places],
          [325, 4, lengths],
        ] as const)
      : []),
    ...(bands === 4 ? [[338, 3, [extraSample ?? 0]] as const] : []),
    ...(place
      ? ([
          [33_550, 12, [1, 1, 0]],
          [33_922, 12, [0, 0, 0, ...place, 0]],
        ] as const)
      : []),
    ...(noData === undefined ? [] : [[42_113, 2, [...Buffer.from(`${noData}\0`)]] as const]),
  ];
  const firstDirectory = tiffDirectory(fields, { at: end });
  const body = Buffer.concat([tiffHeader(end), ...pieces]);
  const padded = Buffer.concat([body, Buffer.alloc(end - body.length)]);
  if (!mask) return Buffer.concat([padded, firstDirectory]);
  const nextOffset = end + firstDirectory.length;
  const secondDirectory = tiffDirectory([[254, 4, [4]]], { at: nextOffset });
  return Buffer.concat([padded, tiffDirectory(fields, { at: end, next: nextOffset }), secondDirectory]);
}
