import { type FileBytes, readUint } from '../formats/base/file-bytes.ts';
import type { UnpackLaz } from '../formats/base/format.ts';
import { countPoints, laszipIn } from '../formats/points/las.ts';
import { chunksOf, colourOffsets } from '../formats/points/las-samples.ts';
import { fitInto, limits, type Pixels, thumbnailSide, usualRange } from './picture.ts';

const maxPoints = 300_000;
const maxChunks = 64;
const maxChunkPoints = 50_000;
const blockBytes = 16 * 1024;
const maxBlocks = 512;
/** Time for reading, of the whole. */
const readingMs = limits.ms * 0.6;
/** The coder reads ahead, bytes. */
const padding = Buffer.alloc(4_096);
/** Colours from low to high. */
const ramp = [
  [43, 76, 111],
  [52, 129, 123],
  [142, 176, 95],
  [226, 196, 120],
  [250, 240, 222],
] as const;

/** Coordinates as stored. */
interface Cloud {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  /** Red, green and blue per point, as stored; null without colours. */
  readonly colours: Uint16Array | null;
}

/** Draws points of a LAS or LAZ file from above; null if it can't be read. */
export async function pointsIn(
  file: FileBytes,
  unpackLaz: UnpackLaz,
  elapsedMs: () => number,
): Promise<Pixels | null> {
  if (!(await file.startsWith('LASF'))) return null;
  const header = await file.read(0, 227);
  const cloud = await readCloud(file, header, unpackLaz, elapsedMs);
  return cloud && cloud.x.length > 0
    ? fromAbove(cloud, header.readDoubleLE(131), header.readDoubleLE(139))
    : null;
}

async function readCloud(
  file: FileBytes,
  header: Buffer,
  unpackLaz: UnpackLaz,
  elapsedMs: () => number,
): Promise<Cloud | null> {
  const format = header.readUInt8(104) & 0x3f;
  const length = header.readUInt16LE(105);
  const isPacked = (header.readUInt8(104) & 0xc0) !== 0;
  if (length < 20 || format > 10) return null;
  const colourOffset = colourOffsets[format] ?? Number.POSITIVE_INFINITY;
  const hasColours = colourOffset + 6 <= length;
  const count = await countPoints(file);
  const capacity = Math.min(count, maxPoints);
  const [x, y, z] = [new Float64Array(capacity), new Float64Array(capacity), new Float64Array(capacity)];
  const colours = hasColours ? new Uint16Array(capacity * 3) : null;
  const blocks = isPacked
    ? await packedBlocks(file, header, count, unpackLaz)
    : plainBlocks(file, header, count);
  const pointsPerBlock = Math.floor(maxPoints / Math.max(1, blocks.length));
  let points = 0;
  for (const readBlock of blocks) {
    const bytes = elapsedMs() > readingMs ? null : await readBlock().catch(() => null);
    // The points so far show the whole cloud coarsely.
    if (!bytes) break;
    const step = Math.max(1, Math.ceil(bytes.length / length / pointsPerBlock)) * length;
    for (let offset = 0; offset + length <= bytes.length && points < capacity; offset += step) {
      x[points] = bytes.readInt32LE(offset);
      y[points] = bytes.readInt32LE(offset + 4);
      z[points] = bytes.readInt32LE(offset + 8);
      for (let channel = 0; channel < 3 && colours; channel++)
        colours[points * 3 + channel] = readUint(bytes, offset + colourOffset + channel * 2, 2);
      points += 1;
    }
  }
  const filled = (values: Float64Array) => values.subarray(0, points);
  const hasShades = colours?.subarray(0, points * 3).some((shade) => shade > 0);
  return { x: filled(x), y: filled(y), z: filled(z), colours: hasShades ? colours : null };
}

type ReadBlock = () => Promise<Buffer | null>;

function plainBlocks(file: FileBytes, header: Buffer, count: number): readonly ReadBlock[] {
  const [start, length] = [header.readUInt32LE(96), header.readUInt16LE(105)];
  const perBlock = Math.ceil(blockBytes / length);
  const total = Math.ceil(count / perBlock);
  return spread(total, maxBlocks).map((block) => () => {
    const firstPoint = block * perBlock;
    return file.read(start + firstPoint * length, Math.min(perBlock, count - firstPoint) * length);
  });
}

async function packedBlocks(
  file: FileBytes,
  header: Buffer,
  count: number,
  unpackLaz: UnpackLaz,
): Promise<readonly ReadBlock[]> {
  const laszip = await laszipIn(file);
  const chunks = (laszip && (await chunksOf(file, header, count, laszip))) ?? [];
  const [format, length] = [header.readUInt8(104) & 0x3f, header.readUInt16LE(105)];
  return spread(chunks.length, maxChunks).map((index) => async () => {
    const { offset, bytes, points } = chunks[index] ?? { offset: 0, bytes: 0, points: 0 };
    const packed = Buffer.concat([await file.read(offset, bytes), padding]);
    return unpackLaz(packed, { format, length, count: Math.min(points, maxChunkPoints) });
  });
}

/** Up to `max` of the numbers below a total. Those at the beginning already reach everywhere. */
function spread(total: number, max: number): readonly number[] {
  if (total <= max) return Array.from({ length: total }, (_, index) => index);
  const goldenRatio = 0.618_033_988_749_895;
  return [
    ...new Set(Array.from({ length: max }, (_, index) => Math.floor(((index * goldenRatio) % 1) * total))),
  ];
}

function fromAbove({ x, y, z, colours }: Cloud, scaleX: number, scaleY: number): Pixels {
  const [minX, maxX] = usualRange(x.slice());
  const [bottom, top] = usualRange(y.slice());
  const [lowest, highest] = usualRange(z.slice());
  const unitsOf = (scale: number) => (scale > 0 && Number.isFinite(scale) ? scale : 1);
  const [metresX, metresY] = [(maxX - minX) * unitsOf(scaleX), (top - bottom) * unitsOf(scaleY)];
  const longest = Math.max(metresX, metresY);
  // Few points would leave gaps between them.
  const side = Math.min(thumbnailSide, Math.sqrt(x.length));
  const [width, height] =
    longest > 0 ? fitInto((metresX / longest) * side, (metresY / longest) * side, side) : [1, 1];
  const rgba = new Uint8Array(width * height * 4);
  const heights = new Float64Array(width * height).fill(Number.NEGATIVE_INFINITY);
  const shift = colours?.some((shade) => shade > 255) ? 8 : 0;
  const placeOf = (value: number, low: number, high: number, pixels: number) => {
    if (value < low || value > high) return Number.NaN;
    return high > low ? Math.min(pixels - 1, Math.floor(((value - low) / (high - low)) * pixels)) : 0;
  };
  for (let point = 0; point < x.length; point++) {
    const column = placeOf(x[point] ?? 0, minX, maxX, width);
    const row = height - 1 - placeOf(y[point] ?? 0, bottom, top, height);
    const value = z[point] ?? 0;
    const place = row * width + column;
    if (!(value > (heights[place] ?? Number.POSITIVE_INFINITY))) continue;
    heights[place] = value;
    const shade = rampAt(highest > lowest ? (value - lowest) / (highest - lowest) : 0.5);
    for (let channel = 0; channel < 3; channel++)
      rgba[place * 4 + channel] = colours
        ? (colours[point * 3 + channel] ?? 0) >> shift
        : (shade[channel] ?? 0);
    rgba[place * 4 + 3] = 255;
  }
  return { width, height, rgba };
}

function rampAt(share: number): readonly number[] {
  const place = Math.min(1, Math.max(0, share)) * (ramp.length - 1);
  const [lower, upper] = [ramp[Math.floor(place)] ?? ramp[0], ramp[Math.ceil(place)] ?? ramp[0]];
  return lower.map((shade, channel) => shade + ((upper[channel] ?? 0) - shade) * (place % 1));
}
