import { type FileBytes, uint } from './file-bytes.ts';
import type { Verdict } from './format.ts';
import { isText } from './texts.ts';

/** Formats that state their length. */

/** Exporters align files to 4 or 8 bytes past the stated length. */
const longestPadding = 8;

/** glTF 2.0, binary: the length is the third word of the header. */
export async function glbEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.begins('glTF'))) return 'otherFormat';
  const length = (await file.take(8, 4)).readUInt32LE(0);
  file.need(0, length);
  return length + longestPadding < file.size ? 'tooLong' : null;
}

/** Readers also accept glTF and gzipped tiles under these names. */
const otherTiles = ['glTF', '\x1f\x8b'];

/** 3D Tiles 1.0: Batched 3D Model, Instanced 3D Model, Point Cloud, Composite. */
export async function tileEnd(file: FileBytes): Promise<Verdict> {
  const magic = (await file.first(4)).toString('latin1');
  if (!['b3dm', 'i3dm', 'pnts', 'cmpt'].some((known) => known.startsWith(magic)))
    return otherTiles.some((other) => magic.startsWith(other)) ? null : 'otherFormat';
  file.need(0, (await file.take(8, 4)).readUInt32LE(0));
  return null;
}

/** ESRI Shapefile: length in 16-bit words, filled in last. */
export async function shapeEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.begins('\0\0\x27\x0a'))) return null;
  const length = (await file.take(24, 4)).readUInt32BE(0) * 2;
  file.need(0, Math.max(length, 100));
  return length <= 100 && file.size > 100 ? 'tooLong' : null;
}

/** dBase versions used with shapefiles. */
const dbaseVersions = [0x02, 0x03, 0x04, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8b, 0xcb, 0xf5, 0xfb];

export async function dbaseEnd(file: FileBytes): Promise<Verdict> {
  if (!dbaseVersions.includes((await file.first(1)).readUInt8(0))) return null;
  const head = await file.take(0, 12);
  file.need(head.readUInt16LE(8), head.readUInt32LE(4) * head.readUInt16LE(10));
  return null;
}

/**
 * SQLite ("Database File Format", 1.3): page count times page size. The count is valid only if both change
 * counters agree.
 */
export async function sqliteEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.begins('SQLite format 3\0'))) return null;
  const head = await file.take(0, 100);
  const page = head.readUInt16BE(16);
  file.need(0, page === 1 ? 65_536 : page);
  if (head.readUInt32BE(24) === head.readUInt32BE(92))
    file.need(0, (page === 1 ? 65_536 : page) * head.readUInt32BE(28));
  return null;
}

/** Parquet: a mark at both ends, preceded by the footer's length. */
export async function parquetEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.begins('PAR1'))) return null;
  if (file.size < 12) return 'tooShort';
  const tail = await file.last(8);
  if (tail.toString('latin1', 4) !== 'PAR1') return 'noEnd';
  return tail.readUInt32LE(0) + 12 > file.size ? 'tooShort' : null;
}

/** HDF5 ("File Format Specification", II.A): the superblock at 0, 512, 1,024, … states the file's end. */
export async function hdf5End(file: FileBytes): Promise<Verdict> {
  const signature = '\x89HDF\r\n\x1a\n';
  for (let at = 0; at < Math.min(file.size, 64 * 1024); at = at === 0 ? 512 : at * 2) {
    if (at === 0 ? !(await file.begins(signature)) : !(await isAt(file, at, signature))) continue;
    const head = await file.take(at, 16);
    const version = head.readUInt8(8);
    if (version > 3) return null;
    const isOld = version < 2;
    const size = head.readUInt8(isOld ? 13 : 9);
    if (size !== 4 && size !== 8) return null;
    const first = isOld ? (version === 1 ? 28 : 24) : 12;
    const addresses = await file.take(at + first, size * 3);
    const base = uint(addresses, 0, size);
    file.need(base, uint(addresses, size * 2, size));
    return null;
  }
  return null;
}

async function isAt(file: FileBytes, at: number, signature: string): Promise<boolean> {
  if (at + signature.length > file.size) return false;
  return (await file.take(at, signature.length)).toString('latin1') === signature;
}

const maxNodes = 200;

/** Binary FBX: follows the nodes' ends to the empty node. Doesn't check text. */
export async function fbxEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.begins('Kaydara FBX Binary  \0')))
    return isText(await file.first(512)) ? null : 'otherFormat';
  const size = (await file.take(23, 4)).readUInt32LE(0) >= 7_500 ? 8 : 4;
  let at = 27;
  for (let node = 0; node < maxNodes; node++) {
    const end = uint(await file.take(at, size), 0, size);
    if (end === 0) return null;
    if (end <= at) return null;
    file.need(end);
    at = end;
  }
  return null;
}
