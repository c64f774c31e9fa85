import type { FileBytes } from '../file-bytes.ts';
import { type Border, BorderPixels, type SeenBorder } from './border-pixels.ts';
import { inflateInto, maxUnpacked } from './unpack.ts';

/** Of one file: packed bytes that are read, and how many at a time. */
const [maxPacked, page] = [192 * 1024, 24 * 1024];
/** Of one row, unpacked; more is no picture that is looked at. */
const longestRow = 256 * 1024;
/** Chunks before the picture itself. */
const maxBefore = 64;
/** Bands of pictures by their colour type: grey, and colours. The others have a palette or alpha. */
const bandsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3 };

/** The seven passes of an interlaced picture (PNG, third edition, 8.1), each a thinner picture of its own. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/**
 * As `sampleBorder`, of a PNG of whole bytes without alpha and without a value that stands for nothing: by
 * the rows that can be unpacked from its first bytes, since it is one stream; of an interlaced one by the
 * last pass that is whole. Throws `PastEnd`, `ReadEnough`.
 */
export async function samplePngBorder(file: FileBytes): Promise<SeenBorder | null> {
  const head = await file.take(8, 25);
  const [width, height] = [head.readUInt32BE(8), head.readUInt32BE(12)];
  const [bits, colours, packing, filters, interlaced] = head.subarray(16);
  const bands = bandsOf[colours ?? -1];
  if (bits !== 8 || !bands || packing !== 0 || filters !== 0 || (interlaced ?? 2) > 1) return null;
  if (width === 0 || height === 0 || width * bands > longestRow) return null;
  const dataAt = await dataOf(file);
  if (dataAt === null) return null;
  const rows = new Rows(bands, width, height, interlaced === 1);
  await inflateInto(packedOf(file, dataAt), (bytes) => rows.take(bytes));
  return rows.border;
}

/**
 * Where the first of its chunks lies; null where it isn’t found, or one before it says what is transparent.
 */
async function dataOf(file: FileBytes): Promise<number | null> {
  let at = 8;
  for (let chunks = 0; chunks < maxBefore; chunks++) {
    const chunk = await file.take(at, 8);
    const kind = chunk.toString('latin1', 4);
    if (kind === 'IDAT') return at;
    if (kind === 'tRNS') return null;
    at += 12 + chunk.readUInt32BE(0);
  }
  return null;
}

/** What chunks hold of the picture, a little of it. */
async function* packedOf(file: FileBytes, from: number): AsyncGenerator<Buffer> {
  const end = Math.min(file.size, from + maxPacked);
  let [at, left] = [from, 0];
  while (at < end) {
    const bytes = await file.take(at, Math.min(page, end - at));
    let place = 0;
    while (place < bytes.length) {
      if (left > 0) {
        const piece = bytes.subarray(place, place + left);
        yield piece;
        place += piece.length;
        left -= piece.length;
        // Behind it stands its sum.
        if (left === 0) place += 4;
      } else if (place + 8 > bytes.length) break;
      else {
        if (bytes.toString('latin1', place + 4, place + 8) !== 'IDAT') return;
        left = bytes.readUInt32BE(place);
        place += left === 0 ? 12 : 8;
      }
    }
    if (place === 0) return;
    at += place;
  }
}

/** Unpacked rows, each behind the number of its filter. */
class Rows {
  readonly #bands: number;
  readonly #isInterlaced: boolean;
  readonly #passes: readonly (readonly [columns: number, rows: number])[];
  #left = maxUnpacked;
  #pass = 0;
  #y = 0;
  #filled = 0;
  #row: Buffer;
  #above: Buffer;
  #pixels: BorderPixels;
  #ofLastPass: Border | null = null;

  constructor(bands: number, width: number, height: number, isInterlaced: boolean) {
    this.#bands = bands;
    this.#isInterlaced = isInterlaced;
    const thinned = passes.map(
      ([x, y, across, down]) => [Math.ceil((width - x) / across), Math.ceil((height - y) / down)] as const,
    );
    this.#passes = isInterlaced
      ? thinned.filter(([columns, rows]) => columns > 0 && rows > 0)
      : [[width, height]];
    [this.#row, this.#above, this.#pixels] = this.#begin();
  }

  #begin(): [row: Buffer, above: Buffer, pixels: BorderPixels] {
    const [columns, rows] = this.#passes[this.#pass] ?? [1, 1];
    const length = 1 + columns * this.#bands;
    return [Buffer.alloc(length), Buffer.alloc(length), new BorderPixels(this.#bands, columns, rows)];
  }

  /** Whether more is wanted. */
  take(bytes: Buffer): boolean {
    this.#left -= bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const count = bytes.copy(this.#row, this.#filled, at);
      at += count;
      this.#filled += count;
      if (this.#filled === this.#row.length && !this.#finishRow()) return false;
    }
    return this.#left > 0;
  }

  #finishRow(): boolean {
    if (!undoFilter(this.#row, this.#above, this.#bands)) return false;
    this.#pixels.takeRow(this.#row.subarray(1), 0, this.#y);
    [this.#row, this.#above] = [this.#above, this.#row];
    this.#filled = 0;
    this.#y += 1;
    if (this.#y < (this.#passes[this.#pass]?.[1] ?? 0)) return true;
    if (this.#isInterlaced) this.#ofLastPass = this.#pixels.border;
    this.#pass += 1;
    if (this.#pass === this.#passes.length) return false;
    this.#y = 0;
    [this.#row, this.#above, this.#pixels] = this.#begin();
    return true;
  }

  get border(): SeenBorder | null {
    if (!this.#isInterlaced) return this.#pixels.seen;
    return this.#ofLastPass && { border: this.#ofLastPass };
  }
}

/** In place (PNG, third edition, 9). False for a filter that there isn’t. */
function undoFilter(row: Buffer, above: Buffer, bands: number): boolean {
  const kind = row[0] ?? 0;
  if (kind > 4) return false;
  for (let at = 1; kind > 0 && at < row.length; at++) {
    const a = at > bands ? (row[at - bands] ?? 0) : 0;
    const b = above[at] ?? 0;
    const c = at > bands ? (above[at - bands] ?? 0) : 0;
    const guess = kind === 1 ? a : kind === 2 ? b : kind === 3 ? (a + b) >> 1 : paeth(a, b, c);
    row[at] = (row[at] ?? 0) + guess;
  }
  return true;
}

function paeth(a: number, b: number, c: number): number {
  const fromA = Math.abs(b - c);
  const fromB = Math.abs(a - c);
  const fromC = Math.abs(a + b - c - c);
  return fromA <= fromB && fromA <= fromC ? a : fromB <= fromC ? b : c;
}
