import { sep } from 'node:path';
import type { Subject } from '../../../strings/said-error.ts';
import { TileliftError } from '../../errors.ts';
import type { SourceFile } from '../model.ts';
import type { Unreadable } from './read-folder.ts';

/** Paths named in one `source-unreadable` error. */
const namedPaths = 5;
/** S3 takes 1,024 bytes; the rest is for the prefix. */
export const longestKey = 960;

export interface ScanProgress {
  readonly files: number;
  readonly bytes: number;
}

/** Some of what a source holds. */
export interface Found {
  readonly files: readonly SourceFile[];
  readonly ignored: readonly string[];
  readonly links?: readonly string[];
  readonly unreadable: readonly Unreadable[];
}

interface FoundOptions {
  readonly onProgress?: (progress: ScanProgress) => void;
  readonly onFiles?: (files: readonly SourceFile[]) => void;
  /** False: files are counted and forgotten. */
  readonly isKept: boolean;
}

/** What was found so far. It is checked as it comes: at the end of 100,000 files that would take a while. */
export class FoundSource {
  readonly files: SourceFile[] = [];
  readonly ignored: string[] = [];
  readonly links: string[] = [];
  readonly emptyFolders: string[] = [];
  readonly #unreadable: Unreadable[] = [];
  #unreadableCount = 0;
  readonly #pathOfKey = new Map<string, string>();
  readonly #options: FoundOptions;
  #collision: Subject | null = null;
  #tooLong: string | null = null;
  count = 0;
  bytes = 0;
  linkCount = 0;
  /**
   * A key was met that is not how its path ends, name by name: only all keys together tell whether it is
   * another's too. Where every path ends with its key, two keys are as different as their paths.
   */
  mayCollide = false;

  constructor(options: FoundOptions) {
    this.#options = options;
  }

  take({ files, ignored, links = [], unreadable }: Found): void {
    const { isKept, onFiles, onProgress } = this.#options;
    for (const file of files) {
      this.count += 1;
      this.bytes += file.size;
      this.#checkLength(file);
      if (isKept) this.#keep(file);
      else if (!this.mayCollide) this.mayCollide = !endsWithKey(file);
    }
    for (const path of ignored) this.ignore(path);
    this.linkCount += links.length;
    if (isKept) for (const path of links) this.links.push(path);
    for (const one of unreadable)
      if (isKept || this.#unreadable.length < maxUnreadable) this.#unreadable.push(one);
    this.#unreadableCount += unreadable.length;
    onProgress?.({ files: this.count, bytes: this.bytes });
    if (!this.mayCollide) onFiles?.(files);
  }

  ignore(path: string): void {
    if (this.#options.isKept) this.ignored.push(path);
  }

  emptyFolder(path: string): void {
    if (this.#options.isKept) this.emptyFolders.push(path);
  }

  check(paths: readonly string[]): void {
    const [first] = this.#unreadable;
    if (first) {
      const named = this.#unreadable.map(({ path }) => path).sort();
      const more = this.#unreadableCount - Math.min(named.length, namedPaths);
      const subject = { names: named.slice(0, namedPaths), ...(more > 0 ? { more } : {}) };
      throw new TileliftError('source-unreadable', { subject, cause: first.reason });
    }
    if (this.count === 0) throw new TileliftError('source-empty', { subject: { names: paths } });
    if (this.#collision) throw new TileliftError('source-keys-collide', { subject: this.#collision });
    if (this.#tooLong) throw new TileliftError('source-name-too-long', { subject: this.#tooLong });
  }

  #keep(file: SourceFile): void {
    this.files.push(file);
    const { key, path } = file;
    const other = this.#pathOfKey.get(key);
    if (other !== undefined) this.#collision ??= { list: [other, path] };
    this.#pathOfKey.set(key, path);
  }

  #checkLength({ key, path }: SourceFile): void {
    if (key.length * 3 > longestKey && Buffer.byteLength(key) > longestKey) this.#tooLong ??= path;
  }
}

/** Unreadable paths that are remembered of a scan that keeps nothing. */
const maxUnreadable = 1_000;

function endsWithKey({ path, key }: SourceFile): boolean {
  return path.endsWith(sep === '/' ? key : key.replaceAll('/', sep));
}
