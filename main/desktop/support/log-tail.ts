import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../errno.ts';
import { logFileName } from '../../log.ts';

/** The last lines of the log in `folder`, oldest first: of the file being written and, where that is short, of the one before it. */
export async function readLogTail(folder: string, count: number): Promise<readonly string[]> {
  const current = await linesOf(join(folder, logFileName));
  const before = current.length < count ? await linesOf(join(folder, `${logFileName}.1`)) : [];
  return [...before, ...current].slice(-count);
}

async function linesOf(file: string): Promise<readonly string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    return [`${file} can’t be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}
