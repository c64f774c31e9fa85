import { createHash, randomUUID } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../../atomic-file.ts';
import { TileliftError } from '../../errors.ts';
import { batchNumber } from '../batches/batch-path.ts';
import { type HeldFolder, holdOwnFolder } from '../folder/held-folder.ts';
import { ownFolder } from '../survey/left-out.ts';
import { type Mark, parseMark } from './lease-model.ts';
import { readOwn, removeOwn } from './own-files.ts';

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
  return within(folder, undefined, async (held) => {
    const limit = batchNumber(path) === null ? maxMark : maxBatchMark;
    const file = await readOwn(held, nameOf(path), limit);
    const mark = parseMark(file?.text ?? '');
    return mark?.source === path ? mark : undefined;
  });
}

/** Writes a source's mark; also replaces a link. */
export function writeMark(folder: string, mark: Mark): Promise<void> {
  return within(folder, undefined, async (held) => {
    const name = nameOf(mark.source);
    const beside = held.at(`${name}.${randomUUID()}.tmp`);
    await writeFileAtomic(held.at(name), JSON.stringify(mark), {
      temporaryPath: beside,
      check: () => held.check(),
    });
  });
}

/** Later files at this path are a new source. */
export function removeMark(folder: string, path: string): Promise<void> {
  return within(folder, undefined, (held) => removeOwn(held, nameOf(path)));
}

/** Marks of all batches that weren't moved away. */
export async function batchMarks(folder: string): Promise<readonly Mark[]> {
  if (!(await hasMarks(folder))) return [];
  return within<readonly Mark[]>(folder, [], async (held) => {
    const marks: Mark[] = [];
    let bytes = 0;
    for (const name of await readdir(held.path)) {
      if (!batchForm.test(name)) continue;
      const text = (await readOwn(held, name, maxBatchMark))?.text ?? '';
      bytes += text.length;
      if (bytes > maxBatchMarks) throw new Error('the lists of what arrived together are too large');
      const mark = parseMark(text);
      if (mark && nameOf(mark.source) === name) marks.push(mark);
    }
    return marks;
  });
}

/** Whether any source ever had a mark. */
export const hasMarks = (folder: string): Promise<boolean> =>
  lstat(join(folder, ownFolder, place)).then(
    () => true,
    () => false,
  );

async function within<T>(folder: string, without: T, work: (held: HeldFolder) => Promise<T>): Promise<T> {
  try {
    await using held = await holdOwnFolder(folder, place);
    const answer = await work(held);
    await held.check();
    return answer;
  } catch (cause) {
    if (cause instanceof TileliftError && cause.code === 'watch-own-folder-foreign') return without;
    throw new TileliftError('watch-lease-unwritable', { subject: folder, cause });
  }
}
