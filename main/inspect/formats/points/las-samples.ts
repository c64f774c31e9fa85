import { type FileBytes, readUint } from '../base/file-bytes.ts';
import type { UnpackLaz } from '../base/format.ts';
import { unpackChunkTable } from './arithmetic.ts';

type PointTrait = 'no-colours' | 'unclassified';

/** Offset of red, green and blue (two bytes each) by point format. */
export const colourOffsets: Readonly<Record<number, number>> = { 2: 20, 3: 28, 5: 28, 7: 30, 8: 30, 10: 30 };
/** Points at the beginning, middle and end; in LAZ, of chunks there. */
const sampleSize = 50;

class Points {
  readonly #length: number;
  readonly #class: readonly [offset: number, mask: number];
  readonly #colours: number | undefined;
  #isClassified = false;
  #isColoured: boolean;

  constructor(format: number, length: number) {
    this.#length = length;
    this.#class = format < 6 ? [15, 0x1f] : [16, 0xff];
    this.#colours = colourOffsets[format];
    this.#isColoured = this.#colours === undefined || length < this.#colours + 6;
  }

  add(points: Buffer): void {
    const [offset, mask] = this.#class;
    const colours = this.#colours ?? 0;
    for (let point = 0; point + this.#length <= points.length; point += this.#length) {
      this.#isClassified ||= ((points[point + offset] ?? 0) & mask) > 1;
      this.#isColoured ||= points.subarray(point + colours, point + colours + 6).some((value) => value > 0);
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
 * @param header the first 227 bytes
 * @param count 0 for packed points
 */
export async function pointTraits(
  file: FileBytes,
  header: Buffer,
  count: number,
): Promise<readonly PointTrait[]> {
  const format = header.readUInt8(104) & 0x3f;
  const [pointsOffset, length] = [header.readUInt32LE(96), header.readUInt16LE(105)];
  const sampleCount = Math.min(sampleSize, count);
  const traitsWithoutSamples: readonly PointTrait[] =
    colourOffsets[format] === undefined ? ['no-colours'] : [];
  if (sampleCount === 0 || length <= (format < 6 ? 15 : 16) || format > 10) return traitsWithoutSamples;
  const points = new Points(format, length);
  for (const firstPoint of new Set([0, Math.floor((count - sampleCount) / 2), count - sampleCount])) {
    const sampleOffset = pointsOffset + firstPoint * length;
    if (sampleOffset + sampleCount * length > file.size) return traitsWithoutSamples;
    points.add(await file.read(sampleOffset, sampleCount * length));
  }
  return colourOffsets[format] === undefined ? ['no-colours', ...points.traits] : points.traits;
}

/** LASzip compressors with chunks. */
const [pointwise, layered] = [2, 3];
/** Bytes per point, for formats that laz-perf unpacks. */
const recordLengths: Readonly<Record<number, number>> = { 0: 20, 1: 28, 2: 26, 3: 34, 6: 30, 7: 36, 8: 38 };
/** Layers, with those for colours and near infrared. */
const layerCounts: Readonly<Record<number, number>> = { 6: 9, 7: 10, 8: 11 };
/** Extra bytes per point; bytes per layer and of the table; chunks. */
const [maxExtra, maxLayer, maxTable, maxChunks] = [64, 2_048, 64 * 1024, 20_000];
/** Bytes; the coder reads ahead. */
const paddingLength = 4_096;

interface Packed {
  readonly count: number;
  readonly laszip: Buffer;
  readonly unpackLaz: UnpackLaz;
}

/**
 * Unpacks and checks the first points of the first, middle and last LAZ chunk; null if it can't. Throws
 * `PastEndError`, `ReadLimitError`.
 */
export async function packedTraits(
  file: FileBytes,
  header: Buffer,
  { count, laszip, unpackLaz }: Packed,
): Promise<readonly PointTrait[] | null> {
  const format = header.readUInt8(104) & 0x3f;
  const length = header.readUInt16LE(105);
  const extraLength = length - (recordLengths[format] ?? Number.NaN);
  const compressor = format < 6 ? pointwise : layered;
  const chunks = await chunksOf(file, header, count, laszip);
  if (!chunks) return null;
  const points = new Points(format, length);
  for (const chunk of new Set([chunks[0], chunks[chunks.length >> 1], chunks.at(-1)])) {
    if (!chunk || chunk.points === 0) continue;
    const sampleCount = Math.min(sampleSize, chunk.points);
    const bytes =
      compressor === pointwise
        ? await file.read(chunk.offset, Math.min(chunk.bytes, (sampleCount + 1) * length * 2))
        : await shortenChunk(file, chunk, length, (layerCounts[format] ?? 0) + extraLength, extraLength);
    const paddedBytes = bytes && Buffer.concat([bytes, Buffer.alloc(paddingLength)]);
    const unpacked = paddedBytes && (await unpackLaz(paddedBytes, { format, length, count: sampleCount }));
    if (!unpacked) return null;
    points.add(unpacked);
  }
  return colourOffsets[format] === undefined ? ['no-colours', ...points.traits] : points.traits;
}

/** Whether laz-perf supports the item versions. */
function isSupported(laszip: Buffer, compressor: number): boolean {
  if (laszip.length < 34 || laszip.readUInt16LE(0) !== compressor) return false;
  const items = laszip.readUInt16LE(32);
  if (items > 5 || laszip.length < 34 + items * 6) return false;
  return Array.from({ length: items }, (_, index) => laszip.readUInt16LE(38 + index * 6)).every(
    (version) => version === compressor,
  );
}

/** A separately packed run of points. `offset`, `bytes`: in the file. */
export interface Chunk {
  readonly offset: number;
  readonly bytes: number;
  readonly points: number;
}

/** Returns chunks in file order; null if they can't be unpacked, don't precede the table or are too many. */
export async function chunksOf(
  file: FileBytes,
  fileHeader: Buffer,
  count: number,
  laszip: Buffer,
): Promise<readonly Chunk[] | null> {
  const format = fileHeader.readUInt8(104) & 0x3f;
  const [pointsOffset, length] = [fileHeader.readUInt32LE(96), fileHeader.readUInt16LE(105)];
  const extraLength = length - (recordLengths[format] ?? Number.NaN);
  const isPossible = extraLength >= 0 && extraLength <= maxExtra;
  if (!isPossible || !isSupported(laszip, format < 6 ? pointwise : layered)) return null;
  const size = laszip.readUInt32LE(12);
  const areUneven = size === 0xffff_ffff;
  const tablePointer = await file.read(pointsOffset, 8);
  const isStreamed = tablePointer.every((byte) => byte === 0xff);
  const tableOffset = readUint(isStreamed ? await file.readEnd(8) : tablePointer, 0, 8);
  const header = await file.read(tableOffset, 8);
  const statedChunks = header.readUInt32LE(4);
  if (header.readUInt32LE(0) !== 0 || statedChunks === 0 || statedChunks > maxChunks) return null;
  const table = await file.read(tableOffset + 8, Math.min(maxTable, file.size - tableOffset - 8));
  const chunks: Chunk[] = [];
  let [chunkOffset, remainingPoints] = [pointsOffset + 8, count];
  for (const { points, bytes } of unpackChunkTable(table, statedChunks, areUneven)) {
    const chunkPoints = Math.min(areUneven ? points : size, remainingPoints);
    if (chunkOffset + bytes > tableOffset) return null;
    if (chunkPoints > 0 && bytes > 0) chunks.push({ offset: chunkOffset, bytes, points: chunkPoints });
    chunkOffset += bytes;
    remainingPoints -= chunkPoints;
  }
  return chunks.length === 0 ? null : chunks;
}

/**
 * Shortens the layers, since the first points need only their beginnings, and drops extra bytes. Null if
 * layers exceed the chunk.
 */
async function shortenChunk(
  file: FileBytes,
  chunk: Chunk,
  length: number,
  layers: number,
  extraLength: number,
): Promise<Buffer | null> {
  const headLength = length + 4 + layers * 4;
  if (headLength > chunk.bytes) return null;
  const header = Buffer.from(await file.read(chunk.offset, headLength));
  const shortenedParts: Buffer[] = [header];
  let layerOffset = chunk.offset + headLength;
  for (let layer = 0; layer < layers; layer++) {
    const lengthOffset = length + 4 + layer * 4;
    const bytes = header.readUInt32LE(lengthOffset);
    if (layerOffset + bytes > chunk.offset + chunk.bytes) return null;
    const sampledLength = layer < layers - extraLength ? Math.min(bytes, maxLayer) : 0;
    header.writeUInt32LE(sampledLength, lengthOffset);
    if (sampledLength > 0) shortenedParts.push(await file.read(layerOffset, sampledLength));
    layerOffset += bytes;
  }
  return Buffer.concat(shortenedParts);
}
