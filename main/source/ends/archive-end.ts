import type { FileBytes } from './file-bytes.ts';
import { uint } from './uint.ts';
import type { Verdict } from './verdict.ts';

/** PKWARE APPNOTE 4.3.12 to 4.3.16. */
const endSignature = 0x06054b50;
const endLength = 22;
const longestComment = 0xffff;
const locatorSignature = 0x07064b50;
const locatorLength = 20;
const largeEndSignature = 0x06064b50;
const largeEndLength = 56;
const entrySignature = 'PK\x01\x02';

/** A zip ends with its directory’s end record, and the directory lies where that says. Parts of a divided archive have their directory elsewhere. */
export async function zipEnd(file: FileBytes): Promise<Verdict> {
  const tail = await file.last(endLength + longestComment);
  const isPlain = (await file.first(4)).toString('latin1') === 'PK\x03\x04';
  for (let at = tail.length - endLength; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== endSignature) continue;
    if (at + endLength + tail.readUInt16LE(at + 20) > tail.length) continue;
    if (await hasDirectory(file, tail.subarray(at, at + endLength), file.size - tail.length + at, isPlain))
      return null;
  }
  return 'noArchiveEnd';
}

async function hasDirectory(file: FileBytes, end: Buffer, endAt: number, isPlain: boolean): Promise<boolean> {
  if (end.readUInt16LE(4) !== 0 && end.readUInt16LE(4) !== 0xffff) return true;
  let [entries, length, at] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
  if (entries === 0xffff || length === 0xffff_ffff || at === 0xffff_ffff) {
    const large = await largeEnd(file, endAt);
    if (large) [entries, length, at] = large;
  }
  if (entries === 0) return true;
  if (length < 46 || length > endAt) return false;
  // What stands before the archive, as in one that unpacks itself, shifts its places.
  const place = isPlain ? at : endAt - length;
  if (place + length > endAt) return false;
  const first = (await file.take(place, 4)).toString('latin1');
  if (first === entrySignature) return true;
  return !isPlain && at + length <= endAt && (await file.take(at, 4)).toString('latin1') === entrySignature;
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

/** 7z (its "Format" notes): the head says where the last header lies. */
export async function sevenZipEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.begins('7z\xbc\xaf\x27\x1c'))) return null;
  const head = await file.take(0, 32);
  file.need(32, uint(head, 12, 8) + uint(head, 20, 8));
  return null;
}
