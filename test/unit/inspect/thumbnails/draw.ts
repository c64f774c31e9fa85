import { unpackLaz } from '../../../../main/inspect/headers/laz-perf.ts';
import { drawFile } from '../../../../main/inspect/thumbnails/thumbnail.ts';
import { type TiffField, tiffDirectory, tiffHeader } from '../formats/tiff-directory.ts';

/** Draws bytes as if they were a file. `size`: as if it were that long. `onRead`: with each read. */
export async function draw(name: string, bytes: Buffer, size = bytes.length, onRead = () => {}) {
  let bytesRead = 0;
  const read = async (at: number, length: number) => {
    bytesRead += length;
    onRead();
    return bytes.subarray(at, at + length);
  };
  return { drawn: await drawFile(name, size, read, unpackLaz), bytesRead };
}

/** Directories one after the other, each with its fields, and bytes behind them. */
export function tiffOf(directories: readonly (readonly TiffField[])[], data: Buffer, dataAt = 4_096): Buffer {
  let at = 8;
  const written = directories.map((fields, index) => {
    const { length } = tiffDirectory(fields, { at });
    const next = index + 1 < directories.length ? at + length : 0;
    const directory = tiffDirectory(fields, { at, next });
    at += length;
    return directory;
  });
  const head = Buffer.concat([tiffHeader(8), ...written]);
  return Buffer.concat([head, Buffer.alloc(dataAt - head.length), data]);
}

export const plainFields = (width: number, height: number, offset: number): readonly TiffField[] => [
  [256, 4, [width]],
  [257, 4, [height]],
  [258, 3, [8, 8, 8]],
  [259, 3, [1]],
  [262, 3, [2]],
  [273, 4, [offset]],
  [277, 3, [3]],
  [278, 4, [height]],
  [279, 4, [width * height * 3]],
];
