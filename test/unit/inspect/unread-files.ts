import { rasterFile } from './findings/raster-files.ts';
import { jpeg, las, png } from './formats/sample-files.ts';

const noise = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, index) => ((index * 7_919) >> 3) & 0xff));
/** Values that barely compress. */
const rows = Array.from({ length: 60 }, (_, row) =>
  Array.from({ length: 60 }, (_, column) => Math.sin(row * 60 + column) * 1_000),
);
const deflated = rasterFile({ rows, compression: 'deflate' });
export const plain = rasterFile({ rows });
const points = las({ points: 600 });
points.fill(noise(400), points.length - 8_000);
/** A single scan with its end far from its beginning. */
const photo = Buffer.concat([
  jpeg.subarray(0, -2),
  noise(300_000).map((byte) => byte & 0x7f),
  Buffer.from([0xff, 0xd9]),
]);
const chunk = (kind: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, Buffer.from(kind, 'latin1'), body, Buffer.alloc(4, 1)]);
};
const picture = Buffer.concat([
  png.subarray(0, 33),
  ...Array.from({ length: 20 }, () => chunk('IDAT', noise(8_000))),
  chunk('IEND', Buffer.alloc(0)),
]);
export const wholeFiles = { 'a.tif': deflated, 'b.las': points, 'c.jpg': photo, 'd.png': picture };

export const allZero = (bytes: Buffer): Buffer => Buffer.alloc(bytes.length);
/** The directory follows the strips; an aborted copy may keep it there. */
export const halfZero = (bytes: Buffer): Buffer => {
  const half = Buffer.from(bytes);
  const isRaster = bytes.toString('latin1', 0, 2) === 'II';
  return half.fill(0, half.length >> 1, isRaster ? half.readUInt32LE(4) : half.length);
};

export function heic(number: number): Buffer {
  return Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), noise(500 + number)]);
}
