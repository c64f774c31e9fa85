/** What is known of one file before anything is said about it. */
export interface FileEnds {
  /** In lower case, with its dot. */
  readonly extension: string;
  readonly size: number;
  /** The first and the last bytes, each `glimpse` long or as long as the file. */
  readonly head: Buffer;
  readonly tail: Buffer;
  /** Reads elsewhere in the file. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** What is wrong with a file, to be said after its name; null when nothing is. */
/** What is wrong with it, said as `sources.doubt.…`; null for nothing. */
type Verdict = 'noArchiveEnd' | 'noDirectory' | 'noEnd' | 'tooShort' | 'tooLong' | null;
type Check = (file: FileEnds) => Verdict | Promise<Verdict>;

/** End of central directory record, which a comment of up to 65,535 bytes may follow (PKWARE APPNOTE 4.3.16). */
const zipEnd = Buffer.from('PK\x05\x06', 'latin1');
const zipEndReach = 22 + 0xffff;
/** Bytes that programs put after the end of a picture. */
const trailing = 64 * 1024;

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...['.zip', '.kmz', '.3tz', '.usdz'].map((ending) => [ending, zip] as const),
  ...['.tif', '.tiff'].map((ending) => [ending, tiff] as const),
  ...['.las', '.laz'].map((ending) => [ending, las] as const),
  ...['.jpg', '.jpeg'].map((ending) => [ending, jpeg] as const),
  ['.png', png],
  ['.glb', glb],
]);

/**
 * Whether a file ends as its own format says that it must. Nothing is wrong with formats that don’t say, nor with a file that is something else than its
 * ending tells: that is for the service to judge, and waiting would not mend it.
 */
export async function fileEnd(file: FileEnds): Promise<Verdict> {
  return (await checks.get(file.extension)?.(file)) ?? null;
}

async function zip({ size, tail, read }: FileEnds): Promise<Verdict> {
  if (tail.includes(zipEnd)) return null;
  const length = Math.min(size, zipEndReach);
  return (await read(size - length, length)).includes(zipEnd) ? null : 'noArchiveEnd';
}

/** TIFF 6.0 section 2, and BigTIFF: the header says where the first directory lies. */
function tiff({ size, head }: FileEnds): Verdict {
  const order = head.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return null;
  const little = order === 'II';
  const version = little ? head.readUInt16LE(2) : head.readUInt16BE(2);
  if (version !== 42 && version !== 43) return null;
  const first =
    version === 43
      ? Number(little ? head.readBigUInt64LE(8) : head.readBigUInt64BE(8))
      : little
        ? head.readUInt32LE(4)
        : head.readUInt32BE(4);
  if (first === 0) return 'noDirectory';
  return first + 2 > size ? 'tooShort' : null;
}

/** LAS 1.0 to 1.4, public header block. Compressed points take an unknown room, but they need some. */
function las({ size, head, extension }: FileEnds): Verdict {
  if (head.toString('latin1', 0, 4) !== 'LASF') return null;
  const isNew = head.readUInt8(24) === 1 && head.readUInt8(25) >= 4;
  const begin = head.readUInt32LE(96);
  const old = head.readUInt32LE(107);
  const count = isNew && old === 0 ? Number(head.readBigUInt64LE(247)) : old;
  const least = extension === '.las' ? count * head.readUInt16LE(105) : Math.min(count, 1);
  return begin + least > size ? 'tooShort' : null;
}

async function jpeg({ size, head, tail, read }: FileEnds): Promise<Verdict> {
  if (head.readUInt16BE(0) !== 0xffd8) return null;
  const end = Buffer.from([0xff, 0xd9]);
  if (tail.includes(end)) return null;
  const length = Math.min(size, trailing);
  return (await read(size - length, length)).includes(end) ? null : 'noEnd';
}

async function png({ size, head, tail, read }: FileEnds): Promise<Verdict> {
  if (head.readUInt32BE(0) !== 0x89504e47) return null;
  if (tail.includes('IEND')) return null;
  const length = Math.min(size, trailing);
  return (await read(size - length, length)).includes('IEND') ? null : 'noEnd';
}

/** glTF 2.0, binary: the third word of the header is the length of the file. */
function glb({ size, head }: FileEnds): Verdict {
  if (head.toString('latin1', 0, 4) !== 'glTF') return null;
  const length = head.readUInt32LE(8);
  if (length > size) return 'tooShort';
  return length < size ? 'tooLong' : null;
}
