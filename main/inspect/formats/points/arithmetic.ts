/**
 * LASzip's arithmetic coder, as far as its chunk table needs it (LASzip 3.4, `arithmeticdecoder`,
 * `arithmeticmodel`, `integercompressor`; M. Isenburg, "LASzip: lossless compression of LiDAR data", 2013).
 */

const shift = 15;
const maxCount = 1 << shift;
const [minLength, maxLength] = [0x0100_0000, 0xffff_ffff];

/** Adaptive symbol frequencies. */
class Model {
  readonly counts: Uint32Array;
  readonly starts: Uint32Array;
  #total = 0;
  #cycle: number;
  #symbolsUntilUpdate = 0;

  constructor(symbols: number) {
    this.counts = new Uint32Array(symbols).fill(1);
    this.starts = new Uint32Array(symbols);
    this.#cycle = symbols;
    this.#update();
    this.#cycle = (symbols + 6) >> 1;
    this.#symbolsUntilUpdate = this.#cycle;
  }

  count(symbol: number): void {
    this.counts[symbol] = (this.counts[symbol] ?? 0) + 1;
    this.#symbolsUntilUpdate -= 1;
    if (this.#symbolsUntilUpdate === 0) this.#update();
  }

  #update(): void {
    this.#total += this.#cycle;
    if (this.#total > maxCount) {
      this.#total = 0;
      for (const [index, count] of this.counts.entries()) {
        this.counts[index] = (count + 1) >> 1;
        this.#total += (count + 1) >> 1;
      }
    }
    const scale = Math.floor(0x8000_0000 / this.#total);
    let sum = 0;
    for (const [index, count] of this.counts.entries()) {
      this.starts[index] = Math.floor((scale * sum) / 2 ** (31 - shift));
      sum += count;
    }
    this.#cycle = Math.min((5 * this.#cycle) >> 2, (this.counts.length + 6) << 3);
    this.#symbolsUntilUpdate = this.#cycle;
  }
}

class BitModel {
  #zeros = 1;
  #count = 2;
  #cycle = 4;
  #symbolsUntilUpdate = 4;
  likelihood = 1 << 12;

  count(bit: number): void {
    if (bit === 0) this.#zeros += 1;
    this.#symbolsUntilUpdate -= 1;
    if (this.#symbolsUntilUpdate > 0) return;
    this.#count += this.#cycle;
    if (this.#count > 1 << 13) {
      this.#count = (this.#count + 1) >> 1;
      this.#zeros = (this.#zeros + 1) >> 1;
      if (this.#zeros === this.#count) this.#count += 1;
    }
    this.likelihood = Math.floor((this.#zeros * Math.floor(0x8000_0000 / this.#count)) / 2 ** (31 - 13));
    this.#cycle = Math.min((5 * this.#cycle) >> 2, 64);
    this.#symbolsUntilUpdate = this.#cycle;
  }
}

/** Zeros follow the last byte. */
class Decoder {
  readonly #bytes: Buffer;
  #position = 0;
  #length = maxLength;
  #value = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    for (let index = 0; index < 4; index++) this.#value = this.#value * 256 + this.#readByte();
  }

  get bytesRead(): number {
    return this.#position;
  }

  symbol(model: Model): number {
    this.#length = Math.floor(this.#length / maxCount);
    const { starts } = model;
    let [symbol, end] = [0, starts.length];
    for (let middle = end >> 1; middle !== symbol; middle = (symbol + end) >> 1)
      if (this.#length * (starts[middle] ?? 0) > this.#value) end = middle;
      else symbol = middle;
    const rangeStart = this.#length * (starts[symbol] ?? 0);
    const rangeLength = this.#length * maxCount;
    const rangeEnd = symbol + 1 < starts.length ? this.#length * (starts[symbol + 1] ?? 0) : rangeLength;
    this.#narrow(rangeStart, rangeEnd);
    model.count(symbol);
    return symbol;
  }

  bit(model: BitModel): number {
    const zero = model.likelihood * Math.floor(this.#length / (1 << 13));
    const bit = this.#value >= zero ? 1 : 0;
    if (bit === 0) this.#narrow(0, zero);
    else this.#narrow(zero, this.#length);
    model.count(bit);
    return bit;
  }

  bits(count: number): number {
    const low = count > 19 ? this.#readBits(16) : 0;
    return count > 19 ? low + this.#readBits(count - 16) * 65_536 : this.#readBits(count);
  }

  #readBits(count: number): number {
    this.#length = Math.floor(this.#length / 2 ** count);
    const value = Math.floor(this.#value / Math.max(1, this.#length));
    this.#narrow(value * this.#length, (value + 1) * this.#length);
    return value;
  }

  #narrow(rangeStart: number, rangeEnd: number): void {
    this.#value = Math.max(0, this.#value - rangeStart);
    this.#length = Math.max(1, rangeEnd - rangeStart);
    while (this.#length < minLength) {
      this.#value = (this.#value * 256 + this.#readByte()) % 2 ** 32;
      this.#length *= 256;
    }
  }

  #readByte(): number {
    const byte = this.#bytes[this.#position] ?? 0;
    this.#position += 1;
    return byte;
  }
}

const bitsHigh = 8;

/** 32-bit integers, coded as differences from expected values. */
class Integers {
  readonly #decoder: Decoder;
  readonly #lengths: readonly Model[];
  readonly #zero = new BitModel();
  /** By number of bits. */
  readonly #correctors: Model[] = [];

  constructor(decoder: Decoder, contexts: number) {
    this.#decoder = decoder;
    this.#lengths = Array.from({ length: contexts }, () => new Model(33));
  }

  decode(expected: number, context: number): number {
    const lengths = this.#lengths[context];
    return lengths ? (expected + this.#correction(lengths)) | 0 : expected;
  }

  #correction(lengths: Model): number {
    const bits = this.#decoder.symbol(lengths);
    if (bits === 0) return this.#decoder.bit(this.#zero);
    if (bits === 32) return -(2 ** 31);
    this.#correctors[bits] ??= new Model(1 << Math.min(bits, bitsHigh));
    const low = Math.max(0, bits - bitsHigh);
    const high = this.#decoder.symbol(this.#correctors[bits]);
    const value = high * 2 ** low + (low > 0 ? this.#decoder.bits(low) : 0);
    return value >= 2 ** (bits - 1) ? value + 1 : value - (2 ** bits - 1);
  }
}

/**
 * Returns the bytes of each chunk, and its points if uneven; fewer than `count` if the table is short.
 *
 * @param table without its header of eight bytes
 * @param areUneven whether the table has point counts
 */
export function unpackChunkTable(
  table: Buffer,
  count: number,
  areUneven: boolean,
): readonly { readonly points: number; readonly bytes: number }[] {
  const decoder = new Decoder(table);
  const integers = new Integers(decoder, 2);
  const chunks: { points: number; bytes: number }[] = [];
  let [points, bytes] = [0, 0];
  // The coder reads four bytes ahead.
  while (chunks.length < count && decoder.bytesRead <= table.length + 4) {
    if (areUneven) points = integers.decode(points, 0);
    bytes = integers.decode(bytes, 1);
    chunks.push({ points: points >>> 0, bytes: bytes >>> 0 });
  }
  return chunks;
}
