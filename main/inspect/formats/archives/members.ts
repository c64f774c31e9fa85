import { constants, crc32, createInflateRaw } from 'node:zlib';
import type { ZipEntry } from './zip.ts';

/** Bytes per file. */
const maxUnpacked = 64 * 1024;
/** Packed bytes to read; Deflate codes have at most 15 bits. */
const packedFor = (unpacked: number): number => 2 * unpacked + 1_024;

/** PKWARE APPNOTE 4.3.7. */
const localSignature = 0x04034b50;
const localLength = 30;
const [stored, deflated] = [0, 8];
const encryptedFlag = 1;

interface OpenMember {
  readonly size: number;
  /** Bytes at the beginning. */
  readonly readable: number;
  read(at: number, length: number): Promise<Buffer>;
}

/** Returns fewer bytes at the archive's end. */
type ReadArchive = (at: number, length: number) => Promise<Buffer>;

/** Whether the file is stored or deflated, and not encrypted. */
export const canBeOpened = ({ flags, method }: ZipEntry): boolean =>
  (flags & encryptedFlag) === 0 && (method === stored || method === deflated);

/**
 * Opens a stored file in place, or unpacks the beginning of a deflated one. `damaged` if it contradicts the
 * directory; null if unknown.
 *
 * @param most unpacked bytes
 */
export async function openMember(
  read: ReadArchive,
  archiveSize: number,
  entry: ZipEntry,
  most: number = maxUnpacked,
): Promise<OpenMember | 'damaged' | null> {
  if (!canBeOpened(entry)) return null;
  const begin = await dataOf(read, entry);
  // Archives over 4 GiB may have offsets modulo 4 GiB.
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
  // One more byte reveals a file longer than stated.
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

/** Offset of the data, or null without a local header. */
async function dataOf(read: ReadArchive, { places }: ZipEntry): Promise<number | null> {
  for (const place of places) {
    if (!Number.isSafeInteger(place) || place < 0) continue;
    const header = await read(place, localLength);
    if (header.length < localLength || header.readUInt32LE(0) !== localSignature) continue;
    return place + localLength + header.readUInt16LE(26) + header.readUInt16LE(28);
  }
  return null;
}

/** Shorter if the packed data ends early; null if it isn't Deflate. */
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
