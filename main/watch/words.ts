import { basename } from 'node:path';
import { sizeWords } from '../jobs/history.ts';
import type { FoundSource } from './model.ts';
import type { WatchRule } from './rule.ts';

/** What the activity log and the list of sources say. */

/** "Kai_3: 640 files, 9.2 GB". */
export function sourceWords({ path, keysFrom, files, bytes }: FoundSource): string {
  const name = path === '.' ? basename(keysFrom) : path;
  return `${name}: ${countWords(files.length, 'file')}, ${sizeWords(bytes)}`;
}

/** A source's name in a sentence. */
export function nameOf(rule: Pick<WatchRule, 'folder'>, path: string): string {
  return path === '.' ? basename(rule.folder) : path;
}

/** "1 file", "3 files". */
export function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
