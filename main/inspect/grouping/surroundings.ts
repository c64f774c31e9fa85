import type { KnownSourceType } from '../../../shared/kinds.ts';
import { folderOf } from './folders.ts';
import { isKind, type Loose, withAnything, withPictures } from './natures.ts';

/** Kinds of data in and below each folder. */
export class Surroundings {
  readonly #firsts = new Map<string, Map<KnownSourceType, Loose>>();

  /** The first set of a kind gets the surrounding files. */
  add(unit: Loose): void {
    const { nature } = unit;
    if (!isKind(nature)) return;
    for (let folder = folderOf(unit.primary); ; folder = folderOf(folder)) {
      const setsByKind = this.#firsts.get(folder) ?? new Map<KnownSourceType, Loose>();
      if (!setsByKind.has(nature)) setsByKind.set(nature, unit);
      this.#firsts.set(folder, setsByKind);
      if (folder === '') break;
    }
  }

  ownerFor({ nature, primary }: Loose): Loose | null {
    if (nature === 'note') return this.#ownerOf(primary, () => true);
    if (nature === 'picture') return this.#ownerOf(primary, (kind) => withPictures.has(kind));
    if (nature === 'unknown') return this.#ownerOf(primary, (kind) => withAnything.has(kind));
    return null;
  }

  /** Returns the nearest data, or null if two kinds are equally near. */
  #ownerOf(key: string, takes: (kind: KnownSourceType) => boolean): Loose | null {
    for (let folder = folderOf(key); ; folder = folderOf(folder)) {
      const candidates = [...(this.#firsts.get(folder) ?? [])].filter(([kind]) => takes(kind));
      const [only] = candidates;
      if (only) return candidates.length === 1 ? only[1] : null;
      if (folder === '') return null;
    }
  }
}
