import { open } from 'node:fs/promises';
import { readFlags } from './file-identity.ts';

/** End of central directory record and central directory header (PKWARE APPNOTE 4.3.16, 4.3.12). */
const endSignature = 0x06054b50;
const endLength = 22;
const longestComment = 0xffff;
const headerSignature = 0x02014b50;
const headerLength = 46;
/** A larger directory is not worth reading for a guess at the kind of data. */
const directoryLimit = 8 * 1024 * 1024;

/**
 * The names in a zip file's central directory; none when the file is no zip, is a Zip64 archive or can't be read: the names only
 * serve a guess, so a file that doesn't give them is no error here.
 */
export async function readZipNames(path: string): Promise<readonly string[]> {
  try {
    await using handle = await open(path, readFlags);
    const { size } = await handle.stat();
    const tail = Buffer.alloc(Math.min(size, endLength + longestComment));
    await handle.read(tail, 0, tail.length, size - tail.length);
    const end = findEnd(tail);
    if (!end || end.length > directoryLimit || end.offset + end.length > size) return [];
    const directory = Buffer.alloc(end.length);
    await handle.read(directory, 0, end.length, end.offset);
    return namesIn(directory);
  } catch {
    return [];
  }
}

function findEnd(tail: Buffer): { offset: number; length: number } | null {
  for (let at = tail.length - endLength; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== endSignature) continue;
    return { length: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) };
  }
  return null;
}

/** Stops at the first thing that is not a header. */
export function namesIn(directory: Buffer): readonly string[] {
  const names: string[] = [];
  let at = 0;
  while (at + headerLength <= directory.length && directory.readUInt32LE(at) === headerSignature) {
    const nameLength = directory.readUInt16LE(at + 28);
    const rest = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    const nameAt = at + headerLength;
    names.push(directory.toString('utf8', nameAt, nameAt + nameLength));
    at = nameAt + nameLength + rest;
  }
  return names;
}
