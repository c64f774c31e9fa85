import { constants, type Dirent, type Stats } from 'node:fs';
import { access, lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';
import { askEntryKind, type EntryKind } from '../../source/walk/entry-kind.ts';
import { blockSize, toKey } from '../../source/walk/read-folder.ts';
import { isWithin } from '../folder/places.ts';
import type { WatchRule } from '../rule.ts';
import { leftOutAt } from './left-out.ts';

/**
 * What lies in a watched folder and is not left out. A place is a path relative to that folder, `/`-separated, as the disk spells it; empty for the folder
 * itself.
 */
export interface Tree {
  /** Null when there is no such folder, or it is left out or can't be read. */
  folder(place: string): Promise<Listing | null>;
  /** Null when there is no such file, or it is left out. Only for files that a listing named. */
  file(place: string): Promise<WatchedFile | null>;
  readonly unreadable: readonly UnreadablePlace[];
  /** The folders that were read so far; null for those that are none. */
  looked(): Iterable<readonly [place: string, listing: Listing | null]>;
}

export interface WatchedFile {
  readonly place: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Time of the last change of anything about it, ms. */
  readonly ctimeMs: number;
  /** Bytes that it has on the disk. */
  readonly allocated: number;
}

export interface UnreadablePlace {
  readonly place: string;
  /** What the system says, for the log. */
  readonly reason: string;
}

/** The names in one folder, files, folders and links apart. */
export class Listing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly links: readonly string[];
  #index: { files: Index; folders: Index } | null = null;

  constructor(files: readonly string[], folders: readonly string[], links: readonly string[] = []) {
    this.files = files;
    this.folders = folders;
    this.links = links;
  }

  /** The name as the disk spells it, for one that somebody wrote: in another Unicode form or, where nothing else fits, another case. */
  find(name: string, kind: 'files' | 'folders'): string | undefined {
    this.#index ??= { files: indexOf(this.files), folders: indexOf(this.folders) };
    const index = this.#index[kind];
    return index.exact.get(toKey(name)) ?? index.anyCase.get(toKey(name).toLowerCase());
  }
}

interface Index {
  readonly exact: ReadonlyMap<string, string>;
  readonly anyCase: ReadonlyMap<string, string>;
}

function indexOf(names: readonly string[]): Index {
  const keyed = names.map((name) => [toKey(name), name] as const);
  return { exact: new Map(keyed), anyCase: new Map(keyed.map(([key, name]) => [key.toLowerCase(), name])) };
}

export const placeBelow = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`;

export const factsOf = (place: string, stats: Stats): WatchedFile => ({
  place,
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  ctimeMs: stats.ctimeMs,
  allocated: stats.blocks * blockSize,
});

/** @throws TileliftError `watch-folder-missing`, `watch-folder-unreadable`: a source that is gone and a drive that is gone are two things */
export async function checkFolder(folder: string): Promise<void> {
  try {
    if ((await stat(folder)).isDirectory()) return;
  } catch (cause) {
    const code = isMissing(cause) ? 'watch-folder-missing' : 'watch-folder-unreadable';
    throw new TileliftError(code, { subject: folder, cause });
  }
  throw new TileliftError('watch-folder-missing', { subject: folder });
}

/** Thrown by a tree on disk when more files were asked for than are worth asking one by one. */
export class TooManyFiles extends Error {}

/** Reads each folder and file when it is asked for, each folder once. `table`: version of the table of what is never data; default: the newest. */
export function createDiskTree(rule: WatchRule, mostFiles: number, table?: number): Tree {
  const isLeftOut = leftOutAt(rule, table);
  let really: Promise<string> | null = null;
  const isInside = async (path: string) => {
    really ??= realpath(rule.folder);
    return isRealFolderIn(await really, path);
  };
  const listings = new Map<string, Promise<Listing | null>>();
  const looked = new Map<string, Listing | null>();
  const unreadable: UnreadablePlace[] = [];
  let files = 0;
  const read = async (place: string): Promise<Listing | null> => {
    const path = join(rule.folder, place);
    if (isLeftOut(place, true)) return null;
    let entries: Dirent[];
    try {
      if (place !== '' && !(await isInside(path))) return null;
      entries = await readdir(path, { withFileTypes: true });
      if (place !== '' && !(await isInside(path))) return null;
    } catch (error) {
      if (!isMissing(error)) unreadable.push({ place, reason: String(error) });
      return null;
    }
    const names: Record<EntryKind, string[]> = { file: [], folder: [], link: [], other: [] };
    for (const entry of entries) {
      const at = join(path, entry.name);
      const below = placeBelow(place, entry.name);
      const kind = await askEntryKind(entry, () => lstat(at));
      const mayBe = kind === 'link' ? [false, true] : [kind === 'folder'];
      if (!mayBe.some((isFolder) => isLeftOut(below, isFolder))) names[kind].push(entry.name);
    }
    return new Listing(names.file, names.folder, names.link);
  };
  const set = (place: string, listing: Listing | null) => {
    looked.set(place, listing);
    return listing;
  };
  return {
    unreadable,
    looked: () => looked,
    folder: (place) => {
      const known = listings.get(place) ?? read(place).then((listing) => set(place, listing));
      listings.set(place, known);
      return known;
    },
    file: async (place) => {
      if (++files > mostFiles) throw new TooManyFiles();
      try {
        const stats = await lstat(join(rule.folder, place));
        if (!stats.isFile()) return null;
        await access(join(rule.folder, place), constants.R_OK);
        return factsOf(place, stats);
      } catch (error) {
        if (!isMissing(error)) unreadable.push({ place, reason: String(error) });
        return null;
      }
    },
  };
}

/** A real folder, that no link on the way makes one of outside. `folder`: where the watched one really is. */
async function isRealFolderIn(folder: string, path: string): Promise<boolean> {
  return (await lstat(path)).isDirectory() && isWithin(await realpath(path), folder);
}

export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT', 'ENOTDIR');
