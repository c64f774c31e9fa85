import type { FileBytes } from '../formats/base/file-bytes.ts';
import { layersOf, readImagine } from '../formats/raster/hfa.ts';
import { type Node, siblingNodes } from '../formats/raster/hfa-nodes.ts';
import type { TiffLevel } from './tiff-level.ts';

type Picture = Pick<TiffLevel, 'width' | 'height' | 'columns' | 'rows' | 'offsets' | 'lengths'>;

const maxBlocks = 16_384;
/** Bytes. */
const [layerLength, stateLength, blockLength] = [20, 22, 14];
const plain = {
  ...{ alpha: null, photometric: 1, compression: 1, predictor: 1, isPlanar: true },
  ...{ colourMap: null, jpegTables: null },
} as const;

/**
 * Returns the smallest picture of an ERDAS IMAGINE file of at least this side, or else the largest: three
 * bands in colour, others in grey. Empty for packed blocks and those in other files. Throws `PastEndError`,
 * `ReadLimitError`.
 */
export async function imagineLevels(file: FileBytes, side: number): Promise<readonly TiffLevel[]> {
  const { head } = await readImagine(file);
  if (!head) return [];
  const layers = await layersOf(file);
  const bands: (readonly Picture[])[] = [];
  for (const layer of layers.slice(0, layers.length < 3 ? 1 : 3)) bands.push(await picturesOf(file, layer));
  const [first = []] = bands;
  if (bands.some((band) => band.length !== first.length)) return [];
  const pictures = first.map((picture, index) => ({
    ...picture,
    offsets: bands.flatMap((band) => band[index]?.offsets ?? []),
    lengths: bands.flatMap((band) => band[index]?.lengths ?? []),
  }));
  const bySize = pictures.toSorted((a, b) => a.width - b.width);
  const chosen = bySize.find(({ width, height }) => Math.max(width, height) >= side) ?? bySize.at(-1);
  const { bits, sample, noData = null } = head;
  const layout = { littleEndian: true };
  return chosen ? [{ ...plain, ...chosen, layout, samples: bands.length, bits, sample, noData }] : [];
}

/** A layer and its overviews, as far as their blocks are plain. */
async function picturesOf(file: FileBytes, layer: Node): Promise<readonly Picture[]> {
  const pictures = [await pictureOf(file, layer)];
  for await (const node of siblingNodes(file, layer.childOffset))
    if (node.type === 'Eimg_Layer_SubSample') pictures.push(await pictureOf(file, node));
  return pictures.filter((picture) => picture !== null);
}

async function pictureOf(file: FileBytes, layer: Node): Promise<Picture | null> {
  const fields = await file.read(layer.dataOffset, layerLength);
  for await (const { type, dataOffset } of siblingNodes(file, layer.childOffset)) {
    if (type !== 'Edms_State') continue;
    const state = await file.read(dataOffset, stateLength);
    const [blockCount, blocksOffset] = [state.readUInt32LE(14), state.readUInt32LE(18)];
    const [columns, rows] = [fields.readUInt32LE(12), fields.readUInt32LE(16)];
    const [width, height] = [fields.readUInt32LE(0), fields.readUInt32LE(4)];
    const expectedCount = Math.ceil(width / columns) * Math.ceil(height / rows);
    if (blockCount === 0 || blockCount > maxBlocks || blockCount !== expectedCount) return null;
    const table = await file.read(blocksOffset, blockCount * blockLength);
    const blocks = Array.from({ length: blockCount }, (_, index) => index * blockLength);
    if (blocks.some((at) => table.readUInt16LE(at + 12) !== 0)) return null;
    const lengths = blocks.map((at) => (table.readUInt16LE(at + 10) === 0 ? 0 : table.readUInt32LE(at + 6)));
    return { width, height, columns, rows, offsets: blocks.map((at) => table.readUInt32LE(at + 2)), lengths };
  }
  return null;
}
