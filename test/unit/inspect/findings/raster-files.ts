import { deflateSync } from 'node:zlib';
import { type TiffField, tiffDirectory, tiffHeader } from '../formats/tiff-directory.ts';

interface Raster {
  /** Row by row; each row is a strip. */
  readonly rows: readonly (readonly number[])[];
  readonly noData?: string;
  readonly compression?: 'none' | 'deflate' | 'packbits';
  /** 3 reorders the bytes of floats. */
  readonly predictor?: 1 | 3;
  readonly sparse?: readonly number[];
}

/** A little-endian TIFF with one band of 32-bit floats. */
export function rasterFile({
  rows,
  noData,
  compression = 'none',
  predictor = 1,
  sparse = [],
}: Raster): Buffer {
  const strips = rows.map((row, at) => {
    if (sparse.includes(at)) return Buffer.alloc(0);
    const plain = Buffer.alloc(row.length * 4);
    for (const [index, value] of row.entries()) plain.writeFloatLE(value, index * 4);
    const bytes = predictor === 3 ? splitBytes(plain) : plain;
    return compression === 'deflate'
      ? deflateSync(bytes)
      : compression === 'packbits'
        ? packBits(bytes)
        : bytes;
  });
  const columns = rows[0]?.length ?? 0;
  const places: number[] = [];
  let end = 8;
  for (const strip of strips) {
    places.push(strip.length === 0 ? 0 : end);
    end += strip.length;
  }
  const data = Buffer.concat(strips);
  const directoryAt = end + (end % 2);
  const fields: readonly TiffField[] = [
    [256, 4, [columns]],
    [257, 4, [rows.length]],
    [258, 3, [32]],
    [259, 3, [{ none: 1, deflate: 8, packbits: 32_773 }[compression]]],
    [262, 3, [1]],
    [273, 4, places],
    [277, 3, [1]],
    [278, 4, [1]],
    [279, 4, strips.map(({ length }) => length)],
    [317, 3, [predictor]],
    [339, 3, [3]],
    ...(noData === undefined ? [] : [[42_113, 2, [...Buffer.from(`${noData}\0`)]] as const]),
  ];
  return Buffer.concat([
    tiffHeader(directoryAt),
    data,
    Buffer.alloc(end % 2),
    tiffDirectory(fields, { at: directoryAt }),
  ]);
}

/** Adobe's predictor 3: the highest bytes of a row first, each as the difference from the previous one. */
function splitBytes(row: Buffer): Buffer {
  const count = row.length / 4;
  const turned = Buffer.alloc(row.length);
  for (let at = 0; at < count; at++)
    for (let byte = 0; byte < 4; byte++) turned[byte * count + at] = row[at * 4 + 3 - byte] ?? 0;
  return turned.map((byte, at) => byte - (at === 0 ? 0 : (turned[at - 1] ?? 0))) as Buffer;
}

/** PackBits: runs of one byte, and literal bytes. */
function packBits(bytes: Buffer): Buffer {
  const pieces: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    let run = 1;
    while (run < 128 && bytes[at + run] === bytes[at]) run += 1;
    pieces.push(...(run > 1 ? [257 - run, bytes[at] ?? 0] : [0, bytes[at] ?? 0]));
    at += run;
  }
  return Buffer.from(pieces);
}

/** Values row by row. */
export const rowsOf = (
  count: number,
  columns: number,
  valueAt: (row: number, column: number) => number,
): readonly (readonly number[])[] =>
  Array.from({ length: count }, (_, row) =>
    Array.from({ length: columns }, (_, column) => valueAt(row, column)),
  );
