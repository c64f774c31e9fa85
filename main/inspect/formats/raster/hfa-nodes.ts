import { type FileBytes, PastEnd } from '../base/file-bytes.ts';

/** A node of an ERDAS IMAGINE file ("HFA"). */
export interface Node {
  readonly type: string;
  /** Offset; 0 if it has no fields. */
  readonly data: number;
  /** Bytes. */
  readonly length: number;
  /** Offsets of the next sibling and first child; 0 if none. */
  readonly next: number;
  readonly child: number;
}

export const maxEntries = 300;
export const entryLength = 128;
/** Bytes; longer texts and tables don't locate the raster. */
const longestFields = 16 * 1024;

export async function nodeAt(file: FileBytes, at: number): Promise<Node> {
  const entry = await file.take(at, entryLength);
  return {
    type: entry.toString('latin1', 88, 120).replace(/\0.*$/s, ''),
    data: entry.readUInt32LE(16),
    length: entry.readUInt32LE(20),
    next: entry.readUInt32LE(0),
    child: entry.readUInt32LE(12),
  };
}

/** At most `maxEntries`. */
export async function* nodesBeside(file: FileBytes, first: number): AsyncIterable<Node> {
  let at = first;
  for (let entry = 0; at !== 0 && entry < maxEntries; entry++) {
    const node = await nodeAt(file, at);
    yield node;
    at = node.next;
  }
}

/** Reads fields in order. Throws `PastEnd` after the last. */
export class Fields {
  readonly bytes: Buffer;
  #at = 0;

  static async of(file: FileBytes, { data, length }: Node): Promise<Fields> {
    return new Fields(await file.take(data, Math.min(length, longestFields)));
  }

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  #skip(length: number): number {
    const at = this.#at;
    if (at + length > this.bytes.length) throw new PastEnd();
    this.#at += length;
    return at;
  }

  short(): number {
    return this.bytes.readUInt16LE(this.#skip(2));
  }

  whole(): number {
    return this.bytes.readInt32LE(this.#skip(4));
  }

  double(): number {
    return this.bytes.readDoubleLE(this.#skip(8));
  }

  /** Skips the items' address. */
  count(): number {
    return this.bytes.readUInt32LE(this.#skip(8));
  }

  text(): string {
    const count = this.count();
    const at = this.#skip(count);
    return this.bytes.toString('latin1', at, at + count).replace(/\0.*$/s, '');
  }

  doubles(count = this.count()): readonly number[] {
    const at = this.#skip(count * 8);
    return Array.from({ length: count }, (_, index) => this.bytes.readDoubleLE(at + index * 8));
  }

  /** "BASEDATA", row by row. */
  matrix(): readonly number[] {
    if (this.count() === 0) return [];
    const [rows, columns] = [this.whole(), this.whole()];
    const type = this.short();
    this.#skip(2);
    const read = readers.get(type);
    if (!read || rows < 0 || columns < 0) return [];
    const [size, valueAt] = read;
    const at = this.#skip(rows * columns * size);
    return Array.from({ length: rows * columns }, (_, index) => valueAt(this.bytes, at + index * size));
  }

  skipWholes(): void {
    this.#skip(this.count() * 4);
  }
}

/** By type number. */
const readers: ReadonlyMap<number, readonly [size: number, (bytes: Buffer, at: number) => number]> = new Map<
  number,
  readonly [number, (bytes: Buffer, at: number) => number]
>([
  [3, [1, (bytes, at) => bytes.readUInt8(at)]],
  [4, [1, (bytes, at) => bytes.readInt8(at)]],
  [5, [2, (bytes, at) => bytes.readUInt16LE(at)]],
  [6, [2, (bytes, at) => bytes.readInt16LE(at)]],
  [7, [4, (bytes, at) => bytes.readUInt32LE(at)]],
  [8, [4, (bytes, at) => bytes.readInt32LE(at)]],
  [9, [4, (bytes, at) => bytes.readFloatLE(at)]],
  [10, [8, (bytes, at) => bytes.readDoubleLE(at)]],
]);
