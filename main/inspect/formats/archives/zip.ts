import { type FileBytes, uint } from '../base/file-bytes.ts';
import type { Opened, Verdict } from '../base/format.ts';

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

/** Of it, what is read for what it says of its entries. */
const maxSeen = 128 * 1024;
/** Different methods that are named. */
const maxMethods = 3;

/** What a zip’s directory says of its entries; of a long directory, its first part. */
export interface ZipHead {
  readonly kind: 'zip';
  readonly traits: readonly ZipTrait[];
  /** How entries are packed that are neither stored nor deflated: the name, or the number of unknown ones. */
  readonly methods: readonly string[];
}

/**
 * `backslash`: names with backslashes. `damaged`: the directory breaks off within itself, or a file can't be
 * unpacked. `escaping`: names that lead out of the folder into which it is unpacked. `nested`: an archive
 * within.
 */
type ZipTrait = 'backslash' | 'damaged' | 'encrypted' | 'escaping' | 'nested';

/** APPNOTE 4.4.5. Stored and deflated are in no need of a name; 99 stands for what AES hides. */
const usual = new Set([0, 8, 99]);
const methodNames: ReadonlyMap<number, string> = new Map([
  [1, 'Shrink'],
  [6, 'Implode'],
  [9, 'Deflate64'],
  [12, 'BZIP2'],
  [14, 'LZMA'],
  [20, 'Zstandard'],
  [93, 'Zstandard'],
  [94, 'MP3'],
  [95, 'XZ'],
  [96, 'JPEG'],
  [97, 'WavPack'],
  [98, 'PPMd'],
]);

/**
 * The directory of a zip. Parts of a divided archive have theirs elsewhere, empty archives none. `shift`: by
 * how many bytes it lies behind the place that the archive names.
 */
type ZipDirectory =
  | { readonly at: number; readonly length: number; readonly entries: number; readonly shift: number }
  | 'elsewhere'
  | 'none';

/** What its directory says, and whether it has one. */
export async function readZip(file: FileBytes): Promise<Opened<ZipHead>> {
  const found = await findDirectory(file);
  const head = found === null || typeof found === 'string' ? null : await headOf(file, found);
  return { head, end: () => (found === null ? 'noArchiveEnd' : null) };
}

/** A zip ends with its directory’s end record, and the directory lies where that says. */
export async function zipEnd(file: FileBytes): Promise<Verdict> {
  return (await findDirectory(file)) === null ? 'noArchiveEnd' : null;
}

/**
 * The names in a zip’s directory; none where there is no directory, or a very large one. Throws `PastEnd`,
 * `ReadEnough`.
 */
export async function zipNames(file: FileBytes): Promise<readonly string[]> {
  return (await zipEntries(file)).map(({ name }) => name);
}

/** The same with what the directory says of each. */
export async function zipEntries(file: FileBytes): Promise<readonly ZipEntry[]> {
  const found = await findDirectory(file);
  if (found === null || typeof found === 'string' || found.length > longestDirectory) return [];
  return [...entriesIn(await file.take(found.at, found.length), found.shift)];
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
  // What stands before the archive, as in one that unpacks itself, shifts its places; Archive Utility of
  // macOS writes no Zip64 records, and places modulo 4 GiB.
  const before = endAt - length;
  const isShifted = !isPlain || (before > at && (before - at) % 2 ** 32 === 0);
  for (const place of isShifted ? [before, at] : [at]) {
    if (place + length > endAt) continue;
    if ((await file.take(place, 4)).readUInt32LE(0) === entrySignature)
      return { at: place, length, entries, shift: place - at };
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

async function headOf(
  file: FileBytes,
  { at, length, entries }: Exclude<ZipDirectory, string>,
): Promise<ZipHead> {
  const seen = await file.take(at, Math.min(length, maxSeen));
  const traits = new Set<ZipTrait>();
  const methods = new Set<string>();
  let count = 0;
  for (const { name, flags, method } of entriesIn(seen)) {
    count++;
    if ((flags & 1) !== 0) traits.add('encrypted');
    if (name.includes('\\')) traits.add('backslash');
    if (leadsOut(name)) traits.add('escaping');
    if (isArchive(name)) traits.add('nested');
    if (!usual.has(method) && methods.size < maxMethods)
      methods.add(methodNames.get(method) ?? String(method));
  }
  // The plain end record counts modulo 65,536: there are at least as many.
  if (seen.length === length && count < entries) traits.add('damaged');
  return { kind: 'zip', traits: [...traits].sort(), methods: [...methods].sort() };
}

/** APPNOTE 4.4.17: relative, with slashes; some programs write the backslashes of theirs. */
function leadsOut(name: string): boolean {
  if (/^(?:[\\/]|[A-Za-z]:[\\/])/.test(name)) return true;
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= name.length; at++) {
    if (at < name.length && name[at] !== '/' && name[at] !== '\\') continue;
    const length = at - from;
    if (length === 2 && name.startsWith('..', from)) depth--;
    else if (length > 1 || (length === 1 && name[from] !== '.')) depth++;
    if (depth < 0) return true;
    from = at + 1;
  }
  return false;
}

/** Of what macOS lays beside each file, none. */
function isArchive(name: string): boolean {
  return /\.(?:zip|7z|rar|tar|t?gz|t?bz2|t?xz)$/i.test(name) && !name.startsWith('__MACOSX/');
}

/** A file or folder in an archive, as the directory describes it. */
export interface ZipEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  /** Bytes, packed and unpacked. */
  readonly packed: number;
  readonly size: number;
  /** Where its local header may be: the first place that has one counts. */
  readonly places: readonly number[];
}

/** Stops at the first thing that is not a whole header with its name. */
function* entriesIn(directory: Buffer, shift = 0): Generator<ZipEntry, void> {
  let at = 0;
  while (at + entryLength <= directory.length && directory.readUInt32LE(at) === entrySignature) {
    const nameAt = at + entryLength;
    const nameEnd = nameAt + directory.readUInt16LE(at + 28);
    if (nameEnd > directory.length) return;
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const [size, packed, place] = largeNumbers(
      [24, 20, 42].map((field) => directory.readUInt32LE(at + field)),
      directory.subarray(nameEnd, extraEnd),
    );
    yield {
      name: directory.toString('utf8', nameAt, nameEnd),
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      ...{ size, packed, places: shift === 0 ? [place] : [place + shift, place] },
    };
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
}

const largeField = 1;

/** APPNOTE 4.5.3: numbers that don't fit into 32 bits are in a field of their own, in this order. */
function largeNumbers(plain: readonly number[], extra: Buffer): readonly [number, number, number] {
  let [at, end] = [0, 0];
  for (let field = 0; field + 4 <= extra.length; field += 4 + extra.readUInt16LE(field + 2))
    if (extra.readUInt16LE(field) === largeField) {
      [at, end] = [field + 4, Math.min(extra.length, field + 4 + extra.readUInt16LE(field + 2))];
      break;
    }
  const [size = 0, packed = 0, place = 0] = plain.map((value) => {
    if (value !== 0xffff_ffff || at + 8 > end) return value;
    at += 8;
    return uint(extra, at - 8, 8);
  });
  return [size, packed, place];
}

/** 7z (its "Format" notes): the head says where the last header lies. */
export async function sevenZipEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.begins('7z\xbc\xaf\x27\x1c'))) return null;
  const head = await file.take(0, 32);
  file.need(32, uint(head, 12, 8) + uint(head, 20, 8));
  return null;
}
