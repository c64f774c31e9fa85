import { type FileBytes, readUint } from './file-bytes.ts';
import type { Verdict } from './format.ts';
import { isPlainText } from './texts.ts';

/** Formats that state their length. */

/** Exporters align files to 4 or 8 bytes past the stated length. */
const maxPadding = 8;

/** glTF 2.0, binary: the length is the third word of the header. */
export async function glbEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.startsWith('glTF'))) return 'otherFormat';
  const length = (await file.read(8, 4)).readUInt32LE(0);
  file.requireRange(0, length);
  return length + maxPadding < file.size ? 'tooLong' : null;
}

/** Readers also accept glTF and gzipped tiles under these names. */
const otherTileMagics = ['glTF', '\x1f\x8b'];

/** 3D Tiles 1.0: Batched 3D Model, Instanced 3D Model, Point Cloud, Composite. */
export async function tileEnd(file: FileBytes): Promise<Verdict> {
  const magic = (await file.readStart(4)).toString('latin1');
  if (!['b3dm', 'i3dm', 'pnts', 'cmpt'].some((tileMagic) => tileMagic.startsWith(magic)))
    return otherTileMagics.some((magicStart) => magic.startsWith(magicStart)) ? null : 'otherFormat';
  file.requireRange(0, (await file.read(8, 4)).readUInt32LE(0));
  return null;
}

/** ESRI Shapefile: length in 16-bit words, filled in last. */
export async function shapeEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.startsWith('\0\0\x27\x0a'))) return null;
  const length = (await file.read(24, 4)).readUInt32BE(0) * 2;
  file.requireRange(0, Math.max(length, 100));
  return length <= 100 && file.size > 100 ? 'tooLong' : null;
}

/** dBase versions used with shapefiles. */
const dbaseVersions = [0x02, 0x03, 0x04, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8b, 0xcb, 0xf5, 0xfb];

export async function dbaseEnd(file: FileBytes): Promise<Verdict> {
  if (!dbaseVersions.includes((await file.readStart(1)).readUInt8(0))) return null;
  const header = await file.read(0, 12);
  file.requireRange(header.readUInt16LE(8), header.readUInt32LE(4) * header.readUInt16LE(10));
  return null;
}

/**
 * SQLite ("Database File Format", 1.3): page count times page size. The count is valid only if both change
 * counters agree.
 */
export async function sqliteEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.startsWith('SQLite format 3\0'))) return null;
  const header = await file.read(0, 100);
  const page = header.readUInt16BE(16);
  file.requireRange(0, page === 1 ? 65_536 : page);
  if (header.readUInt32BE(24) === header.readUInt32BE(92))
    file.requireRange(0, (page === 1 ? 65_536 : page) * header.readUInt32BE(28));
  return null;
}

/** Parquet: a mark at both ends, preceded by the footer's length. */
export async function parquetEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.startsWith('PAR1'))) return null;
  if (file.size < 12) return 'tooShort';
  const tail = await file.readEnd(8);
  if (tail.toString('latin1', 4) !== 'PAR1') return 'noEnd';
  return tail.readUInt32LE(0) + 12 > file.size ? 'tooShort' : null;
}

/** HDF5 ("File Format Specification", II.A): the superblock at 0, 512, 1,024, … states the file's end. */
export async function hdf5End(file: FileBytes): Promise<Verdict> {
  const signature = '\x89HDF\r\n\x1a\n';
  for (let offset = 0; offset < Math.min(file.size, 64 * 1024); offset = offset === 0 ? 512 : offset * 2) {
    if (offset === 0 ? !(await file.startsWith(signature)) : !(await hasSignatureAt(file, offset, signature)))
      continue;
    const header = await file.read(offset, 16);
    const version = header.readUInt8(8);
    if (version > 3) return null;
    const isOldVersion = version < 2;
    const size = header.readUInt8(isOldVersion ? 13 : 9);
    if (size !== 4 && size !== 8) return null;
    const addressOffset = isOldVersion ? (version === 1 ? 28 : 24) : 12;
    const addresses = await file.read(offset + addressOffset, size * 3);
    const baseAddress = readUint(addresses, 0, size);
    file.requireRange(baseAddress, readUint(addresses, size * 2, size));
    return null;
  }
  return null;
}

async function hasSignatureAt(file: FileBytes, offset: number, signature: string): Promise<boolean> {
  if (offset + signature.length > file.size) return false;
  return (await file.read(offset, signature.length)).toString('latin1') === signature;
}

const maxNodes = 200;

/** Binary FBX: follows the nodes' ends to the empty node. Doesn't check text. */
export async function fbxEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.startsWith('Kaydara FBX Binary  \0')))
    return isPlainText(await file.readStart(512)) ? null : 'otherFormat';
  const size = (await file.read(23, 4)).readUInt32LE(0) >= 7_500 ? 8 : 4;
  let nodeOffset = 27;
  for (let node = 0; node < maxNodes; node++) {
    const nodeEnd = readUint(await file.read(nodeOffset, size), 0, size);
    if (nodeEnd === 0) return null;
    if (nodeEnd <= nodeOffset) return null;
    file.requireRange(nodeEnd);
    nodeOffset = nodeEnd;
  }
  return null;
}
