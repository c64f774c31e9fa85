import { access, constants, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { hasCode } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';
import { pathBelow, toKey } from '../../files/paths.ts';
import { Listing } from '../../files/walk/listing.ts';
import type { FolderContent, FolderTask } from '../../files/walk/read-folder.ts';
import { scanWorkerSource, walkFolders } from '../../files/walk/scan-workers.ts';
import { gitignoreFor, leftOutAt } from '../model/left-out.ts';
import type { WatchRule } from '../model/rule.ts';

export interface WatchedFile {
  readonly place: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Last change of content or metadata, ms. */
  readonly ctimeMs: number;
  readonly allocated: number;
}

export interface UnreadablePlace {
  readonly place: string;
  readonly reason: string;
  /** The place can't be opened. */
  readonly isNotUtf8?: true;
}

export interface TreeEntry {
  readonly folder: string;
  readonly name: string;
  readonly place: string;
  readonly isFolder: boolean;
}

export const placeBelow = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`;

/** The folder of a place. */
export const folderOf = (place: string): string => place.split('/').slice(0, -1).join('/');

/**
 * @throws TileliftError `watch-folder-missing`, `watch-folder-unreadable`, because a missing drive must not
 * look like missing sources
 */
export async function checkFolder(folder: string): Promise<void> {
  try {
    await access(folder, constants.R_OK | constants.X_OK);
    if ((await stat(folder)).isDirectory()) return;
  } catch (cause) {
    const code = isMissing(cause) ? 'watch-folder-missing' : 'watch-folder-unreadable';
    throw new TileliftError(code, { subject: folder, cause });
  }
  throw new TileliftError('watch-folder-missing', { subject: folder });
}

export interface TreeOptions {
  readonly signal?: AbortSignal;
  /** The file that a scan's worker threads run. Default: the source, for plain Node. */
  readonly worker?: URL;
}

/**
 * A watched folder without exclusions. Worker threads read it on demand: names of a folder, facts of single
 * files, or everything below a place. A place is a path relative to the watched folder, `/`-separated, in the
 * disk's spelling; empty for the folder itself.
 */
export class Tree {
  readonly #rule: WatchRule;
  readonly #options: TreeOptions;
  readonly #listings = new Map<string, Listing | null>();
  readonly #files = new Map<string, WatchedFile | null>();
  readonly #unreadable = new Map<string, Omit<UnreadablePlace, 'place'>>();
  /** Everything below them has been read. */
  readonly #whole: string[] = [];

  constructor(rule: WatchRule, options: TreeOptions = {}) {
    this.#rule = rule;
    this.#options = options;
  }

  /** Null if missing, excluded, unreadable or behind a link. */
  async folder(place: string): Promise<Listing | null> {
    const cached = this.#listings.get(place);
    if (cached !== undefined) return cached;
    if (!this.#isWhole(place) && !this.#isLeftOut(place)) await this.#walk(place, { shallow: true });
    return this.#listings.get(place) ?? null;
  }

  /** Null if missing or excluded. Only for files from a listing. */
  async file(place: string): Promise<WatchedFile | null> {
    const cached = this.#files.get(place);
    if (cached !== undefined) return cached;
    const folder = folderOf(place);
    if (!this.#isWhole(folder)) await this.#walk(folder, { shallow: true, names: [posix.basename(place)] });
    const watchedFile = this.#files.get(place) ?? null;
    this.#files.set(place, watchedFile);
    return watchedFile;
  }

  /** Finds an entry of this path in the disk's spelling; undefined if missing. A folder precedes a file. */
  async find(path: string, kind: 'any' | 'file' = 'any'): Promise<TreeEntry | undefined> {
    const names = path.split('/');
    const lastName = names.pop() ?? '';
    let folder = '';
    for (const name of names) {
      const subfolder = (await this.folder(folder))?.find(name, 'folders');
      if (subfolder === undefined) return undefined;
      folder = placeBelow(folder, subfolder);
    }
    const listing = await this.folder(folder);
    const subfolder = kind === 'any' ? listing?.find(lastName, 'folders') : undefined;
    const name = subfolder ?? listing?.find(lastName, 'files');
    if (name === undefined) return undefined;
    return { folder, name, place: placeBelow(folder, name), isFolder: subfolder !== undefined };
  }

  /** Reads everything below a place; takes a second for 100,000 files. */
  async readBelow(place: string): Promise<void> {
    if (this.#isWhole(place) || this.#isLeftOut(place)) return;
    await this.#walk(place, { shallow: false });
    this.#whole.push(place);
  }

  get unreadable(): readonly UnreadablePlace[] {
    return [...this.#unreadable].map(([place, why]) => ({ place, ...why }));
  }

  /** Null if it isn't a folder. */
  get listings(): ReadonlyMap<string, Listing | null> {
    return this.#listings;
  }

  #isWhole(place: string): boolean {
    return this.#whole.some((top) => top === '' || place === top || place.startsWith(`${top}/`));
  }

  #isLeftOut(place: string): boolean {
    return leftOutAt(this.#rule)(place, true);
  }

  #walk(place: string, { shallow, names }: { shallow: boolean; names?: readonly string[] }): Promise<void> {
    const { folder } = this.#rule;
    const { signal, worker = scanWorkerSource } = this.#options;
    const task: FolderTask = {
      path: join(folder, place),
      keyPrefix: place === '' ? '' : `${toKey(place)}/`,
      ...(names ? { names } : {}),
      within: folder,
    };
    return walkFolders([task], {
      worker,
      signal,
      gitignore: gitignoreFor(this.#rule, folder),
      detailed: true,
      shallow,
      onContent: (content) => this.#take(content),
    });
  }

  #take({ path, isPartial, files: packed, tasks, links, notUtf8, unreadable }: FolderContent): void {
    const folder = pathBelow(this.#rule.folder, path) ?? '';
    const nameOf = (fullPath: string) => fullPath.slice(packed.root.length);
    const files = packed.names.split('\0').slice(0, -1);
    for (const [index, name] of files.entries()) {
      const place = placeBelow(folder, name);
      this.#files.set(place, {
        place,
        size: packed.sizes[index] ?? 0,
        mtimeMs: packed.mtimesMs[index] ?? 0,
        ctimeMs: packed.ctimesMs[index] ?? 0,
        allocated: packed.allocated[index] ?? 0,
      });
    }
    let isListed = !isPartial;
    for (const { path: unreadablePath, reason, isGone } of unreadable) {
      const isFolder = unreadablePath === path;
      if (isFolder) isListed = false;
      // A missing watched folder doesn't prove that its content is gone.
      if (isGone && !(isFolder && folder === '')) continue;
      this.#unreadable.set(isFolder ? folder : placeBelow(folder, nameOf(unreadablePath)), { reason });
      // Keep its name: a data set must not be uploaded without an unreadable file.
      if (!isFolder) files.push(nameOf(unreadablePath));
    }
    for (const fullPath of notUtf8) {
      const reason = 'the name is not UTF-8';
      this.#unreadable.set(placeBelow(folder, nameOf(fullPath)), { reason, isNotUtf8: true });
      files.push(nameOf(fullPath));
    }
    if (isPartial) return;
    const folders: string[] = [];
    for (const { path: taskPath, names } of tasks)
      if (names) for (const name of names) files.push(name);
      else folders.push(nameOf(taskPath));
    this.#listings.set(folder, isListed ? new Listing(files, folders, links.map(nameOf)) : null);
  }
}

export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT', 'ENOTDIR');
