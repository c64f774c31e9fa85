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
  #archive: string | null = null;

  add({ key, names = [], archive }: Look): void {
    this.#archive ??= archive ?? null;
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
    const name = this.#archive === null ? key : nameInArchive(key, this.#archive, files);
    const hasFix = roots.length === 1 && name !== null && (this.#archive !== null || reachesTop(files));
    const fix = hasFix ? { fix: { kind: 'tileset-root' as const, key: name } } : {};
    return [{ id: 'tileset-name', values, count: roots.length, keys: roots, ...fix }];
  }
}

/** Null unless the archive is the whole source. */
function nameInArchive(key: string, archive: string, files: Iterable<unknown>): string | null {
  const [, otherFile] = files;
  return otherFile === undefined && key.startsWith(`${archive}/`) ? key.slice(archive.length + 1) : null;
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
 * Returns the root of a tileset that isn't named `tileset.json`: the JSON file above all others. Null if
 * there is none.
 *
 * @param files as uploaded
 */
export function soleRootOf(files: Iterable<{ readonly key: string }>): string | null {
  let root: string | null = null;
  const others: string[] = [];
  for (const { key } of files) {
    if (posix.basename(key).toLowerCase() === 'tileset.json') return null;
    if (!/\.json$/i.test(key)) continue;
    if (root !== null && depthOf(root) <= depthOf(key)) others.push(key);
    else {
      if (root !== null) others.push(root);
      root = key;
    }
  }
  const [folder, depth] = root === null ? ['', 0] : [folderOf(root), depthOf(root)];
  return others.every((key) => depthOf(key) > depth && key.startsWith(folder)) ? root : null;
}

const depthOf = (key: string): number => key.split('/').length;

/** Empty, or with a slash at the end. */
const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);
