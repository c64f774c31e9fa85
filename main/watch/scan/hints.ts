import { join } from 'node:path';
import { pathBelow } from '../../files/paths.ts';
import type { WatchRule } from '../model/rule.ts';
import { folderAround } from './sources.ts';

/** Above this, one scan of the whole folder is cheaper. */
const maxPlaces = 20;

/** Possible changes in a watched folder since its last scan; initially everything. */
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

  get isEverything(): boolean {
    return this.#everything;
  }

  /** A copy of 10,000 files into one top-level entry counts as one place. */
  add(path: string): void {
    const { folder, unit } = this.#rule;
    const place = pathBelow(folder, path);
    if (place === null || this.#everything) return;
    const [top = ''] = place.split('/');
    const hint = unit.kind === 'folders' ? folderAround(unit, place) : unit.kind === 'entries' ? top : place;
    this.#places.add(join(folder, hint));
    const isWhole = unit.kind === 'whole-folder' || unit.kind === 'batch';
    // The system replaces bytes that aren't UTF-8, so such a name can't be found by its hint.
    const isUnnamed = hint.includes('\ufffd');
    if (top === '' || isWhole || isUnnamed || this.#places.size > maxPlaces) this.addEverything();
  }

  addEverything(): void {
    this.#everything = true;
    this.#places.clear();
  }

  has(path: string): boolean {
    return this.#everything || this.#places.has(path);
  }

  /** Returns and clears the places. */
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
