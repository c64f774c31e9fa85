import { type FileBytes, PastEndError, ReadLimitError } from '../base/file-bytes.ts';
import { type Opened, unrecognizedFile, type Verdict } from '../base/format.ts';
import type { PlainRaster } from './grids.ts';
import { placeOfLayer } from './hfa-georeference.ts';
import { entryLength, maxEntries, type Node, readNode, siblingNodes } from './hfa-nodes.ts';

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
const maxCheckedBlocks = 4_000;

/** ERDAS IMAGINE (`.img`, "HFA"). */
export async function readImagine(file: FileBytes): Promise<Opened<ImagineHead>> {
  if (!(await file.startsWith('EHFA_HEADER_TAG\0'))) return unrecognizedFile;
  return { head: await nullIfCut(() => headOf(file)), end: () => hfaEnd(file) };
}

/** Returns the bands: the layers below the root. Throws `PastEndError`, `ReadLimitError`. */
export async function layersOf(file: FileBytes): Promise<readonly Node[]> {
  const header = (await file.read(16, 4)).readUInt32LE(0);
  const root = (await file.read(header, 18)).readUInt32LE(8);
  const layers: Node[] = [];
  if (root === 0) return layers;
  for await (const node of siblingNodes(file, (await file.read(root, entryLength)).readUInt32LE(12)))
    if (node.type === 'Eimg_Layer') layers.push(node);
  return layers;
}

async function headOf(file: FileBytes): Promise<ImagineHead | null> {
  const layers = await layersOf(file);
  const [firstLayer] = layers;
  if (!firstLayer) return null;
  const layer = await file.read(firstLayer.dataOffset, 12);
  const [bits, sample] = pixels[layer.readUInt16LE(10)] ?? [];
  if (bits === undefined || sample === undefined) return null;
  const size = [layer.readUInt32LE(0), layer.readUInt32LE(4)] as const;
  const georeference = await placeOfLayer(file, firstLayer, size);
  return { kind: 'imagine', bands: layers.length, bits, sample, palette: false, ...georeference };
}

/** `end` reports truncation. */
async function nullIfCut<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PastEndError) return null;
    throw error;
  }
}

/** Requires all nodes, data and raster blocks in the file. */
async function hfaEnd(file: FileBytes): Promise<Verdict> {
  const header = (await file.read(16, 4)).readUInt32LE(0);
  const rootHeader = await file.read(header, 18);
  if (rootHeader.readUInt32LE(8) === 0) return 'noDirectory';
  file.requireRange(rootHeader.readUInt32LE(14));
  for await (const { type, dataOffset, length } of entriesOf(file)) {
    if (dataOffset !== 0) file.requireRange(dataOffset, length);
    if (type === 'Edms_State' && length >= 22) await checkBlocks(file, dataOffset);
  }
  return null;
}

/** Parents before children. */
async function* entriesOf(file: FileBytes): AsyncIterable<Node> {
  const header = (await file.read(16, 4)).readUInt32LE(0);
  const pendingOffsets = [(await file.read(header, 18)).readUInt32LE(8)];
  const visitedOffsets = new Set<number>();
  for (
    let nodeOffset = pendingOffsets.pop();
    nodeOffset !== undefined && visitedOffsets.size < maxEntries;
    nodeOffset = pendingOffsets.pop()
  ) {
    if (nodeOffset === 0 || visitedOffsets.has(nodeOffset)) continue;
    visitedOffsets.add(nodeOffset);
    const node = await readNode(file, nodeOffset);
    yield node;
    pendingOffsets.push(node.nextOffset, node.childOffset);
  }
}

const maxName = 1_024;

/** Returns the name of the file with the pixels (`.ige`), or null. GDAL uses the first for all bands. */
export async function externalRasterOf(file: FileBytes): Promise<string | null> {
  try {
    if (!(await file.startsWith('EHFA_HEADER_TAG\0'))) return null;
    for await (const { type, dataOffset, length } of entriesOf(file)) {
      if (type !== 'ImgExternalRaster' || length < 8) continue;
      const blockCount = (await file.read(dataOffset, 8)).readUInt32LE(0);
      if (blockCount > Math.min(length - 8, maxName)) return null;
      return (await file.read(dataOffset + 8, blockCount)).toString('utf8').replace(/\0.*$/s, '') || null;
    }
    return null;
  } catch (error) {
    if (error instanceof PastEndError || error instanceof ReadLimitError) return null;
    throw error;
  }
}

/** Checks the last blocks, because they are written in order. */
async function checkBlocks(file: FileBytes, stateOffset: number): Promise<void> {
  const state = await file.read(stateOffset, 22);
  const [blockCount, blocksOffset] = [state.readUInt32LE(14), state.readUInt32LE(18)];
  file.requireRange(blocksOffset, blockCount * blockLength);
  const firstBlock = Math.max(0, blockCount - maxCheckedBlocks);
  const blocks = await file.read(
    blocksOffset + firstBlock * blockLength,
    (blockCount - firstBlock) * blockLength,
  );
  for (let block = 0; block < blocks.length; block += blockLength) {
    const isStored = blocks.readUInt16LE(block + 10) !== 0;
    if (isStored) file.requireRange(blocks.readUInt32LE(block + 2), blocks.readUInt32LE(block + 6));
  }
}
