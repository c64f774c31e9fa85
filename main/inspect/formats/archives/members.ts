import { constants, crc32, createInflateRaw } from 'node:zlib';
import type { ZipEntry } from './zip.ts';

/** Bytes of a file in an archive that are unpacked. */
const maxUnpacked = 64 * 1024;
/** Bytes of packed data that are read for so many unpacked ones: the longest codes have 15 bits. */
const packedFor = (unpacked: number): number => 2 * unpacked + 1_024;

/** PKWARE APPNOTE 4.3.7. */
const localSignature = 0x04034b50;
const localLength = 30;
const [stored, deflated] = [0, 8];
const encryptedFlag = 1;

/** A file in an archive, to be read like one on a disk. */
interface OpenMember {
  readonly size: number;
  /** Length of the part at the beginning that can be read. */
  readonly readable: number;
  /** As many of these bytes as there are. */
  read(at: number, length: number): Promise<Buffer>;
}

/** Where the archive’s bytes come from: as many as there are. */
type ReadArchive = (at: number, length: number) => Promise<Buffer>;

/** Whether its bytes can be read: neither encrypted nor packed in another way than by Deflate. */
export const canBeOpened = ({ flags, method }: ZipEntry): boolean =>
  (flags & encryptedFlag) === 0 && (method === stored || method === deflated);

/**
 * Opens a file in an archive: a stored one in place, the beginning of a deflated one unpacked. `damaged`
 * where it can’t be unpacked as the directory says; null where it can’t be told.
 *
 * @param most bytes that are unpacked
 */
export async function openMember(
  read: ReadArchive,
  archiveSize: number,
  entry: ZipEntry,
  most: number = maxUnpacked,
): Promise<OpenMember | 'damaged' | null> {
  if (!canBeOpened(entry)) return null;
  const begin = await dataOf(read, entry);
  // An archive of over 4 GiB may name places modulo 4 GiB.
  if (begin === null) return entry.places.length > 1 ? null : 'damaged';
  const { size, packed } = entry;
  if (begin + packed > archiveSize || (entry.method === stored && size !== packed)) return 'damaged';
  if (entry.method === stored) {
    const readStored: ReadArchive = (at, length) =>
      read(begin + at, Math.max(0, Math.min(length, size - at)));
    if (size <= most && crc32(await readStored(0, size)) !== entry.crc) return 'damaged';
    return { size, readable: size, read: readStored };
  }
  const readable = Math.min(size, most);
  const input = await read(begin, Math.min(packed, packedFor(readable)));
  // One byte more shows a file that is longer than the directory says.
  const bytes = await unpacked(input, readable + 1);
  if (bytes === null) return 'damaged';
  const isAllRead = input.length >= packed;
  const isWhole = size <= most;
  if (isWhole && !isAllRead) return null;
  if (isWhole && (bytes.length !== size || crc32(bytes) !== entry.crc)) return 'damaged';
  if (!isWhole && isAllRead && bytes.length <= most) return 'damaged';
  const there = bytes.subarray(0, readable);
  return { size, readable: there.length, read: async (at, length) => there.subarray(at, at + length) };
}

/** Where the data begins, behind the local header; null where there is no header. */
async function dataOf(read: ReadArchive, { places }: ZipEntry): Promise<number | null> {
  for (const place of places) {
    if (!Number.isSafeInteger(place) || place < 0) continue;
    const header = await read(place, localLength);
    if (header.length < localLength || header.readUInt32LE(0) !== localSignature) continue;
    return place + localLength + header.readUInt16LE(26) + header.readUInt16LE(28);
  }
  return null;
}

/** At most so many bytes, fewer where the packed data breaks off; null where it is no Deflate. */
async function unpacked(input: Buffer, most: number): Promise<Buffer | null> {
  const inflate = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
  const pieces: Buffer[] = [];
  let length = 0;
  inflate.end(input);
  try {
    for await (const piece of inflate) {
      pieces.push(piece);
      length += piece.length;
      if (length >= most) break;
    }
  } catch {
    return null;
  }
  return Buffer.concat(pieces).subarray(0, most);
}
