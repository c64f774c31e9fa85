import { type FileBytes, uint } from '../base/file-bytes.ts';
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
  if (!(await file.begins('fgb\x03fgb'))) return null;
  const length = (await file.take(8, 4)).readUInt32LE(0);
  file.need(12, length);
  if (length > maxHeader || length < 8) return null;
  const header = await file.take(12, length);
  const features = fieldOf(header, featuresField, 8) ?? 0;
  const nodeSize = fieldOf(header, nodeSizeField, 2) ?? 16;
  if (features === 0 || nodeSize < 2 || features > 2 ** 40) return null;
  const nodes = nodesOf(features, nodeSize);
  const indexAt = 12 + length;
  file.need(indexAt, nodes * nodeLength);
  // Leaves come last, in feature order.
  const last = uint(await file.take(indexAt + (nodes - 1) * nodeLength + 32, 8), 0, 8);
  const at = indexAt + nodes * nodeLength + last;
  file.need(at, 4);
  file.need(at + 4, (await file.take(at, 4)).readUInt32LE(0));
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
function fieldOf(buffer: Buffer, field: number, size: 2 | 8): number | undefined {
  const table = buffer.readUInt32LE(0);
  if (table + 4 > buffer.length) return undefined;
  const list = table - buffer.readInt32LE(table);
  const entry = list + 4 + field * 2;
  if (list < 0 || list + 2 > buffer.length || entry + 2 > list + buffer.readUInt16LE(list)) return undefined;
  if (entry + 2 > buffer.length) return undefined;
  const place = buffer.readUInt16LE(entry);
  return place === 0 || table + place + size > buffer.length ? undefined : uint(buffer, table + place, size);
}
