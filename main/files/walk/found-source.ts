import type { Subject } from '../../../strings/said-error.ts';
import { TileliftError } from '../../errors.ts';
import { FileTable, type FolderFiles } from '../file-table.ts';
import type { SourceFile, SourceFiles } from '../model.ts';
import { KeyHashes } from './key-hashes.ts';
import type { Unreadable } from './read-folder.ts';

/** Paths named in one error. */
const namedPaths = 5;
/** S3 allows 1,024 bytes; the rest is for the prefix. */
export const longestKey = 960;

/** A batch of a source's contents. */
export interface FoundFiles {
  readonly files: readonly SourceFile[];
  /** The same files, if they came as a folder. */
  readonly folder?: FolderFiles;
  readonly ignored: readonly string[];
  readonly links?: readonly string[];
  readonly notUtf8?: readonly string[];
  readonly unreadable: readonly Unreadable[];
}

interface FoundOptions {
  readonly onFiles?: (files: readonly SourceFile[]) => void;
  /** False: counts files without keeping them. */
  readonly isKept: boolean;
}

/** Collects and checks results of a scan. Builds a table of all keys only if hashes collide. */
export class FoundSource {
  readonly files = new FileTable();
  readonly ignored: string[] = [];
  readonly links: string[] = [];
  readonly notUtf8: string[] = [];
  readonly emptyFolders: string[] = [];
  readonly #unreadable: Unreadable[] = [];
  #unreadableCount = 0;
  readonly #options: FoundOptions;
  #tooLong: string | null = null;
  count = 0;
  bytes = 0;
  linkCount = 0;
  readonly #keys = new KeyHashes();
  /** The first keys with colliding hashes; only all keys can confirm a collision. */
  readonly doubtful = new Set<string>();

  constructor(options: FoundOptions) {
    this.#options = options;
  }

  addFound({ files, folder, ignored, links = [], notUtf8 = [], unreadable }: FoundFiles): void {
    const { isKept, onFiles } = this.#options;
    if (isKept && folder) this.files.addFolder(folder);
    for (const file of files) {
      this.count += 1;
      this.bytes += file.size;
      this.#checkLength(file);
      if (isKept && !folder) this.files.add(file);
      if (this.doubtful.size < maxDoubtful && !this.#keys.add(file.key)) this.doubtful.add(file.key);
    }
    for (const path of ignored) this.ignore(path);
    this.linkCount += links.length;
    if (isKept) for (const path of links) this.links.push(path);
    for (const path of notUtf8) if (isKept || this.notUtf8.length < maxUnreadable) this.notUtf8.push(path);
    for (const unreadableEntry of unreadable)
      if (isKept || this.#unreadable.length < maxUnreadable) this.#unreadable.push(unreadableEntry);
    this.#unreadableCount += unreadable.length;
    onFiles?.(files);
  }

  ignore(path: string): void {
    if (this.#options.isKept) this.ignored.push(path);
  }

  emptyFolder(path: string): void {
    if (this.#options.isKept) this.emptyFolders.push(path);
  }

  /** Throws if the source is unusable. `paths`: the scanned entries. */
  check(paths: readonly string[]): void {
    const [firstUnreadable] = this.#unreadable;
    if (firstUnreadable) {
      const subject = inShort(
        this.#unreadable.map(({ path }) => path),
        this.#unreadableCount,
      );
      throw new TileliftError('source-unreadable', { subject, cause: firstUnreadable.reason });
    }
    if (this.count === 0 && this.notUtf8.length > 0)
      throw new TileliftError('source-name-not-utf8', {
        subject: inShort(this.notUtf8, this.notUtf8.length),
      });
    if (this.count === 0) throw new TileliftError('source-empty', { subject: { names: paths } });
    const collision = this.doubtful.size > 0 ? firstCollision(this.files, this.doubtful) : null;
    if (collision) throw new TileliftError('source-keys-collide', { subject: collision });
    if (this.#tooLong) throw new TileliftError('source-name-too-long', { subject: this.#tooLong });
  }

  #checkLength({ key, path }: SourceFile): void {
    if (key.length * 3 > longestKey && Buffer.byteLength(key) > longestKey) this.#tooLong ??= path;
  }
}

function inShort(paths: readonly string[], count: number): Subject {
  const unnamedCount = count - Math.min(paths.length, namedPaths);
  return {
    names: paths.toSorted().slice(0, namedPaths),
    ...(unnamedCount > 0 ? { more: unnamedCount } : {}),
  };
}

/** Limit if the scan keeps nothing. */
const maxUnreadable = 1_000;
/** Limit of probably colliding keys. One confirmed collision is enough, and false ones are very rare. */
const maxDoubtful = 1_000;

function firstCollision(files: SourceFiles, doubtfulKeys: ReadonlySet<string>): Subject | null {
  const pathOf = new Map<string, string>();
  for (const { key, path } of files) {
    if (!doubtfulKeys.has(key)) continue;
    const otherPath = pathOf.get(key);
    if (otherPath !== undefined) return { list: [otherPath, path] };
    pathOf.set(key, path);
  }
  return null;
}
