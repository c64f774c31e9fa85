import { crc32, deflateRawSync } from 'node:zlib';

/** An archive's entry, with fields that may differ from its content. */
interface Said {
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
const unknown = 0xffff_ffff;

/** A zip of files by name, deflated by default. */
export function archiveOf(
  files: Readonly<Record<string, Buffer | string | Said>>,
  { stored = false, before = '', large = false }: ArchiveOptions = {},
): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, file] of Object.entries(files)) {
    const entry: Said = typeof file === 'object' && 'content' in file ? file : { content: file };
    const content = Buffer.from(entry.content as Buffer);
    const { method = stored ? 0 : 8, flags = 0, crc = crc32(content), size = content.length } = entry;
    const data = entry.data ?? (method === 8 ? deflateRawSync(content) : content);
    const { packed = data.length, localName = name, place = at } = entry;
    const common = [numbers(2, 20, flags, method, 0, 0), numbers(4, crc)];
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      ...common,
      numbers(4, packed, size),
      numbers(2, Buffer.byteLength(localName), 0),
      Buffer.from(localName),
      data,
    ]);
    const extra = large
      ? Buffer.concat([numbers(2, 1, 24), numbers(8, size, packed, place)])
      : Buffer.alloc(0);
    entries.push(
      Buffer.from('PK\x01\x02', 'latin1'),
      numbers(2, 20),
      ...common,
      large ? numbers(4, unknown, unknown) : numbers(4, packed, size),
      numbers(2, Buffer.byteLength(name), extra.length, 0, 0, 0),
      numbers(4, 0, large ? unknown : place),
      Buffer.from(name),
      extra,
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
