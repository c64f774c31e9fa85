import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import type { SourceFile } from '../../source/model.ts';
import { toKey } from '../../source/paths.ts';
import { batchNumber } from '../batches/batch-path.ts';
import { isFile, openInside } from '../folder/open-inside.ts';
import { isWithin } from '../folder/paths.ts';
import type { FoundSource } from '../model.ts';
import {
  type Algorithm,
  isListName,
  isListOf,
  type ListedChecksum,
  readChecksumList,
} from './checksum-list.ts';

/** One file with what a list says of it. */
export interface FileToCheck {
  readonly file: SourceFile;
  readonly algorithm: Algorithm;
  readonly checksum: string;
  /** The list's own name. */
  readonly list: string;
}

interface ListedFiles {
  readonly files: readonly FileToCheck[];
  /** A file that a list of the source's own names, and that is not there. */
  readonly missing: { readonly path: string; readonly list: string } | null;
}

/** A longer list is none: nobody writes one of more than 100,000 files. Bytes. */
const maxListBytes = 16 * 1024 * 1024;
/** Folders whose lists are remembered while nothing comes or goes there. */
const maxFolders = 50;

/** Finds the lists of checksums that speak of a source: in it, named after it, or beside it. */
export class ListReader {
  readonly #folder: string;
  readonly #listsIn = new Map<string, { mtimeMs: number; names: readonly string[] }>();
  readonly #read = new Map<string, { stamp: string; listed: readonly ListedChecksum[] }>();

  /** @param folder the watched one: nothing outside is read */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async of(source: FoundSource): Promise<ListedFiles> {
    const isFolder = source.paths[0] === source.keysFrom || batchNumber(source.path) !== null;
    const name = basename(source.path === '.' ? this.#folder : source.path);
    const files = new Map(source.files.map((file) => [toKey(file.path), file]));
    const primary = files.get(toKey(join(this.#folder, source.path)));
    const found: FileToCheck[] = [];
    let missing: ListedFiles['missing'] = null;
    for (const path of await this.#listsFor(source, isFolder)) {
      const list = basename(path);
      const isOwn = files.has(toKey(path)) || isListOf(list, name);
      for (const { path: written, algorithm, checksum } of await this.#listed(path)) {
        const place = this.#placeOf(written || basename(path, extname(path)), dirname(path));
        const file = files.get(toKey(place)) ?? (written === '' && !isFolder && isOwn ? primary : undefined);
        if (file) found.push({ file, algorithm, checksum, list });
        else if (isOwn && missing === null && !(await isFile(place)))
          missing = { path: written || basename(place), list };
      }
    }
    return { files: found, missing };
  }

  /** Absolute. */
  async #listsFor({ path, keysFrom, files }: FoundSource, isFolder: boolean): Promise<readonly string[]> {
    const inside = isFolder ? files.map((file) => file.path).filter((one) => isListName(basename(one))) : [];
    if (path === '.' || batchNumber(path) !== null) return inside;
    const around = isFolder ? dirname(keysFrom) : dirname(join(this.#folder, path));
    const beside = (await this.#namesIn(around)).map((name) => join(around, name));
    return [...inside, ...beside];
  }

  async #namesIn(folder: string): Promise<readonly string[]> {
    try {
      const { mtimeMs } = await stat(folder);
      const known = this.#listsIn.get(folder);
      if (known?.mtimeMs === mtimeMs) return known.names;
      const names = (await readdir(folder)).filter(isListName).sort();
      if (this.#listsIn.size >= maxFolders) this.#listsIn.clear();
      this.#listsIn.set(folder, { mtimeMs, names });
      return names;
    } catch {
      return [];
    }
  }

  async #listed(path: string): Promise<readonly ListedChecksum[]> {
    try {
      await using handle = await openInside(this.#folder, path);
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > maxListBytes) return [];
      const stamp = `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
      const known = this.#read.get(path);
      if (known?.stamp === stamp) return known.listed;
      const listed = readChecksumList(await handle.readFile('utf8'), basename(path));
      if (this.#read.size >= maxFolders) this.#read.clear();
      this.#read.set(path, { stamp, listed });
      return listed;
    } catch {
      return [];
    }
  }

  /** A path of another computer, or one that leads out, stands for the file of its name beside the list. */
  #placeOf(written: string, beside: string): string {
    const isForeign = isAbsolute(written) || /^[a-z]:\//i.test(written);
    const place = resolve(beside, written);
    return isForeign || !isWithin(place, this.#folder) ? join(beside, basename(written)) : place;
  }
}
