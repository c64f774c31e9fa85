import { type FileBytes, PastEnd, ReadEnough } from '../base/file-bytes.ts';
import { type Opened, somethingElse, type Verdict } from '../base/format.ts';

/** What the head of an ERDAS IMAGINE file says of its samples. */
export interface ImagineHead {
  readonly kind: 'imagine';
  readonly bands: number;
  /** Of one sample. */
  readonly bits: number;
  readonly sample: 'unsigned' | 'signed' | 'float';
  readonly palette: false;
}

/** Types of its pixels, in the order of their numbers. */
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

const maxEntries = 300;
const entryLength = 128;
const blockLength = 14;
const blocksRead = 4_000;

/** ERDAS IMAGINE (`.img`, "HFA"). */
export async function readImagine(file: FileBytes): Promise<Opened<ImagineHead>> {
  if (!(await file.begins('EHFA_HEADER_TAG\0'))) return somethingElse;
  return { head: await unlessCut(() => headOf(file)), end: () => hfaEnd(file) };
}

/** Its bands are the layers beside each other below the root of its tree. */
async function headOf(file: FileBytes): Promise<ImagineHead | null> {
  const header = (await file.take(16, 4)).readUInt32LE(0);
  const root = (await file.take(header, 18)).readUInt32LE(8);
  if (root === 0) return null;
  let bands = 0;
  let type = -1;
  let at = (await file.take(root, entryLength)).readUInt32LE(12);
  for (let entry = 0; at !== 0 && entry < maxEntries; entry++) {
    const node = await file.take(at, entryLength);
    if (typeOf(node) === 'Eimg_Layer') {
      bands += 1;
      if (type < 0) type = (await file.take(node.readUInt32LE(16), 12)).readUInt16LE(10);
    }
    at = node.readUInt32LE(0);
  }
  const [bits, sample] = pixels[type] ?? [];
  return bits === undefined || sample === undefined
    ? null
    : { kind: 'imagine', bands, bits, sample, palette: false };
}

/** What is cut off is told at the end. */
async function unlessCut<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof PastEnd) return null;
    throw thrown;
  }
}

const typeOf = (node: Buffer): string => node.toString('latin1', 88, 120).replace(/\0.*$/s, '');

/** Every node of its tree, its data, and the blocks of its rasters lie in the file. */
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

interface Entry {
  readonly type: string;
  /** Where what it holds lies, in bytes; 0 for nowhere. */
  readonly data: number;
  /** Of that, in bytes. */
  readonly length: number;
}

/** The nodes of its tree, each before those below it. */
async function* entriesOf(file: FileBytes): AsyncIterable<Entry> {
  const header = (await file.take(16, 4)).readUInt32LE(0);
  const waiting = [(await file.take(header, 18)).readUInt32LE(8)];
  const seen = new Set<number>();
  for (let at = waiting.pop(); at !== undefined && seen.size < maxEntries; at = waiting.pop()) {
    if (at === 0 || seen.has(at)) continue;
    seen.add(at);
    const entry = await file.take(at, entryLength);
    yield { type: typeOf(entry), data: entry.readUInt32LE(16), length: entry.readUInt32LE(20) };
    waiting.push(entry.readUInt32LE(0), entry.readUInt32LE(12));
  }
}

/** Bytes of a name that is read. */
const maxName = 1_024;

/**
 * The file that holds the pixels where they don't lie in this one (`.ige`), as it is written there; null for
 * none, and for what is no file of this kind or can't be understood. One is enough: GDAL takes the first for
 * all bands.
 */
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

/** Blocks of a raster: the last of very many are enough, since they are written in turn. */
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
