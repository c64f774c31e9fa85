/**
 * Writes small LAZ files byte by byte, as LASzip 3.4 does (`lasitemcompressors` 2 and 3). Points only differ
 * in class and colour, so only these fields and the frame are compressed. The product reads LAZ with an
 * independent implementation, laz-perf.
 */

const [minLength, maxLength] = [0x0100_0000, 0xffff_ffff];

class Model {
  readonly counts: number[];
  starts: number[] = [];
  total = 0;
  cycle: number;
  left: number;

  constructor(symbols: number) {
    this.counts = Array.from({ length: symbols }, () => 1);
    this.cycle = symbols;
    this.update();
    this.cycle = (symbols + 6) >> 1;
    this.left = this.cycle;
  }

  update() {
    this.total += this.cycle;
    if (this.total > 32_768) {
      for (const [index, count] of this.counts.entries()) this.counts[index] = (count + 1) >> 1;
      this.total = this.counts.reduce((sum, count) => sum + count, 0);
    }
    const scale = Math.floor(0x8000_0000 / this.total);
    let sum = 0;
    this.starts = this.counts.map((count) => {
      const start = Math.floor((scale * sum) / 65_536);
      sum += count;
      return start;
    });
    this.cycle = Math.min((5 * this.cycle) >> 2, (this.counts.length + 6) << 3);
    this.left = this.cycle;
  }
}

/** Model of two symbols; too few are coded to change the probabilities. */
class BitModel {
  zeros = 1;
  count = 2;
  cycle = 4;
  left = 4;
  likelihood = 1 << 12;
}

export class Encoder {
  readonly out: number[] = [];
  #base = 0;
  #length = maxLength;
  readonly #models = new Map<string, Model>();
  readonly #bits = new Map<string, BitModel>();

  /** @param name of the adaptive model */
  symbol(name: string, symbols: number, symbol: number) {
    const model = this.#models.get(name) ?? new Model(symbols);
    this.#models.set(name, model);
    const step = Math.floor(this.#length / 32_768);
    const start = (model.starts[symbol] ?? 0) * step;
    this.#length =
      symbol === symbols - 1 ? this.#length - start : (model.starts[symbol + 1] ?? 0) * step - start;
    this.#add(start);
    model.counts[symbol] = (model.counts[symbol] ?? 0) + 1;
    model.left -= 1;
    if (model.left === 0) model.update();
  }

  bit(name: string, bit: number) {
    const model = this.#bits.get(name) ?? new BitModel();
    this.#bits.set(name, model);
    const zero = model.likelihood * Math.floor(this.#length / 8_192);
    if (bit === 0) model.zeros += 1;
    this.#length = bit === 0 ? zero : this.#length - zero;
    this.#add(bit === 0 ? 0 : zero);
    model.left -= 1;
    if (model.left > 0) return;
    model.count += model.cycle;
    model.likelihood = Math.floor((model.zeros * Math.floor(0x8000_0000 / model.count)) / 2 ** 18);
    model.cycle = Math.min((5 * model.cycle) >> 2, 64);
    model.left = model.cycle;
  }

  plain(bits: number, value: number) {
    if (bits > 19) {
      this.plain(16, value % 65_536);
      this.plain(bits - 16, Math.floor(value / 65_536));
      return;
    }
    this.#length = Math.floor(this.#length / 2 ** bits);
    this.#add(value * this.#length);
  }

  /** Codes the difference from the prediction. */
  correction(name: string, context: number, correctionValue: number, bitsOf = 32) {
    let remaining = correctionValue <= 0 ? -correctionValue : correctionValue - 1;
    let bits = 0;
    for (; remaining > 0; remaining = Math.floor(remaining / 2)) bits += 1;
    this.symbol(`${name} ${context}`, bitsOf + 1, bits);
    if (bits === 0) return this.bit(name, correctionValue);
    const value = correctionValue < 0 ? correctionValue + 2 ** bits - 1 : correctionValue - 1;
    const lowBits = Math.max(0, bits - 8);
    this.symbol(`${name} of ${bits}`, 2 ** Math.min(bits, 8), Math.floor(value / 2 ** lowBits));
    if (lowBits > 0) this.plain(lowBits, value % 2 ** lowBits);
    return undefined;
  }

  done(): Buffer {
    const hasAnother = this.#length > 2 * minLength;
    const addedLength = hasAnother ? minLength : minLength >> 1;
    this.#length = hasAnother ? minLength >> 1 : minLength >> 9;
    this.#add(addedLength);
    return Buffer.from([...this.out, 0, 0, ...(hasAnother ? [0] : [])]);
  }

  #add(addedValue: number) {
    this.#base += addedValue;
    if (this.#base >= 2 ** 32) {
      this.#base -= 2 ** 32;
      let at = this.out.length - 1;
      for (; this.out[at] === 255; at--) this.out[at] = 0;
      this.out[at] = (this.out[at] ?? 0) + 1;
    }
    while (this.#length < minLength) {
      this.out.push(Math.floor(this.#base / 2 ** 24));
      this.#base = (this.#base * 256) % 2 ** 32;
      this.#length *= 256;
    }
  }
}

export interface LazPoint {
  readonly class: number;
  readonly grey?: number;
}

export interface LazOptions {
  /** 0, 2, 6 or 7. */
  readonly format?: number;
  readonly chunks: readonly (readonly LazPoint[])[];
  /** Writes each chunk's number of points to the table. */
  readonly areUneven?: boolean;
  /** Like a writer that can't seek: the table's offset is at the end. */
  readonly isStreamed?: boolean;
  /** Bytes of each point beyond its format. */
  readonly extra?: number;
  /** Adds records before LASzip's. */
  readonly geoKeys?: readonly number[];
  /** Overrides LASzip's version of the items. */
  readonly version?: number;
}

const lengths: Readonly<Record<number, number>> = { 0: 20, 2: 26, 6: 30, 7: 36 };

/** A LAZ file: 1.2 for formats up to 5, 1.4 from 6 on. */
export function lazFile(options: LazOptions): Buffer {
  const {
    format = 0,
    chunks,
    areUneven = false,
    isStreamed = false,
    extra: extraBytes = 0,
    geoKeys = [],
  } = options;
  const isLayered = format >= 6;
  const length = (lengths[format] ?? 0) + extraBytes;
  const count = chunks.flat().length;
  const headLength = isLayered ? 375 : 227;
  const keys = Buffer.from(Uint16Array.from(geoKeys).buffer);
  const records = [
    ...(geoKeys.length > 0 ? [record('LASF_Projection', 34_735, keys)] : []),
    record('laszip encoded', 22_204, laszip(options, length)),
  ];
  const beginOffset = headLength + records.reduce((sum, record) => sum + record.length, 0);
  const head = Buffer.alloc(headLength);
  head.write('LASF', 'latin1');
  head.writeUInt8(1, 24);
  head.writeUInt8(isLayered ? 4 : 2, 25);
  head.writeUInt16LE(headLength, 94);
  head.writeUInt32LE(beginOffset, 96);
  head.writeUInt32LE(records.length, 100);
  head.writeUInt8(format | 0x80, 104);
  head.writeUInt16LE(length, 105);
  head.writeUInt32LE(count, 107);
  for (const axis of [0, 1, 2]) {
    head.writeDoubleLE(0.01, 131 + axis * 8);
    head.writeDoubleLE([550_000, 5_800_000, 0][axis] ?? 0, 155 + axis * 8);
    head.writeDoubleLE([550_001, 5_800_001, 1][axis] ?? 0, 179 + axis * 16);
    head.writeDoubleLE([550_000, 5_800_000, 0][axis] ?? 0, 187 + axis * 16);
  }
  if (isLayered) head.writeBigUInt64LE(BigInt(count), 247);
  const bodies = chunks.map((points) => (isLayered ? layered : pointwise)(points, format, extraBytes));
  const body = Buffer.concat(bodies);
  const table = beginOffset + 8 + body.length;
  const place = Buffer.alloc(8);
  place.writeBigInt64LE(isStreamed ? -1n : BigInt(table));
  const tableHead = Buffer.alloc(8);
  tableHead.writeUInt32LE(chunks.length, 4);
  const encoder = new Encoder();
  let [pointsBefore, bytesBefore] = [0, 0];
  for (const [index, { length: bytes }] of bodies.entries()) {
    const points = chunks[index]?.length ?? 0;
    if (areUneven) encoder.correction('table', 0, points - pointsBefore);
    encoder.correction('table', 1, bytes - bytesBefore);
    [pointsBefore, bytesBefore] = [points, bytes];
  }
  const lastBytes = Buffer.alloc(isStreamed ? 8 : 0);
  if (isStreamed) lastBytes.writeBigInt64LE(BigInt(table));
  return Buffer.concat([head, ...records, place, body, tableHead, encoder.done(), lastBytes]);
}

function record(user: string, number: number, body: Buffer): Buffer {
  const head = Buffer.alloc(54);
  head.write(user, 2, 'latin1');
  head.writeUInt16LE(number, 18);
  head.writeUInt16LE(body.length, 20);
  return Buffer.concat([head, body]);
}

/** LASzip's record: compressor, chunk size, and items. */
function laszip(
  { format = 0, chunks, areUneven, extra: extraBytes = 0, version }: LazOptions,
  length: number,
): Buffer {
  const isLayered = format >= 6;
  const coloured = format === 2 || format === 7;
  const items = [
    isLayered ? [10, 30] : [6, 20],
    ...(coloured ? [isLayered ? [11, 6] : [8, 6]] : []),
    ...(extraBytes > 0 ? [[isLayered ? 14 : 0, extraBytes]] : []),
  ];
  const body = Buffer.alloc(34 + items.length * 6);
  body.writeUInt16LE(isLayered ? 3 : 2, 0);
  body.writeUInt8(3, 4);
  body.writeUInt8(4, 5);
  body.writeUInt32LE(areUneven ? 0xffff_ffff : (chunks[0]?.length ?? length), 12);
  body.writeBigInt64LE(-1n, 16);
  body.writeBigInt64LE(-1n, 24);
  body.writeUInt16LE(items.length, 32);
  for (const [index, [type = 0, size = 0]] of items.entries()) {
    body.writeUInt16LE(type, 34 + index * 6);
    body.writeUInt16LE(size, 36 + index * 6);
    body.writeUInt16LE(version ?? (isLayered ? 3 : 2), 38 + index * 6);
  }
  return body;
}

function rawPoint({ class: ownClass, grey = 0 }: LazPoint, format: number, extraBytes: number): Buffer {
  const point = Buffer.alloc((lengths[format] ?? 0) + extraBytes);
  const isLayered = format >= 6;
  // The only return of its pulse.
  point.writeUInt8(isLayered ? 0x11 : 0x09, 14);
  point.writeUInt8(ownClass, isLayered ? 16 : 15);
  if (format === 2 || format === 7)
    for (const index of [0, 1, 2]) point.writeUInt16LE(grey, (isLayered ? 30 : 20) + index * 2);
  return point;
}

/** LASzip's version 2: points one after the other. */
function pointwise(points: readonly LazPoint[], format: number, extraBytes: number): Buffer {
  const [firstPoint, ...otherPoints] = points;
  if (!firstPoint) return Buffer.alloc(0);
  const encoder = new Encoder();
  let previousPoint = firstPoint;
  for (const point of otherPoints) {
    const isOther = point.class !== previousPoint.class;
    encoder.symbol('changed', 64, isOther ? 8 : 0);
    if (isOther) encoder.symbol(`class ${previousPoint.class}`, 256, point.class);
    encoder.correction('x', 1, 0);
    encoder.correction('y', 1, 0);
    encoder.correction('z', 1, 0);
    if (format === 2) greyTo(encoder, previousPoint, point);
    for (let index = 0; index < extraBytes; index++) encoder.symbol(`extra ${index}`, 256, 0);
    previousPoint = point;
  }
  // Even a chunk of one point has an encoder.
  return Buffer.concat([rawPoint(firstPoint, format, extraBytes), encoder.done()]);
}

/** LASzip's version 3: the fields one after the other, each for all points. Constant fields have no bytes. */
function layered(points: readonly LazPoint[], format: number, extraBytes: number): Buffer {
  const [firstPoint, ...otherPoints] = points;
  if (!firstPoint) return Buffer.alloc(0);
  const [place, heights, classes, colours] = [new Encoder(), new Encoder(), new Encoder(), new Encoder()];
  let previousPoint = firstPoint;
  let [hasClasses, hasColours] = [false, false];
  for (const point of otherPoints) {
    hasClasses ||= point.class !== previousPoint.class;
    hasColours ||= point.grey !== previousPoint.grey;
    // First and last return.
    place.symbol('changed 3', 128, 0);
    place.correction('x', 1, 0);
    place.correction('y', 1, 0);
    heights.correction('z', 1, 0);
    classes.symbol(`class ${((previousPoint.class & 0x1f) << 1) | 1}`, 256, point.class);
    greyTo(colours, previousPoint, point);
    previousPoint = point;
  }
  const noBytes = Buffer.alloc(0);
  const layers = [
    place.done(),
    heights.done(),
    hasClasses ? classes.done() : noBytes,
    ...Array.from({ length: 6 }, () => noBytes),
    ...(format === 7 ? [hasColours ? colours.done() : noBytes] : []),
    ...Array.from({ length: extraBytes }, () => noBytes),
  ];
  const sizes = Buffer.alloc(4 + layers.length * 4);
  sizes.writeUInt32LE(points.length, 0);
  for (const [index, layer] of layers.entries()) sizes.writeUInt32LE(layer.length, 4 + index * 4);
  return Buffer.concat([rawPoint(firstPoint, format, extraBytes), sizes, ...layers]);
}

function greyTo(encoder: Encoder, { grey: previousGrey = 0 }: LazPoint, { grey = 0 }: LazPoint) {
  const [lowDifference, highDifference] = [
    (grey & 0xff) - (previousGrey & 0xff),
    (grey >> 8) - (previousGrey >> 8),
  ];
  encoder.symbol(
    'colours',
    128,
    (lowDifference === 0 ? 0 : 1 | 4 | 16) | (highDifference === 0 ? 0 : 2 | 8 | 32),
  );
  if (lowDifference !== 0) encoder.symbol('red low', 256, lowDifference & 0xff);
  if (highDifference !== 0) encoder.symbol('red high', 256, highDifference & 0xff);
}
