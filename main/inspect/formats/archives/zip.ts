import { type FileBytes, readUint } from '../base/file-bytes.ts';
import type { Opened, Verdict } from '../base/format.ts';

/** PKWARE APPNOTE 4.3.12 to 4.3.16. */
const endSignature = Buffer.from('PK\x05\x06', 'latin1');
/** Candidates to try (nested archives contain some). */
const maxEndRecords = 100;
const endLength = 22;
const maxCommentLength = 0xffff;
const locatorSignature = 0x07064b50;
const locatorLength = 20;
const largeEndSignature = 0x06064b50;
const largeEndLength = 56;
const entrySignature = 0x02014b50;
const entryLength = 46;
/** Bytes; larger directories aren't read. */
export const maxDirectoryLength = 8 * 1024 * 1024;

/** Bytes checked for traits. */
const maxDirectorySample = 128 * 1024;
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
const commonMethods = new Set([0, 8, 99]);
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
  | { readonly offset: number; readonly length: number; readonly entries: number; readonly shift: number }
  | 'elsewhere'
  | 'none';

/** Reads the directory and checks that it exists. */
export async function readZip(file: FileBytes): Promise<Opened<ZipHead>> {
  const directory = await findDirectory(file);
  const head = directory === null || typeof directory === 'string' ? null : await headOf(file, directory);
  const isSplit = directory === 'elsewhere';
  return {
    head,
    end: () => (directory === null ? 'noArchiveEnd' : null),
    ...(isSplit && { degree: 'end-only' as const }),
  };
}

/** Checks that the end record leads to a directory. */
export async function zipEnd(file: FileBytes): Promise<Verdict> {
  return (await findDirectory(file)) === null ? 'noArchiveEnd' : null;
}

/** Returns none if the directory is missing or very large. Throws `PastEndError`, `ReadLimitError`. */
export async function zipEntries(file: FileBytes): Promise<readonly ZipEntry[]> {
  const directory = await findDirectory(file);
  if (directory === null || typeof directory === 'string' || directory.length > maxDirectoryLength) return [];
  return [...entriesIn(await file.read(directory.offset, directory.length), directory.shift)];
}

async function findDirectory(file: FileBytes): Promise<ZipDirectory | null> {
  const tail = await file.readEnd(endLength + maxCommentLength);
  const isPlain = (await file.readStart(4)).toString('latin1') === 'PK\x03\x04';
  let recordOffset = tail.length - endLength + 1;
  for (let attempts = 0; attempts < maxEndRecords && recordOffset > 0; attempts++) {
    recordOffset = tail.lastIndexOf(endSignature, recordOffset - 1);
    if (recordOffset < 0) break;
    if (recordOffset + endLength + tail.readUInt16LE(recordOffset + 20) > tail.length) continue;
    const end = tail.subarray(recordOffset, recordOffset + endLength);
    const directory = await directoryOf(file, end, file.size - tail.length + recordOffset, isPlain);
    if (directory !== null) return directory;
  }
  return null;
}

async function directoryOf(
  file: FileBytes,
  end: Buffer,
  endOffset: number,
  isPlain: boolean,
): Promise<ZipDirectory | null> {
  if (end.readUInt16LE(4) !== 0 && end.readUInt16LE(4) !== 0xffff) return 'elsewhere';
  let [entries, length, statedOffset] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
  if (entries === 0xffff || length === 0xffff_ffff || statedOffset === 0xffff_ffff) {
    const largeEndRecord = await readLargeEnd(file, endOffset);
    if (largeEndRecord) [entries, length, statedOffset] = largeEndRecord;
  }
  if (entries === 0) return 'none';
  if (length < entryLength || length > endOffset) return null;
  // A prefix (self-extracting archives) shifts the offsets. Archive Utility of macOS writes offsets modulo 4
  // GiB without Zip64 records.
  const expectedOffset = endOffset - length;
  const isShifted =
    !isPlain || (expectedOffset > statedOffset && (expectedOffset - statedOffset) % 2 ** 32 === 0);
  for (const candidate of isShifted ? [expectedOffset, statedOffset] : [statedOffset]) {
    if (candidate + length > endOffset) continue;
    if ((await file.read(candidate, 4)).readUInt32LE(0) === entrySignature)
      return { offset: candidate, length, entries, shift: candidate - statedOffset };
  }
  return null;
}

/** Entries, length and offset of a Zip64 directory, or null. */
async function readLargeEnd(file: FileBytes, endOffset: number): Promise<[number, number, number] | null> {
  if (endOffset < locatorLength) return null;
  const locator = await file.read(endOffset - locatorLength, locatorLength);
  if (locator.readUInt32LE(0) !== locatorSignature) return null;
  const recordOffset = readUint(locator, 8, 8);
  if (recordOffset + largeEndLength > endOffset) return null;
  const end = await file.read(recordOffset, largeEndLength);
  if (end.readUInt32LE(0) !== largeEndSignature) return null;
  return [readUint(end, 32, 8), readUint(end, 40, 8), readUint(end, 48, 8)];
}

async function headOf(
  file: FileBytes,
  { offset, length, entries }: Exclude<ZipDirectory, string>,
): Promise<ZipHead> {
  const directorySample = await file.read(offset, Math.min(length, maxDirectorySample));
  const traits = new Set<ZipTrait>();
  const methods = new Set<string>();
  let count = 0;
  for (const { name, flags, method } of entriesIn(directorySample)) {
    count++;
    if ((flags & 1) !== 0) traits.add('encrypted');
    if (name.includes('\\')) traits.add('backslash');
    if (escapesFolder(name)) traits.add('escaping');
    if (isArchive(name)) traits.add('nested');
    if (!commonMethods.has(method) && methods.size < maxMethods)
      methods.add(methodNames.get(method) ?? String(method));
  }
  // The end record counts modulo 65,536.
  if (directorySample.length === length && count < entries) traits.add('damaged');
  return { kind: 'zip', traits: [...traits].sort(), methods: [...methods].sort() };
}

/** APPNOTE 4.4.17 requires relative names with slashes; some programs use backslashes. */
function escapesFolder(name: string): boolean {
  if (/^(?:[\\/]|[A-Za-z]:[\\/])/.test(name)) return true;
  let depth = 0;
  let segmentStart = 0;
  for (let index = 0; index <= name.length; index++) {
    if (index < name.length && name[index] !== '/' && name[index] !== '\\') continue;
    const segmentLength = index - segmentStart;
    if (segmentLength === 2 && name.startsWith('..', segmentStart)) depth--;
    else if (segmentLength > 1 || (segmentLength === 1 && name[segmentStart] !== '.')) depth++;
    if (depth < 0) return true;
    segmentStart = index + 1;
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
  readonly offsets: readonly number[];
}

/** Stops at the first incomplete entry. */
function* entriesIn(directory: Buffer, shift = 0): Generator<ZipEntry, void> {
  let entryOffset = 0;
  while (
    entryOffset + entryLength <= directory.length &&
    directory.readUInt32LE(entryOffset) === entrySignature
  ) {
    const nameOffset = entryOffset + entryLength;
    const nameEnd = nameOffset + directory.readUInt16LE(entryOffset + 28);
    if (nameEnd > directory.length) return;
    const extraEnd = nameEnd + directory.readUInt16LE(entryOffset + 30);
    const [size, packed, fileOffset] = resolveLargeNumbers(
      [24, 20, 42].map((field) => directory.readUInt32LE(entryOffset + field)),
      directory.subarray(nameEnd, extraEnd),
    );
    yield {
      name: directory.toString('utf8', nameOffset, nameEnd),
      flags: directory.readUInt16LE(entryOffset + 8),
      method: directory.readUInt16LE(entryOffset + 10),
      crc: directory.readUInt32LE(entryOffset + 16),
      ...{ size, packed, offsets: shift === 0 ? [fileOffset] : [fileOffset + shift, fileOffset] },
    };
    entryOffset = extraEnd + directory.readUInt16LE(entryOffset + 32);
  }
}

const largeField = 1;

/** APPNOTE 4.5.3: numbers above 32 bits, in this order. */
function resolveLargeNumbers(
  statedNumbers: readonly number[],
  extra: Buffer,
): readonly [number, number, number] {
  let [valueOffset, fieldEnd] = [0, 0];
  for (
    let fieldOffset = 0;
    fieldOffset + 4 <= extra.length;
    fieldOffset += 4 + extra.readUInt16LE(fieldOffset + 2)
  )
    if (extra.readUInt16LE(fieldOffset) === largeField) {
      [valueOffset, fieldEnd] = [
        fieldOffset + 4,
        Math.min(extra.length, fieldOffset + 4 + extra.readUInt16LE(fieldOffset + 2)),
      ];
      break;
    }
  const [size = 0, packed = 0, fileOffset = 0] = statedNumbers.map((value) => {
    if (value !== 0xffff_ffff || valueOffset + 8 > fieldEnd) return value;
    valueOffset += 8;
    return readUint(extra, valueOffset - 8, 8);
  });
  return [size, packed, fileOffset];
}

/** 7z ("7zFormat.txt"): the header locates the last header. */
export async function sevenZipEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.startsWith('7z\xbc\xaf\x27\x1c'))) return null;
  const head = await file.read(0, 32);
  file.requireRange(32, readUint(head, 12, 8) + readUint(head, 20, 8));
  return null;
}
