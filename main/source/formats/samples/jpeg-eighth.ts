import { Bits, type Codes, takeCodes } from './jpeg-codes.ts';

/** A JPEG at an eighth of its size (ITU-T T.81): of each block of 8 × 8 its mean, without any transform. */

/** What a piece of one shows, row by row of blocks. */
export interface Eighth {
  /** Bytes of a pixel: 1 of grey and where the first is brightness, else as many as components. */
  readonly bands: number;
  /** Blocks side by side, the last of which may go beyond the picture. */
  readonly columns: number;
  /** As many as are whole. */
  readonly rows: readonly Buffer[];
}

const [frame, extendedFrame, huffman, image, scan] = [0xc0, 0xc1, 0xc4, 0xd8, 0xda];
const [end, quantization, restartInterval, adobe] = [0xd9, 0xdb, 0xdd, 0xee];
const maxSegments = 64;
/** Pixels of a side. */
const maxSide = 16_384;

interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  readonly quantization: number;
  dc: Codes | undefined;
  ac: Codes | undefined;
  before: number;
}

/**
 * Unpacks the beginning of a sequential JPEG of 8 bits. What is black or white throughout its block is 0 or
 * 255, and nothing else is. Null for what is no such thing.
 * @param parts of it, one after the other: tables that stand apart in a TIFF, then the picture
 * @param isBrightness whether the first of several components is that of a colour, whose others are not seen
 */
export function unpackEighth(parts: readonly Buffer[], isBrightness: boolean): Eighth | null {
  const tables = new Map<number, Codes>();
  const steps = new Map<number, number>();
  let components: Component[] = [];
  let [width, height, interval] = [0, 0, 0];
  for (const bytes of parts) {
    let at = 0;
    for (let segment = 0; segment < maxSegments && at + 4 <= bytes.length; segment++) {
      const [mark = 0, kind = 0] = bytes.subarray(at, at + 2);
      if (mark !== 0xff) return null;
      if (kind === image || kind === end) {
        at += 2;
        continue;
      }
      const length = bytes.readUInt16BE(at + 2);
      const body = bytes.subarray(at + 4, at + 2 + length);
      if (length < 2 || body.length < length - 2) return null;
      // Its components are colours then, not brightness.
      if (kind === adobe && body[11] === 0 && isBrightness) return null;
      if (kind === quantization) takeSteps(body, steps);
      else if (kind === huffman) {
        if (!takeCodes(body, tables)) return null;
      } else if (kind === restartInterval && body.length >= 2) interval = body.readUInt16BE(0);
      else if (kind === frame || kind === extendedFrame) {
        if (body.length < 6 || body[0] !== 8) return null;
        [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)];
        components = Array.from({ length: body[5] ?? 0 }, (_, index) => {
          const [id = 0, sampling = 0, table = 0] = body.subarray(6 + index * 3, 9 + index * 3);
          const [across, down] = [sampling >> 4, sampling & 15];
          return { id, across, down, quantization: table, dc: undefined, ac: undefined, before: 0 };
        });
      } else if (kind >= 0xc0 && kind <= 0xcf && kind !== 0xc8) return null;
      else if (kind === scan) {
        const count = body[0] ?? 0;
        if (count === 0 || count !== components.length || count > (isBrightness ? 3 : 4)) return null;
        for (const [index, component] of components.entries()) {
          const [id, codes = 0] = body.subarray(1 + index * 2, 3 + index * 2);
          if (id !== component.id) return null;
          component.dc = tables.get(codes >> 4);
          component.ac = tables.get(16 + (codes & 15));
        }
        const isUsual = components.every(
          ({ across, down, dc, ac }) => across > 0 && across <= 4 && down > 0 && down <= 4 && dc && ac,
        );
        if (!isUsual || width === 0 || height === 0 || width > maxSide || height > maxSide) return null;
        return unpackScan(bytes.subarray(at + 2 + length), {
          components,
          steps,
          width,
          height,
          interval,
          isBrightness,
        });
      }
      at += 2 + length;
    }
  }
  return null;
}

function takeSteps(body: Buffer, steps: Map<number, number>): void {
  for (let at = 0; at < body.length; ) {
    const kind = body[at] ?? 0;
    const isLong = kind >> 4 > 0;
    if (at + 3 > body.length) return;
    steps.set(kind & 15, isLong ? body.readUInt16BE(at + 1) : (body[at + 1] ?? 1));
    at += 1 + (isLong ? 128 : 64);
  }
}

interface Scan {
  readonly components: readonly Component[];
  readonly steps: ReadonlyMap<number, number>;
  readonly width: number;
  readonly height: number;
  readonly interval: number;
  readonly isBrightness: boolean;
}

function unpackScan(
  data: Buffer,
  { components, steps, width, height, interval, isBrightness }: Scan,
): Eighth | null {
  const [across, down] = [
    Math.max(...components.map((one) => one.across)),
    Math.max(...components.map((one) => one.down)),
  ];
  const seen = isBrightness ? components.slice(0, 1) : components;
  // Each has as many blocks as the picture, so that what is seen stands side by side.
  const isEven = components.length === 1 || seen.every((one) => one.across === across && one.down === down);
  if (!isEven) return null;
  const [perUnit, unitRows] = components.length === 1 ? [1, 1] : [across, down];
  const unitsAcross = Math.ceil(width / (8 * perUnit));
  const unitsDown = Math.ceil(height / (8 * unitRows));
  const [bands, columns] = [seen.length, unitsAcross * perUnit];
  const bits = new Bits(data);
  const rows: Buffer[] = [];
  let left = interval;
  for (let unitRow = 0; unitRow < unitsDown; unitRow++) {
    const some = Array.from({ length: unitRows }, () => Buffer.alloc(columns * bands));
    for (let unit = 0; unit < unitsAcross; unit++) {
      if (interval > 0 && left === 0) {
        bits.restart();
        for (const one of components) one.before = 0;
        left = interval;
      }
      left -= 1;
      for (const [index, one] of components.entries()) {
        const [wide, high] = components.length === 1 ? [1, 1] : [one.across, one.down];
        for (let block = 0; block < wide * high; block++) {
          const value = unpackBlock(bits, one, steps.get(one.quantization) ?? 1);
          if (value < 0) return { bands, columns, rows };
          if (index >= bands) continue;
          const place = unit * perUnit + (block % wide);
          const row = some[Math.floor(block / wide)];
          if (row) row[place * bands + index] = value;
        }
      }
    }
    rows.push(...some);
  }
  return { bands, columns, rows };
}

/** The mean of a block, 0 to 255: 0 and 255 only where all of it is. Negative where the data ends. */
function unpackBlock(bits: Bits, component: Component, step: number): number {
  const { dc, ac } = component;
  if (!dc || !ac) return -1;
  const size = bits.symbol(dc);
  if (size < 0 || size > 15) return -1;
  component.before += bits.signed(size);
  let isFlat = true;
  for (let at = 1; at < 64; at++) {
    const symbol = bits.symbol(ac);
    if (symbol < 0) return -1;
    const [zeros, length] = [symbol >> 4, symbol & 15];
    if (length === 0 && zeros < 15) break;
    at += zeros;
    if (length === 0) continue;
    isFlat = false;
    bits.skip(length);
  }
  if (bits.isOver) return -1;
  const mean = Math.round((component.before * step) / 8 + 128);
  return isFlat ? Math.min(255, Math.max(0, mean)) : Math.min(254, Math.max(1, mean));
}
