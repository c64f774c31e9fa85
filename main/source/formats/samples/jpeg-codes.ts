/** Huffman codes of a JPEG (ITU-T T.81, annexes C and F.2.2). */

/** Codes of up to 16 bits: the first and the last of each length, and where their symbols begin. */
export interface Codes {
  /** By the next 8 bits: a short code’s length and symbol, or 0. */
  readonly short: Uint16Array;
  readonly first: Int32Array;
  readonly last: Int32Array;
  readonly place: Int32Array;
  readonly symbols: Buffer;
}

/**
 * Adds those of a table (ITU-T T.81, B.2.4.2 and annex C), by their number; those of what is not a mean from
 * 16 on. False for what are none.
 */
export function takeCodes(body: Buffer, tables: Map<number, Codes>): boolean {
  for (let at = 0; at + 17 <= body.length; ) {
    const kind = body[at] ?? 0;
    const counts = body.subarray(at + 1, at + 17);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const symbols = body.subarray(at + 17, at + 17 + total);
    if (total > 256 || symbols.length < total || (kind & 15) > 3 || kind >> 4 > 1) return false;
    const [short, first] = [new Uint16Array(256), new Int32Array(17)];
    const [last, place] = [new Int32Array(17).fill(-1), new Int32Array(17)];
    let [code, symbol] = [0, 0];
    for (let length = 1; length <= 16; length++) {
      const count = counts[length - 1] ?? 0;
      [first[length], place[length]] = [code, symbol];
      if (count > 0) last[length] = code + count - 1;
      if (code + count > 1 << length) return false;
      for (let one = 0; one < count && length <= 8; one++) {
        const entry = (length << 8) | (symbols[symbol + one] ?? 0);
        short.fill(entry, (code + one) << (8 - length), (code + one + 1) << (8 - length));
      }
      code = (code + count) << 1;
      symbol += count;
    }
    tables.set(((kind >> 4) * 16) | (kind & 15), { short, first, last, place, symbols });
    at += 17 + total;
  }
  return true;
}

/** The bits of a scan, the highest first; behind its end, or a mark, there are only zeros. */
export class Bits {
  readonly #data: Buffer;
  #at = 0;
  #held = 0;
  #count = 0;
  #missing = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  /** More was taken than there is. */
  get isOver(): boolean {
    return this.#missing * 8 > this.#count;
  }

  #fill(): void {
    while (this.#count <= 16) {
      const byte = this.#data[this.#at];
      const isMark = byte === 0xff && this.#data[this.#at + 1] !== 0;
      if (byte === undefined || isMark) this.#missing += 1;
      else this.#at += byte === 0xff ? 2 : 1;
      this.#held = ((this.#held << 8) | (byte === undefined || isMark ? 0 : byte)) & 0xff_ffff;
      this.#count += 8;
    }
  }

  /** The next one of these codes; -1 where there is none. */
  symbol({ short, first, last, place, symbols }: Codes): number {
    this.#fill();
    const next = short[(this.#held >> (this.#count - 8)) & 0xff] ?? 0;
    if (next > 0) {
      this.#count -= next >> 8;
      return next & 0xff;
    }
    for (let length = 9; length <= 16; length++) {
      const code = (this.#held >> (this.#count - length)) & ((1 << length) - 1);
      if (code > (last[length] ?? -1)) continue;
      this.#count -= length;
      return symbols[(place[length] ?? 0) + code - (first[length] ?? 0)] ?? -1;
    }
    return -1;
  }

  /** A number of so many bits, whose first is 0 where it is negative (F.2.2.1). */
  signed(size: number): number {
    if (size === 0) return 0;
    this.#fill();
    this.#count -= size;
    const value = (this.#held >> this.#count) & ((1 << size) - 1);
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  }

  skip(size: number): void {
    this.#fill();
    this.#count -= size;
  }

  /** Goes on behind the next mark. */
  restart(): void {
    [this.#held, this.#count, this.#missing] = [0, 0, 0];
    const [mark, kind = 0] = this.#data.subarray(this.#at, this.#at + 2);
    if (mark === 0xff && kind >= 0xd0 && kind <= 0xd7) this.#at += 2;
    else this.#at = this.#data.length;
  }
}
