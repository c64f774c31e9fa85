import { type FileBytes, readUint } from '../base/file-bytes.ts';
import type { Verdict } from '../base/format.ts';

/** Bytes of a box and an offset. */
const nodeLength = 40;
const maxHeader = 256 * 1024;
/** In schema order. */
const [featuresField, nodeSizeField] = [8, 9];

/**
 * FlatGeobuf 3: the index locates the last feature, which states its length. Without an index the end is
 * unknown.
 */
export async function flatGeobufEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.startsWith('fgb\x03fgb'))) return null;
  const length = (await file.read(8, 4)).readUInt32LE(0);
  file.requireRange(12, length);
  if (length > maxHeader || length < 8) return null;
  const header = await file.read(12, length);
  const features = readField(header, featuresField, 8) ?? 0;
  const nodeSize = readField(header, nodeSizeField, 2) ?? 16;
  if (features === 0 || nodeSize < 2 || features > 2 ** 40) return null;
  const nodes = nodesOf(features, nodeSize);
  const indexOffset = 12 + length;
  file.requireRange(indexOffset, nodes * nodeLength);
  // Leaves come last, in feature order.
  const lastFeatureOffset = readUint(await file.read(indexOffset + (nodes - 1) * nodeLength + 32, 8), 0, 8);
  const featureOffset = indexOffset + nodes * nodeLength + lastFeatureOffset;
  file.requireRange(featureOffset, 4);
  file.requireRange(featureOffset + 4, (await file.read(featureOffset, 4)).readUInt32LE(0));
  return null;
}

function nodesOf(features: number, nodeSize: number): number {
  let [level, nodes] = [features, features];
  do {
    level = Math.ceil(level / nodeSize);
    nodes += level;
  } while (level > 1);
  return nodes;
}

/** Undefined means the default. */
function readField(buffer: Buffer, field: number, size: 2 | 8): number | undefined {
  const table = buffer.readUInt32LE(0);
  if (table + 4 > buffer.length) return undefined;
  const list = table - buffer.readInt32LE(table);
  const entry = list + 4 + field * 2;
  if (list < 0 || list + 2 > buffer.length || entry + 2 > list + buffer.readUInt16LE(list)) return undefined;
  if (entry + 2 > buffer.length) return undefined;
  const fieldOffset = buffer.readUInt16LE(entry);
  return fieldOffset === 0 || table + fieldOffset + size > buffer.length
    ? undefined
    : readUint(buffer, table + fieldOffset, size);
}
