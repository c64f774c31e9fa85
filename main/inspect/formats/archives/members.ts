import { constants, crc32, createInflateRaw } from 'node:zlib';
import type { ZipEntry } from './zip.ts';

/** Bytes per file. */
const maxUnpacked = 64 * 1024;
/** Packed bytes to read; Deflate codes have at most 15 bits. */
const packedLengthFor = (unpacked: number): number => 2 * unpacked + 1_024;

/** PKWARE APPNOTE 4.3.7. */
const localSignature = 0x04034b50;
const localLength = 30;
const [stored, deflated] = [0, 8];
const encryptedFlag = 1;

interface OpenMember {
  readonly size: number;
  /** Bytes at the beginning. */
  readonly readable: number;
  read(offset: number, length: number): Promise<Buffer>;
}

/** Returns fewer bytes at the archive's end. */
type ReadArchive = (offset: number, length: number) => Promise<Buffer>;

/** Whether the file is stored or deflated, and not encrypted. */
export const canBeOpened = ({ flags, method }: ZipEntry): boolean =>
  (flags & encryptedFlag) === 0 && (method === stored || method === deflated);

/**
 * Opens a stored file in place, or unpacks the beginning of a deflated one. `damaged` if it contradicts the
 * directory; null if unknown.
 *
 * @param maxLength unpacked bytes
 */
export async function openMember(
  read: ReadArchive,
  archiveSize: number,
  entry: ZipEntry,
  maxLength: number = maxUnpacked,
): Promise<OpenMember | 'damaged' | null> {
  if (!canBeOpened(entry)) return null;
  const dataOffset = await dataOffsetOf(read, entry);
  // Archives over 4 GiB may have offsets modulo 4 GiB.
  if (dataOffset === null) return entry.offsets.length > 1 ? null : 'damaged';
  const { size, packed } = entry;
  if (dataOffset + packed > archiveSize || (entry.method === stored && size !== packed)) return 'damaged';
  if (entry.method === stored) {
    const readStored: ReadArchive = (offset, length) =>
      read(dataOffset + offset, Math.max(0, Math.min(length, size - offset)));
    if (size <= maxLength && crc32(await readStored(0, size)) !== entry.crc) return 'damaged';
    return { size, readable: size, read: readStored };
  }
  const readable = Math.min(size, maxLength);
  const input = await read(dataOffset, Math.min(packed, packedLengthFor(readable)));
  // One more byte reveals a file longer than stated.
  const unpackedBytes = await inflateData(input, readable + 1);
  if (unpackedBytes === null) return 'damaged';
  const isFullyRead = input.length >= packed;
  const isWhole = size <= maxLength;
  if (isWhole && !isFullyRead) return null;
  if (isWhole && (unpackedBytes.length !== size || crc32(unpackedBytes) !== entry.crc)) return 'damaged';
  if (!isWhole && isFullyRead && unpackedBytes.length <= maxLength) return 'damaged';
  const readableBytes = unpackedBytes.subarray(0, readable);
  return {
    size,
    readable: readableBytes.length,
    read: async (offset, length) => readableBytes.subarray(offset, offset + length),
  };
}

/** Offset of the data, or null without a local header. */
async function dataOffsetOf(read: ReadArchive, { offsets }: ZipEntry): Promise<number | null> {
  for (const headerOffset of offsets) {
    if (!Number.isSafeInteger(headerOffset) || headerOffset < 0) continue;
    const header = await read(headerOffset, localLength);
    if (header.length < localLength || header.readUInt32LE(0) !== localSignature) continue;
    return headerOffset + localLength + header.readUInt16LE(26) + header.readUInt16LE(28);
  }
  return null;
}

/** Shorter if the packed data ends early; null if it isn't Deflate. */
async function inflateData(input: Buffer, maxLength: number): Promise<Buffer | null> {
  const inflate = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
  const chunks: Buffer[] = [];
  let length = 0;
  inflate.end(input);
  try {
    for await (const chunk of inflate) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxLength) break;
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks).subarray(0, maxLength);
}
