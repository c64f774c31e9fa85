import { type FileBytes, PastEnd, ReadEnough } from '../base/file-bytes.ts';
import { type Opened, somethingElse, type Verdict } from '../base/format.ts';
import type { PlainRaster } from './grids.ts';
import { entryLength, maxEntries, type Node, nodeAt, nodesBeside } from './hfa-nodes.ts';
import { placeOfLayer } from './hfa-place.ts';

/** Facts from an ERDAS IMAGINE header. */
export interface ImagineHead extends PlainRaster {
  readonly kind: 'imagine';
}

/** By pixel type. */
const pixels: readonly (readonly [bits: number, sample: ImagineHead['sample']])[] = [
  [1, 'unsigned'],
  [2, 'unsigned'],
  [4, 'unsigned'],
  [8, 'unsigned'],
  [8, 'signed'],
  [16, 'unsigned'],
  [16, 'signed'],
  [32, 'unsigned'],
  [32, 'signed'],
  [32, 'float'],
  [64, 'float'],
];

const blockLength = 14;
const blocksRead = 4_000;

/** ERDAS IMAGINE (`.img`, "HFA"). */
export async function readImagine(file: FileBytes): Promise<Opened<ImagineHead>> {
  if (!(await file.begins('EHFA_HEADER_TAG\0'))) return somethingElse;
  return { head: await unlessCut(() => headOf(file)), end: () => hfaEnd(file) };
}

/** Bands are the layers below the root. */
async function headOf(file: FileBytes): Promise<ImagineHead | null> {
  const header = (await file.take(16, 4)).readUInt32LE(0);
  const root = (await file.take(header, 18)).readUInt32LE(8);
  if (root === 0) return null;
  let bands = 0;
  let first: Node | null = null;
  for await (const node of nodesBeside(file, (await file.take(root, entryLength)).readUInt32LE(12))) {
    if (node.type !== 'Eimg_Layer') continue;
    bands += 1;
    first ??= node;
  }
  if (!first) return null;
  const layer = await file.take(first.data, 12);
  const [bits, sample] = pixels[layer.readUInt16LE(10)] ?? [];
  if (bits === undefined || sample === undefined) return null;
  const size = [layer.readUInt32LE(0), layer.readUInt32LE(4)] as const;
  const place = await placeOfLayer(file, first, size);
  return { kind: 'imagine', bands, bits, sample, palette: false, ...place };
}

/** `end` reports truncation. */
async function unlessCut<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof PastEnd) return null;
    throw thrown;
  }
}

/** Requires all nodes, data and raster blocks in the file. */
async function hfaEnd(file: FileBytes): Promise<Verdict> {
  const header = (await file.take(16, 4)).readUInt32LE(0);
  const about = await file.take(header, 18);
  if (about.readUInt32LE(8) === 0) return 'noDirectory';
  file.need(about.readUInt32LE(14));
  for await (const { type, data, length } of entriesOf(file)) {
    if (data !== 0) file.need(data, length);
    if (type === 'Edms_State' && length >= 22) await blocksLie(file, data);
  }
  return null;
}

/** Parents before children. */
async function* entriesOf(file: FileBytes): AsyncIterable<Node> {
  const header = (await file.take(16, 4)).readUInt32LE(0);
  const waiting = [(await file.take(header, 18)).readUInt32LE(8)];
  const seen = new Set<number>();
  for (let at = waiting.pop(); at !== undefined && seen.size < maxEntries; at = waiting.pop()) {
    if (at === 0 || seen.has(at)) continue;
    seen.add(at);
    const node = await nodeAt(file, at);
    yield node;
    waiting.push(node.next, node.child);
  }
}

const maxName = 1_024;

/** Returns the name of the file with the pixels (`.ige`), or null. GDAL uses the first for all bands. */
export async function externalRasterOf(file: FileBytes): Promise<string | null> {
  try {
    if (!(await file.begins('EHFA_HEADER_TAG\0'))) return null;
    for await (const { type, data, length } of entriesOf(file)) {
      if (type !== 'ImgExternalRaster' || length < 8) continue;
      const count = (await file.take(data, 8)).readUInt32LE(0);
      if (count > Math.min(length - 8, maxName)) return null;
      return (await file.take(data + 8, count)).toString('utf8').replace(/\0.*$/s, '') || null;
    }
    return null;
  } catch (thrown) {
    if (thrown instanceof PastEnd || thrown instanceof ReadEnough) return null;
    throw thrown;
  }
}

/** Checks the last blocks, because they are written in order. */
async function blocksLie(file: FileBytes, at: number): Promise<void> {
  const state = await file.take(at, 22);
  const [count, place] = [state.readUInt32LE(14), state.readUInt32LE(18)];
  file.need(place, count * blockLength);
  const from = Math.max(0, count - blocksRead);
  const blocks = await file.take(place + from * blockLength, (count - from) * blockLength);
  for (let block = 0; block < blocks.length; block += blockLength) {
    const isThere = blocks.readUInt16LE(block + 10) !== 0;
    if (isThere) file.need(blocks.readUInt32LE(block + 2), blocks.readUInt32LE(block + 6));
  }
}
