import { type FileBytes, uint } from '../base/file-bytes.ts';
import type { UnpackLaz } from '../base/format.ts';
import { unpackChunkTable } from './arithmetic.ts';

type PointTrait = 'no-colours' | 'unclassified';

/** Offset of red, green and blue (two bytes each) by point format. */
const coloursAt: Readonly<Record<number, number>> = { 2: 20, 3: 28, 5: 28, 7: 30, 8: 30, 10: 30 };
/** Points at the beginning, middle and end; in LAZ, of chunks there. */
const sampled = 50;

class Points {
  readonly #length: number;
  readonly #class: readonly [at: number, mask: number];
  readonly #colours: number | undefined;
  #isClassified = false;
  #isColoured: boolean;

  constructor(format: number, length: number) {
    this.#length = length;
    this.#class = format < 6 ? [15, 0x1f] : [16, 0xff];
    this.#colours = coloursAt[format];
    this.#isColoured = this.#colours === undefined || length < this.#colours + 6;
  }

  take(points: Buffer): void {
    const [at, mask] = this.#class;
    const colours = this.#colours ?? 0;
    for (let point = 0; point + this.#length <= points.length; point += this.#length) {
      this.#isClassified ||= ((points[point + at] ?? 0) & mask) > 1;
      this.#isColoured ||= points.subarray(point + colours, point + colours + 6).some((one) => one > 0);
    }
  }

  get traits(): readonly PointTrait[] {
    return [
      ...(this.#isColoured ? [] : (['no-colours'] as const)),
      ...(this.#isClassified ? [] : (['unclassified'] as const)),
    ];
  }
}

/**
 * Classes 0 and 1 count as unclassified, zeros as missing colours.
 *
 * @param head the first 227 bytes
 * @param count 0 for packed points
 */
export async function pointTraits(
  file: FileBytes,
  head: Buffer,
  count: number,
): Promise<readonly PointTrait[]> {
  const format = head.readUInt8(104) & 0x3f;
  const [begin, length] = [head.readUInt32LE(96), head.readUInt16LE(105)];
  const many = Math.min(sampled, count);
  const none: readonly PointTrait[] = coloursAt[format] === undefined ? ['no-colours'] : [];
  if (many === 0 || length <= (format < 6 ? 15 : 16) || format > 10) return none;
  const points = new Points(format, length);
  for (const first of new Set([0, Math.floor((count - many) / 2), count - many])) {
    const place = begin + first * length;
    if (place + many * length > file.size) return none;
    points.take(await file.take(place, many * length));
  }
  return coloursAt[format] === undefined ? ['no-colours', ...points.traits] : points.traits;
}

/** LASzip compressors with chunks. */
const [pointwise, layered] = [2, 3];
/** Bytes per point, for formats that laz-perf unpacks. */
const lengths: Readonly<Record<number, number>> = { 0: 20, 1: 28, 2: 26, 3: 34, 6: 30, 7: 36, 8: 38 };
/** Layers, with those for colours and near infrared. */
const layersOf: Readonly<Record<number, number>> = { 6: 9, 7: 10, 8: 11 };
/** Extra bytes per point; bytes per layer and of the table; chunks. */
const [maxExtra, maxLayer, maxTable, maxChunks] = [64, 2_048, 64 * 1024, 20_000];
/** Bytes; the coder reads ahead. */
const behind = 4_096;

interface Packed {
  readonly count: number;
  readonly laszip: Buffer;
  readonly unpackLaz: UnpackLaz;
}

/**
 * Unpacks and checks the first points of the first, middle and last LAZ chunk; null if it can't. Throws
 * `PastEnd`, `ReadEnough`.
 */
export async function packedTraits(
  file: FileBytes,
  head: Buffer,
  { count, laszip, unpackLaz }: Packed,
): Promise<readonly PointTrait[] | null> {
  const format = head.readUInt8(104) & 0x3f;
  const [begin, length] = [head.readUInt32LE(96), head.readUInt16LE(105)];
  const extra = length - (lengths[format] ?? Number.NaN);
  const kind = format < 6 ? pointwise : layered;
  if (!(extra >= 0 && extra <= maxExtra) || !isUnderstood(laszip, kind)) return null;
  const found = await chunksOf(file, begin, laszip.readUInt32LE(12), count);
  if (!found) return null;
  const points = new Points(format, length);
  for (const chunk of new Set([found[0], found[found.length >> 1], found.at(-1)])) {
    if (!chunk || chunk.points === 0) continue;
    const many = Math.min(sampled, chunk.points);
    const bytes =
      kind === pointwise
        ? await file.take(chunk.at, Math.min(chunk.bytes, (many + 1) * length * 2))
        : await shortened(file, chunk, length, (layersOf[format] ?? 0) + extra, extra);
    const padded = bytes && Buffer.concat([bytes, Buffer.alloc(behind)]);
    const unpacked = padded && (await unpackLaz(padded, { format, length, count: many }));
    if (!unpacked) return null;
    points.take(unpacked);
  }
  return coloursAt[format] === undefined ? ['no-colours', ...points.traits] : points.traits;
}

/** Whether laz-perf supports the item versions. */
function isUnderstood(laszip: Buffer, kind: number): boolean {
  if (laszip.length < 34 || laszip.readUInt16LE(0) !== kind) return false;
  const items = laszip.readUInt16LE(32);
  if (items > 5 || laszip.length < 34 + items * 6) return false;
  return Array.from({ length: items }, (_, index) => laszip.readUInt16LE(38 + index * 6)).every(
    (version) => version === kind,
  );
}

interface Chunk {
  readonly at: number;
  readonly bytes: number;
  readonly points: number;
}

/** Null if the chunks don't precede the table. */
async function chunksOf(
  file: FileBytes,
  begin: number,
  size: number,
  count: number,
): Promise<readonly Chunk[] | null> {
  const areUneven = size === 0xffff_ffff;
  const place = await file.take(begin, 8);
  const isStreamed = place.every((byte) => byte === 0xff);
  const at = uint(isStreamed ? await file.last(8) : place, 0, 8);
  const head = await file.take(at, 8);
  const told = head.readUInt32LE(4);
  if (head.readUInt32LE(0) !== 0 || told === 0 || told > maxChunks) return null;
  const table = await file.take(at + 8, Math.min(maxTable, file.size - at - 8));
  const chunks: Chunk[] = [];
  let [from, left] = [begin + 8, count];
  for (const { points, bytes } of unpackChunkTable(table, told, areUneven)) {
    const own = Math.min(areUneven ? points : size, left);
    if (from + bytes > at) return null;
    if (own > 0 && bytes > 0) chunks.push({ at: from, bytes, points: own });
    from += bytes;
    left -= own;
  }
  return chunks.length === 0 ? null : chunks;
}

/**
 * Shortens the layers, since the first points need only their beginnings, and drops extra bytes. Null if
 * layers exceed the chunk.
 */
async function shortened(
  file: FileBytes,
  chunk: Chunk,
  length: number,
  layers: number,
  extra: number,
): Promise<Buffer | null> {
  const headLength = length + 4 + layers * 4;
  if (headLength > chunk.bytes) return null;
  const head = Buffer.from(await file.take(chunk.at, headLength));
  const pieces: Buffer[] = [head];
  let at = chunk.at + headLength;
  for (let layer = 0; layer < layers; layer++) {
    const place = length + 4 + layer * 4;
    const bytes = head.readUInt32LE(place);
    if (at + bytes > chunk.at + chunk.bytes) return null;
    const kept = layer < layers - extra ? Math.min(bytes, maxLayer) : 0;
    head.writeUInt32LE(kept, place);
    if (kept > 0) pieces.push(await file.take(at, kept));
    at += bytes;
  }
  return Buffer.concat(pieces);
}
