import { basename } from 'node:path';
import { formatBytes } from '../../strings/format/bytes.ts';
import { say } from '../../strings/say.ts';
import type { FoundSource } from './model.ts';
import type { WatchRule } from './rule.ts';

/** What the activity log and the list of sources say. A line of the log stays in the language that was spoken when it was written. */

/** "Kai_3: 640 files, 9.2 GB". */
export function sourceWords({ path, keysFrom, files, bytes }: FoundSource): string {
  const name = path === '.' ? basename(keysFrom) : path;
  return say('sources.described', { name, files: files.length, size: formatBytes(bytes) });
}

/** A source's name in a sentence. */
export function nameOf(rule: Pick<WatchRule, 'folder'>, path: string): string {
  return path === '.' ? basename(rule.folder) : path;
}
