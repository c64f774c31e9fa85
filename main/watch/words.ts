import { basename } from 'node:path';
import type { Phrase } from '../../strings/phrase.ts';
import type { FoundSource } from './model.ts';
import type { WatchRule } from './rule.ts';

/** What the activity log and the list of sources call a source. */

/** "Kai_3: 640 files, 9.2 GB". */
export function sourcePhrase({ path, keysFrom, files, bytes }: FoundSource): Phrase {
  const name = path === '.' ? basename(keysFrom) : path;
  return { key: 'sources.described', values: { name, files: files.length, size: { bytes } } };
}

/** A source's name in a sentence. */
export function nameOf(rule: Pick<WatchRule, 'folder'>, path: string): string {
  return path === '.' ? basename(rule.folder) : path;
}
