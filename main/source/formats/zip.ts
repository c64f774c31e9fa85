import { type FileBytes, uint } from './file-bytes.ts';
import type { Verdict } from './format.ts';

/** PKWARE APPNOTE 4.3.12 to 4.3.16. */
const endSignature = Buffer.from('PK\x05\x06', 'latin1');
/** What looks like an end and is none: of archives within this one. */
const maxEnds = 100;
const endLength = 22;
const longestComment = 0xffff;
const locatorSignature = 0x07064b50;
const locatorLength = 20;
const largeEndSignature = 0x06064b50;
const largeEndLength = 56;
const entrySignature = 0x02014b50;
const entryLength = 46;
/** A larger directory is not worth reading for its names. */
export const longestDirectory = 8 * 1024 * 1024;

/** The directory of a zip. Parts of a divided archive have theirs elsewhere, empty archives none. */
type ZipDirectory = { readonly at: number; readonly length: number } | 'elsewhere' | 'none';

/** A zip ends with its directory’s end record, and the directory lies where that says. */
export async function zipEnd(file: FileBytes): Promise<Verdict> {
  return (await findDirectory(file)) === null ? 'noArchiveEnd' : null;
}

/**
 * The names in a zip’s directory; none where there is no directory, or a very large one. Throws `PastEnd`,
 * `ReadEnough`.
 */
export async function zipNames(file: FileBytes): Promise<readonly string[]> {
  const found = await findDirectory(file);
  if (found === null || typeof found === 'string' || found.length > longestDirectory) return [];
  return namesIn(await file.take(found.at, found.length));
}

/** Null where no end record leads to one. */
async function findDirectory(file: FileBytes): Promise<ZipDirectory | null> {
  const tail = await file.last(endLength + longestComment);
  const isPlain = (await file.first(4)).toString('latin1') === 'PK\x03\x04';
  let at = tail.length - endLength + 1;
  for (let tries = 0; tries < maxEnds && at > 0; tries++) {
    at = tail.lastIndexOf(endSignature, at - 1);
    if (at < 0) break;
    if (at + endLength + tail.readUInt16LE(at + 20) > tail.length) continue;
    const end = tail.subarray(at, at + endLength);
    const directory = await directoryOf(file, end, file.size - tail.length + at, isPlain);
    if (directory !== null) return directory;
  }
  return null;
}

async function directoryOf(
  file: FileBytes,
  end: Buffer,
  endAt: number,
  isPlain: boolean,
): Promise<ZipDirectory | null> {
  if (end.readUInt16LE(4) !== 0 && end.readUInt16LE(4) !== 0xffff) return 'elsewhere';
  let [entries, length, at] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
  if (entries === 0xffff || length === 0xffff_ffff || at === 0xffff_ffff) {
    const large = await largeEnd(file, endAt);
    if (large) [entries, length, at] = large;
  }
  if (entries === 0) return 'none';
  if (length < entryLength || length > endAt) return null;
  // What stands before the archive, as in one that unpacks itself, shifts its places.
  for (const place of isPlain ? [at] : [endAt - length, at]) {
    if (place + length > endAt) continue;
    if ((await file.take(place, 4)).readUInt32LE(0) === entrySignature) return { at: place, length };
  }
  return null;
}

/** Entries, length and place of a Zip64 directory; null where there is none. */
async function largeEnd(file: FileBytes, endAt: number): Promise<[number, number, number] | null> {
  if (endAt < locatorLength) return null;
  const locator = await file.take(endAt - locatorLength, locatorLength);
  if (locator.readUInt32LE(0) !== locatorSignature) return null;
  const place = uint(locator, 8, 8);
  if (place + largeEndLength > endAt) return null;
  const end = await file.take(place, largeEndLength);
  if (end.readUInt32LE(0) !== largeEndSignature) return null;
  return [uint(end, 32, 8), uint(end, 40, 8), uint(end, 48, 8)];
}

/** Stops at the first thing that is not a header. */
function namesIn(directory: Buffer): readonly string[] {
  const names: string[] = [];
  let at = 0;
  while (at + entryLength <= directory.length && directory.readUInt32LE(at) === entrySignature) {
    const nameLength = directory.readUInt16LE(at + 28);
    const rest = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    const nameAt = at + entryLength;
    names.push(directory.toString('utf8', nameAt, nameAt + nameLength));
    at = nameAt + nameLength + rest;
  }
  return names;
}

/** 7z (its "Format" notes): the head says where the last header lies. */
export async function sevenZipEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.begins('7z\xbc\xaf\x27\x1c'))) return null;
  const head = await file.take(0, 32);
  file.need(32, uint(head, 12, 8) + uint(head, 20, 8));
  return null;
}
