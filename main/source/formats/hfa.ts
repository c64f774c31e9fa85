import type { FileBytes } from './file-bytes.ts';
import type { Verdict } from './format.ts';

const maxEntries = 300;
const entryLength = 128;
const blockLength = 14;
const blocksRead = 4_000;

/**
 * ERDAS IMAGINE (`.img`, "HFA"): every node of its tree, its data, and the blocks of its rasters lie in the
 * file.
 */
export async function hfaEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.begins('EHFA_HEADER_TAG\0'))) return null;
  const header = (await file.take(16, 4)).readUInt32LE(0);
  const about = await file.take(header, 18);
  const [root, dictionary] = [about.readUInt32LE(8), about.readUInt32LE(14)];
  if (root === 0) return 'noDirectory';
  file.need(dictionary);
  const waiting = [root];
  const seen = new Set<number>();
  for (let at = waiting.pop(); at !== undefined && seen.size < maxEntries; at = waiting.pop()) {
    if (at === 0 || seen.has(at)) continue;
    seen.add(at);
    const entry = await file.take(at, entryLength);
    const [next, child] = [entry.readUInt32LE(0), entry.readUInt32LE(12)];
    const [data, length] = [entry.readUInt32LE(16), entry.readUInt32LE(20)];
    if (data !== 0) file.need(data, length);
    const type = entry.toString('latin1', 88, 120).replace(/\0.*$/s, '');
    if (type === 'Edms_State' && length >= 22) await blocksLie(file, data);
    waiting.push(next, child);
  }
  return null;
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
