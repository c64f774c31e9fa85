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

  add({ key, names = [] }: Look): void {
    if (this.#keys.length < maxTilesets) this.#keys.push(key);
    for (const name of names) {
      if (this.#referencedNames.size >= maxNamed) return;
      if (name.toLowerCase().endsWith('.json')) this.#referencedNames.add(placeOf(name, key) ?? '');
    }
  }

  /**
   * The service starts with `tileset.json`, unless `tilesetJson` names another file (service-facts.md,
   * "Options by kind").
   */
  find(): readonly WholeFinding[] {
    const roots = this.#keys.filter((key) => !this.#referencedNames.has(key)).sort();
    const isNamedAsUsual = this.#keys.some((key) => posix.basename(key) === 'tileset.json');
    if (roots.length === 0 || isNamedAsUsual) return [];
    const values = { names: { names: roots.slice(0, maxExamples) } };
    return [{ id: 'tileset-name', values, count: roots.length, keys: roots }];
  }
}
