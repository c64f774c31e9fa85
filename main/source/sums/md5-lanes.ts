import { md5LanesCode } from './md5-lanes-code.ts';

/** As `tools/sums/md5-lanes-text.ts` has it: addresses, and how many blocks of each. */
type Md5x4 = (state: number, a: number, b: number, c: number, d: number, blocks: number) => void;

const blockBytes = 64;
/** So much of each is copied at a time: all that is worked in stays in the processor's cache. */
const chunkBytes = 32_768;
/** In the memory: where the states are, and, behind what the module keeps there, the chunks. */
const [state, firstChunk] = [0, 2_048];
const pageBytes = 65_536;

/** How many there are side by side. */
export const laneCount = 4;

/** MD5 of bytes that come piece by piece: what `Md5Lanes` knows of it. */
export class Md5Lane {
  /** RFC 1321, 3.3. */
  readonly words = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  /** What does not fill a block yet. */
  readonly rest = Buffer.alloc(blockBytes);
  restLength = 0;
  /** Of all bytes so far. */
  length = 0;
}

interface Piece {
  readonly lane: Md5Lane;
  readonly bytes: Buffer;
}

/** A piece, and how far it is used. */
interface Under extends Piece {
  at: number;
}

/**
 * MD5 (RFC 1321) of up to four texts side by side. One alone is a chain in which each step waits for the one
 * before: it leaves most of the processor unused, and four take little longer than one.
 */
export class Md5Lanes {
  readonly #md5x4: Md5x4;
  readonly #bytes: Buffer;
  readonly #states: Uint32Array;

  private constructor(md5x4: Md5x4, memory: ArrayBufferLike) {
    this.#md5x4 = md5x4;
    this.#bytes = Buffer.from(memory);
    this.#states = new Uint32Array(memory, state, laneCount * 4);
  }

  /** Null where there can be none: no WebAssembly, no address space, a processor that is too old for it. */
  static create(): Md5Lanes | null {
    const pages = Math.ceil((firstChunk + laneCount * chunkBytes) / pageBytes);
    try {
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
      const module = new WebAssembly.Module(Buffer.from(md5LanesCode, 'base64'));
      const { exports } = new WebAssembly.Instance(module, { md5: { memory } });
      return new Md5Lanes(exports.md5x4 as Md5x4, memory.buffer);
    } catch {
      return null;
    }
  }

  /** Adds bytes to each of at most `laneCount`, no two of them the same. */
  update(pieces: readonly Piece[]): void {
    let under: readonly Under[] = pieces.map((piece) => ({ ...piece, at: 0 }));
    for (const { lane, bytes } of under) lane.length += bytes.length;
    while (under.length > 0) {
      const [some, others] = [under.filter(hasBlock), under.filter((one) => !hasBlock(one))];
      for (const { lane, bytes, at } of others) {
        lane.restLength += bytes.copy(lane.rest, lane.restLength, at);
      }
      if (some.length > 0) this.#hash(some);
      under = some;
    }
  }

  /** Of all bytes that were added. Nothing can be added afterwards. */
  digest(lane: Md5Lane): Buffer {
    const bits = lane.length * 8;
    const padding = Buffer.alloc((lane.restLength < blockBytes - 8 ? 1 : 2) * blockBytes - lane.restLength);
    padding[0] = 0x80;
    padding.writeUInt32LE(bits % 2 ** 32, padding.length - 8);
    padding.writeUInt32LE(Math.floor(bits / 2 ** 32), padding.length - 4);
    this.update([{ lane, bytes: padding }]);
    const digest = Buffer.alloc(16);
    for (const [at, word] of lane.words.entries()) digest.writeUInt32LE(word, at * 4);
    return digest;
  }

  /** As many blocks as all of them have, and room is for. */
  #hash(under: readonly Under[]): void {
    const blocks = under.reduce(
      (fewest, one) => Math.min(fewest, Math.floor(left(one) / blockBytes)),
      chunkBytes / blockBytes,
    );
    for (const [index, one] of under.entries()) {
      const { lane, bytes } = one;
      const chunk = firstChunk + index * chunkBytes;
      lane.rest.copy(this.#bytes, chunk, 0, lane.restLength);
      const used = blocks * blockBytes - lane.restLength;
      bytes.copy(this.#bytes, chunk + lane.restLength, one.at, one.at + used);
      one.at += used;
      lane.restLength = 0;
      for (const [word, value] of lane.words.entries()) this.#states[word * laneCount + index] = value;
    }
    // Lanes that are not used do what the first does.
    const from = (index: number) => firstChunk + (index < under.length ? index : 0) * chunkBytes;
    this.#md5x4(state, from(0), from(1), from(2), from(3), blocks);
    for (const [index, { lane }] of under.entries())
      for (const word of lane.words.keys())
        lane.words[word] = this.#states[word * laneCount + index] as number;
  }
}

const left = ({ lane, bytes, at }: Under): number => lane.restLength + bytes.length - at;
const hasBlock = (one: Under): boolean => left(one) >= blockBytes;
