import { posix } from 'node:path';
import type { WholeFinding } from '../../../shared/findings.ts';
import type { Look } from '../headers/look-inside.ts';
import { placeOf } from '../together/references.ts';

const [maxTilesets, maxNamed] = [1_000, 20_000];
const maxExamples = 3;

/** Finds the root among a source's tilesets. */
export class Tilesets {
  readonly #keys: string[] = [];
  readonly #referencedNames = new Set<string>();
  #hasArchive = false;

  add({ key, names = [], archive }: Look): void {
    this.#hasArchive ||= archive !== undefined;
    if (this.#keys.length < maxTilesets) this.#keys.push(key);
    for (const name of names) {
      if (this.#referencedNames.size >= maxNamed) return;
      if (name.toLowerCase().endsWith('.json')) this.#referencedNames.add(placeOf(name, key) ?? '');
    }
  }

  /**
   * The service starts with `tileset.json`, unless `tilesetJson` names another file (service-facts.md,
   * "Options by kind").
   *
   * @param files the whole source
   */
  find(files: Iterable<{ readonly key: string }>): readonly WholeFinding[] {
    const roots = this.#keys.filter((key) => !this.#referencedNames.has(key)).sort();
    const isNamedAsUsual = this.#keys.some((key) => posix.basename(key) === 'tileset.json');
    if (roots.length === 0 || isNamedAsUsual) return [];
    const values = { names: { names: roots.slice(0, maxExamples) } };
    const [key = ''] = roots;
    const hasFix = roots.length === 1 && !this.#hasArchive && reachesTop(files);
    const fix = hasFix ? { fix: { kind: 'tileset-root' as const, key } } : {};
    return [{ id: 'tileset-name', values, count: roots.length, keys: roots, ...fix }];
  }
}

/** Whether the files have no folder in common: an upload of such a folder would shorten their keys. */
function reachesTop(files: Iterable<{ readonly key: string }>): boolean {
  let folder: string | null = null;
  for (const { key } of files) {
    const [first = '', ...below] = key.split('/', 2);
    if (below.length === 0 || (folder !== null && first !== folder)) return true;
    folder = first;
  }
  return false;
}

/**
 * Returns the root of a tileset that isn't named `tileset.json`: the only JSON file at the top. Null if
 * ambiguous.
 *
 * @param files as uploaded
 */
export function soleRootOf(files: Iterable<{ readonly key: string }>): string | null {
  let root: string | null = null;
  let count = 0;
  for (const { key } of files) {
    if (posix.basename(key).toLowerCase() === 'tileset.json') return null;
    if (key.includes('/') || !/\.json$/i.test(key)) continue;
    root = key;
    count += 1;
  }
  return count === 1 ? root : null;
}
