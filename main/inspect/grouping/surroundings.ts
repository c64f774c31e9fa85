import type { KnownSourceType } from '../../../shared/kinds.ts';
import { type FileSet, isKind, withAnything, withPictures } from './file-classes.ts';
import { folderOf } from './folders.ts';

/** Kinds of data in and below each folder. */
export class Surroundings {
  readonly #firsts = new Map<string, Map<KnownSourceType, FileSet>>();

  /** The first set of a kind gets the surrounding files. */
  add(unit: FileSet): void {
    const { fileClass } = unit;
    if (!isKind(fileClass)) return;
    for (let folder = folderOf(unit.primary); ; folder = folderOf(folder)) {
      const setsByKind = this.#firsts.get(folder) ?? new Map<KnownSourceType, FileSet>();
      if (!setsByKind.has(fileClass)) setsByKind.set(fileClass, unit);
      this.#firsts.set(folder, setsByKind);
      if (folder === '') break;
    }
  }

  ownerFor({ fileClass, primary }: FileSet): FileSet | null {
    if (fileClass === 'note') return this.#ownerOf(primary, () => true);
    if (fileClass === 'picture') return this.#ownerOf(primary, (kind) => withPictures.has(kind));
    if (fileClass === 'unknown') return this.#ownerOf(primary, (kind) => withAnything.has(kind));
    return null;
  }

  /** Returns the nearest data, or null if two kinds are equally near. */
  #ownerOf(key: string, takes: (kind: KnownSourceType) => boolean): FileSet | null {
    for (let folder = folderOf(key); ; folder = folderOf(folder)) {
      const candidates = [...(this.#firsts.get(folder) ?? [])].filter(([kind]) => takes(kind));
      const [only] = candidates;
      if (only) return candidates.length === 1 ? only[1] : null;
      if (folder === '') return null;
    }
  }
}
