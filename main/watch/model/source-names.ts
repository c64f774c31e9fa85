import { basename } from 'node:path';
import type { Phrase } from '../../../strings/phrase.ts';
import type { FoundSource } from './model.ts';
import type { WatchRule } from './rule.ts';

/** The ledger path of a batch: all files that arrived together. Pure. */

const form = /^\.\/batch-([1-9]\d{0,8})$/;

/** Can't be an entry, because entries' paths never begin with a dot and a slash. */
export const batchPath = (number: number): string => `./batch-${number}`;

/** Returns null for other sources. */
export function batchNumber(path: string): number | null {
  const number = form.exec(path)?.[1];
  return number === undefined ? null : Number(number);
}

/** Describes a source: "Kai_3: 640 files, 9.2 GB". */
export function sourcePhrase({ path, keysFrom, files, bytes }: FoundSource): Phrase {
  const name = batchPhrase(path) ?? readable(path === '.' ? basename(keysFrom) : path);
  return { key: 'sources.described', values: { name, files: files.length, size: { bytes } } };
}

/** A source's name in a sentence. */
export function nameOf(rule: Pick<WatchRule, 'folder'>, path: string): string | Phrase {
  return batchPhrase(path) ?? readable(path === '.' ? basename(rule.folder) : path);
}

/** Names a batch; undefined for other sources. */
export function batchPhrase(path: string): Phrase | undefined {
  const number = batchNumber(path);
  return number === null ? undefined : { key: 'sources.delivery', values: { number } };
}

/** These characters in a name could make a line say something else. */
const unreadable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Makes a name safe for a sentence or an asset name. */
export function readable(name: string): string {
  return name.normalize('NFC').replaceAll(unreadable, '\ufffd');
}
