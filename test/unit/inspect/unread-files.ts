import type { FindingId } from '../../../shared/findings.ts';
import { rasterFile } from './findings/raster-files.ts';
import { archiveOf } from './formats/archive-files.ts';
import { jpeg, las, png, samples } from './formats/sample-files.ts';

/** A delivery with files that are false or not completely read. */
interface Delivery {
  readonly name: string;
  readonly files: Readonly<Record<string, Buffer>>;
  /** Expected error finding of each file. */
  readonly finding?: FindingId;
  /** Otherwise the user's text about the unread part. */
  readonly says?: string;
}

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
const mapFiles = (change: (bytes: Buffer) => Buffer) =>
  Object.fromEntries(Object.entries(wholeFiles).map(([name, bytes]) => [name, change(bytes)]));
const sampleOf = (ending: string): Buffer =>
  samples.find((sample) => sample.ending === ending)?.bytes ?? Buffer.alloc(0);

/** None of these may pass as checked. */
export const deliveries: readonly Delivery[] = [
  { name: 'files of zeros', files: mapFiles(allZero), finding: 'not-filled' },
  { name: 'files whose second half is zero', files: mapFiles(halfZero), finding: 'not-filled' },
  {
    name: 'text named .las',
    files: { 'scan.las': Buffer.from('x y z\n'.repeat(400)) },
    finding: 'wrong-format',
  },
  { name: 'a PNG named .tif', files: { 'ortho.tif': png }, finding: 'wrong-format' },
  {
    name: 'HEIC photos named .jpg',
    files: { 'a.jpg': heic(1), 'b.jpg': heic(2) },
    finding: 'wrong-format',
  },
  {
    name: 'a mosaic description named .tif',
    files: { 'tile.tif': Buffer.from('<VRTDataset rasterXSize="1" rasterYSize="1"></VRTDataset>') },
    finding: 'wrong-format',
  },
  {
    name: 'scans in E57',
    files: { 'a.e57': sampleOf('.e57') },
    says: '1 file was only checked for completeness; its content was not read: a.e57',
  },
  {
    name: 'an archive with a raster',
    files: { 'data.zip': archiveOf({ 'a.tif': { content: plain, flags: 1 } }) },
    says: '1 archive or file in an archive: only names were read: data.zip/a.tif',
  },
  {
    name: 'a drawing',
    files: { 'plan.dwg': Buffer.from('AC1032\0\0') },
    says: '1 file was not read, because Tilelift can’t read its format: plan.dwg',
  },
  {
    name: 'files of which none is recognized',
    files: { 'scene.spz2': noise(500) },
    says: 'No data files were recognized, so nothing was checked.',
  },
];

/** The same files undamaged, and an uncompressed raster that may really end in black. */
export const wholeDelivery: Readonly<Record<string, Buffer>> = { ...wholeFiles, 'e.tif': plain };

export function heic(number: number): Buffer {
  return Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), noise(500 + number)]);
}
