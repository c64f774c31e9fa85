import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../../atomic-file.ts';
import { readHeld, removeHeld } from '../../files/held-files.ts';
import type { HeldFolder } from '../../files/held-folder.ts';
import { areThere } from '../../files/whereabouts.ts';
import { type Mark, parseMark } from '../model/lease-model.ts';
import { ownFolder } from '../model/left-out.ts';
import { batchNumber } from '../model/source-names.ts';
import { withinOwnFolder } from './own-files.ts';

/**
 * Outcomes of sources in a shared folder, one file each, written by the computer with the lease. Every call
 * throws `watch-lease-unwritable` if the folder can't be used.
 */

const place = 'sources';
const maxMark = 64 * 1024;
/** Bytes of a batch's mark, and of all of them. */
const maxBatchMark = 16 * 1024 * 1024;
const maxBatchMarks = 64 * 1024 * 1024;
const batchForm = /^batch-([1-9]\d{0,8})\.json$/;

function nameOf(path: string): string {
  const number = batchNumber(path);
  return number === null ? `${createHash('sha256').update(path).digest('hex')}.json` : `batch-${number}.json`;
}

/** Reads a source's mark; undefined without a valid one. */
export function readMark(folder: string, path: string): Promise<Mark | undefined> {
  return within(folder, undefined, async (marksFolder) => {
    const limit = batchNumber(path) === null ? maxMark : maxBatchMark;
    const file = await readHeld(marksFolder, nameOf(path), limit);
    const mark = parseMark(file?.text ?? '');
    return mark?.source === path ? mark : undefined;
  });
}

/** Writes a source's mark; also replaces a link. */
export function writeMark(folder: string, mark: Mark): Promise<void> {
  return within(folder, undefined, async (marksFolder) => {
    const name = nameOf(mark.source);
    const temporaryPath = marksFolder.entryPath(`${name}.${randomUUID()}.tmp`);
    await writeFileAtomic(marksFolder.entryPath(name), JSON.stringify(mark), {
      temporaryPath,
      check: () => marksFolder.check(),
    });
  });
}

/** Later files at this path are a new source. */
export function removeMark(folder: string, path: string): Promise<void> {
  return within(folder, undefined, (marksFolder) => removeHeld(marksFolder, nameOf(path)));
}

/** Marks of all batches that weren't moved away. */
export async function batchMarks(folder: string): Promise<readonly Mark[]> {
  if (!(await hasMarks(folder))) return [];
  return within<readonly Mark[]>(folder, [], async (marksFolder) => {
    const marks: Mark[] = [];
    let bytes = 0;
    for (const name of await readdir(marksFolder.path)) {
      if (!batchForm.test(name)) continue;
      const text = (await readHeld(marksFolder, name, maxBatchMark))?.text ?? '';
      bytes += text.length;
      if (bytes > maxBatchMarks) throw new Error('the lists of what arrived together are too large');
      const mark = parseMark(text);
      if (mark && nameOf(mark.source) === name) marks.push(mark);
    }
    return marks;
  });
}

/** Whether any source ever had a mark. */
export const hasMarks = (folder: string): Promise<boolean> => areThere([join(folder, ownFolder, place)]);

const within = <T>(folder: string, fallback: T, work: (marksFolder: HeldFolder) => Promise<T>): Promise<T> =>
  withinOwnFolder(folder, place, work, () => fallback);
