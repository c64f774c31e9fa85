import { crc32, deflateRawSync } from 'node:zlib';

/** An archive's entry, with fields that may differ from its content. */
interface ArchivedFile {
  readonly content: Buffer | string;
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  /** Unpacked and packed size, bytes. */
  readonly size?: number;
  readonly packed?: number;
  /** Other data than the deflated content. */
  readonly data?: Buffer;
  readonly localName?: string;
  /** Offset of the local header, bytes. */
  readonly place?: number;
}

interface ArchiveOptions {
  readonly stored?: boolean;
  readonly before?: string;
  readonly large?: boolean;
}

const numbers = (size: 2 | 4 | 8, ...values: readonly number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt(value));
      return bytes.subarray(0, size);
    }),
  );
const unknownSize = 0xffff_ffff;

/** A zip of files by name, deflated by default. */
export function archiveOf(
  files: Readonly<Record<string, Buffer | string | ArchivedFile>>,
  { stored: isStored = false, before = '', large = false }: ArchiveOptions = {},
): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, file] of Object.entries(files)) {
    const entry: ArchivedFile = typeof file === 'object' && 'content' in file ? file : { content: file };
    const content = Buffer.from(entry.content as Buffer);
    const { method = isStored ? 0 : 8, flags = 0, crc = crc32(content), size = content.length } = entry;
    const data = entry.data ?? (method === 8 ? deflateRawSync(content) : content);
    const { packed: packedSize = data.length, localName = name, place = at } = entry;
    const common = [numbers(2, 20, flags, method, 0, 0), numbers(4, crc)];
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      ...common,
      numbers(4, packedSize, size),
      numbers(2, Buffer.byteLength(localName), 0),
      Buffer.from(localName),
      data,
    ]);
    const extraField = large
      ? Buffer.concat([numbers(2, 1, 24), numbers(8, size, packedSize, place)])
      : Buffer.alloc(0);
    entries.push(
      Buffer.from('PK\x01\x02', 'latin1'),
      numbers(2, 20),
      ...common,
      large ? numbers(4, unknownSize, unknownSize) : numbers(4, packedSize, size),
      numbers(2, Buffer.byteLength(name), extraField.length, 0, 0, 0),
      numbers(4, 0, large ? unknownSize : place),
      Buffer.from(name),
      extraField,
    );
    locals.push(local);
    at += local.length;
  }
  const count = Object.keys(files).length;
  const directory = Buffer.concat(entries);
  const end = Buffer.concat([
    Buffer.from('PK\x05\x06', 'latin1'),
    numbers(2, 0, 0, count, count),
    numbers(4, directory.length, at),
    numbers(2, 0),
  ]);
  return Buffer.concat([Buffer.from(before), ...locals, directory, end]);
}
