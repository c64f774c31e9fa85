import { type FileBytes, PastEndError } from '../base/file-bytes.ts';

/** A node of an ERDAS IMAGINE file ("HFA"). */
export interface Node {
  readonly type: string;
  /** Offset; 0 if it has no fields. */
  readonly dataOffset: number;
  /** Bytes. */
  readonly length: number;
  /** Offsets of the next sibling and first child; 0 if none. */
  readonly nextOffset: number;
  readonly childOffset: number;
}

export const maxEntries = 300;
export const entryLength = 128;
/** Bytes; longer texts and tables don't locate the raster. */
const maxFieldsLength = 16 * 1024;

export async function readNode(file: FileBytes, offset: number): Promise<Node> {
  const entry = await file.read(offset, entryLength);
  return {
    type: entry.toString('latin1', 88, 120).replace(/\0.*$/s, ''),
    dataOffset: entry.readUInt32LE(16),
    length: entry.readUInt32LE(20),
    nextOffset: entry.readUInt32LE(0),
    childOffset: entry.readUInt32LE(12),
  };
}

/** At most `maxEntries`. */
export async function* siblingNodes(file: FileBytes, firstOffset: number): AsyncIterable<Node> {
  let nodeOffset = firstOffset;
  for (let entry = 0; nodeOffset !== 0 && entry < maxEntries; entry++) {
    const node = await readNode(file, nodeOffset);
    yield node;
    nodeOffset = node.nextOffset;
  }
}

/** Reads fields in order. Throws `PastEndError` after the last. */
export class Fields {
  readonly bytes: Buffer;
  #position = 0;

  static async read(file: FileBytes, { dataOffset, length }: Node): Promise<Fields> {
    return new Fields(await file.read(dataOffset, Math.min(length, maxFieldsLength)));
  }

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  #skip(length: number): number {
    const offset = this.#position;
    if (offset + length > this.bytes.length) throw new PastEndError();
    this.#position += length;
    return offset;
  }

  readShort(): number {
    return this.bytes.readUInt16LE(this.#skip(2));
  }

  readWhole(): number {
    return this.bytes.readInt32LE(this.#skip(4));
  }

  /** Skips the items' address. */
  readCount(): number {
    return this.bytes.readUInt32LE(this.#skip(8));
  }

  readText(): string {
    const count = this.readCount();
    const offset = this.#skip(count);
    return this.bytes.toString('latin1', offset, offset + count).replace(/\0.*$/s, '');
  }

  readDoubles(count = this.readCount()): readonly number[] {
    const offset = this.#skip(count * 8);
    return Array.from({ length: count }, (_, index) => this.bytes.readDoubleLE(offset + index * 8));
  }

  /** "BASEDATA", row by row. */
  readMatrix(): readonly number[] {
    if (this.readCount() === 0) return [];
    const [rows, columns] = [this.readWhole(), this.readWhole()];
    const type = this.readShort();
    this.#skip(2);
    const reader = readers.get(type);
    if (!reader || rows < 0 || columns < 0) return [];
    const [size, valueAt] = reader;
    const offset = this.#skip(rows * columns * size);
    return Array.from({ length: rows * columns }, (_, index) => valueAt(this.bytes, offset + index * size));
  }

  skipWholes(): void {
    this.#skip(this.readCount() * 4);
  }
}

/** By type number. */
const readers: ReadonlyMap<number, readonly [size: number, (bytes: Buffer, offset: number) => number]> =
  new Map<number, readonly [number, (bytes: Buffer, offset: number) => number]>([
    [3, [1, (bytes, offset) => bytes.readUInt8(offset)]],
    [4, [1, (bytes, offset) => bytes.readInt8(offset)]],
    [5, [2, (bytes, offset) => bytes.readUInt16LE(offset)]],
    [6, [2, (bytes, offset) => bytes.readInt16LE(offset)]],
    [7, [4, (bytes, offset) => bytes.readUInt32LE(offset)]],
    [8, [4, (bytes, offset) => bytes.readInt32LE(offset)]],
    [9, [4, (bytes, offset) => bytes.readFloatLE(offset)]],
    [10, [8, (bytes, offset) => bytes.readDoubleLE(offset)]],
  ]);
