import { type FileBytes, uint } from '../base/file-bytes.ts';
import type { Opened, Verdict } from '../base/format.ts';

/** PKWARE APPNOTE 4.3.12 to 4.3.16. */
const endSignature = Buffer.from('PK\x05\x06', 'latin1');
/** Candidates to try (nested archives contain some). */
const maxEnds = 100;
const endLength = 22;
const longestComment = 0xffff;
const locatorSignature = 0x07064b50;
const locatorLength = 20;
const largeEndSignature = 0x06064b50;
const largeEndLength = 56;
const entrySignature = 0x02014b50;
const entryLength = 46;
/** Bytes; larger directories aren't read. */
export const longestDirectory = 8 * 1024 * 1024;

/** Bytes checked for traits. */
const maxSeen = 128 * 1024;
const maxMethods = 3;

/** Traits of a zip's directory, or of its first part. */
export interface ZipHead {
  readonly kind: 'zip';
  readonly traits: readonly ZipTrait[];
  /** Other methods than stored and deflated, by name or number. */
  readonly methods: readonly string[];
}

/**
 * `damaged`: the directory is cut off, or a file can't be unpacked. `escaping`: names leave the target
 * folder. `nested`: contains archives.
 */
type ZipTrait = 'backslash' | 'damaged' | 'encrypted' | 'escaping' | 'nested';

/** APPNOTE 4.4.5. With 99, AES hides the method. */
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
 * `elsewhere`: the archive is split. `none`: it is empty. `shift`: bytes from the stated to the actual
 * offset.
 */
type ZipDirectory =
  | { readonly at: number; readonly length: number; readonly entries: number; readonly shift: number }
  | 'elsewhere'
  | 'none';

/** Reads the directory and checks that it exists. */
export async function readZip(file: FileBytes): Promise<Opened<ZipHead>> {
  const found = await findDirectory(file);
  const head = found === null || typeof found === 'string' ? null : await headOf(file, found);
  return { head, end: () => (found === null ? 'noArchiveEnd' : null) };
}

/** Checks that the end record leads to a directory. */
export async function zipEnd(file: FileBytes): Promise<Verdict> {
  return (await findDirectory(file)) === null ? 'noArchiveEnd' : null;
}

/**
 * Returns the names in the directory; none if it is missing or very large. Throws `PastEnd`, `ReadEnough`.
 */
export async function zipNames(file: FileBytes): Promise<readonly string[]> {
  return (await zipEntries(file)).map(({ name }) => name);
}

/** Returns the same with all fields. */
export async function zipEntries(file: FileBytes): Promise<readonly ZipEntry[]> {
  const found = await findDirectory(file);
  if (found === null || typeof found === 'string' || found.length > longestDirectory) return [];
  return [...entriesIn(await file.take(found.at, found.length), found.shift)];
}

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
  // A prefix (self-extracting archives) shifts the offsets. Archive Utility of macOS writes offsets modulo 4
  // GiB without Zip64 records.
  const before = endAt - length;
  const isShifted = !isPlain || (before > at && (before - at) % 2 ** 32 === 0);
  for (const place of isShifted ? [before, at] : [at]) {
    if (place + length > endAt) continue;
    if ((await file.take(place, 4)).readUInt32LE(0) === entrySignature)
      return { at: place, length, entries, shift: place - at };
  }
  return null;
}

/** Entries, length and offset of a Zip64 directory, or null. */
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
  // The end record counts modulo 65,536.
  if (seen.length === length && count < entries) traits.add('damaged');
  return { kind: 'zip', traits: [...traits].sort(), methods: [...methods].sort() };
}

/** APPNOTE 4.4.17 requires relative names with slashes; some programs use backslashes. */
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

/** Ignores files that macOS adds. */
function isArchive(name: string): boolean {
  return /\.(?:zip|7z|rar|tar|t?gz|t?bz2|t?xz)$/i.test(name) && !name.startsWith('__MACOSX/');
}

/** A file or folder in the directory. */
export interface ZipEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  /** Bytes. */
  readonly packed: number;
  readonly size: number;
  /** Possible offsets of the local header; the first valid one counts. */
  readonly places: readonly number[];
}

/** Stops at the first incomplete entry. */
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

/** APPNOTE 4.5.3: numbers above 32 bits, in this order. */
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

/** 7z ("7zFormat.txt"): the header locates the last header. */
export async function sevenZipEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.begins('7z\xbc\xaf\x27\x1c'))) return null;
  const head = await file.take(0, 32);
  file.need(32, uint(head, 12, 8) + uint(head, 20, 8));
  return null;
}
