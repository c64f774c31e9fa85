import { join } from 'node:path';
import { pathBelow } from '../../files/paths.ts';
import type { WatchRule } from '../rule.ts';
import { folderAround } from '../survey/units/folders.ts';

/** Places that are looked at one by one; with more, one scan of the whole folder costs less. */
const maxPlaces = 20;

/** What may have changed in a watched folder since it was last looked at. At the beginning: everything. */
export class Hints {
  readonly #rule: Pick<WatchRule, 'folder' | 'unit'>;
  readonly #places = new Set<string>();
  #everything = true;

  constructor(rule: Pick<WatchRule, 'folder' | 'unit'>) {
    this.#rule = rule;
  }

  get isEmpty(): boolean {
    return !this.#everything && this.#places.size === 0;
  }

  /** The whole folder is to be looked through. */
  get isEverything(): boolean {
    return this.#everything;
  }

  /** An absolute path. A copy of 10,000 files into one top-level entry is one place. */
  add(path: string): void {
    const { folder, unit } = this.#rule;
    const place = pathBelow(folder, path);
    if (place === null || this.#everything) return;
    const [top = ''] = place.split('/');
    this.#places.add(
      join(
        folder,
        unit.kind === 'folders' ? folderAround(unit, place) : unit.kind === 'entries' ? top : place,
      ),
    );
    const isWhole = unit.kind === 'trigger' || unit.kind === 'batch';
    if (top === '' || isWhole || this.#places.size > maxPlaces) this.addEverything();
  }

  addEverything(): void {
    this.#everything = true;
    this.#places.clear();
  }

  /** True for an absolute path that is going to be looked at. */
  has(path: string): boolean {
    return this.#everything || this.#places.has(path);
  }

  /** Absolute paths to look at, which are forgotten here. */
  drain(): readonly string[] | 'everything' {
    const hints = this.#everything ? 'everything' : [...this.#places];
    this.clear();
    return hints;
  }

  clear(): void {
    this.#everything = false;
    this.#places.clear();
  }
}
