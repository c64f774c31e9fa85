import { fstatSync, type Stats } from 'node:fs';
import { lstat, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import type { Subject } from '../../../strings/said-error.ts';
import { hasCode } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';
import { identityOf, readFlags } from '../file-identity.ts';
import { createIgnore, defaultIgnorePatterns } from '../left-out/ignore-rules.ts';
import { createPathFits } from '../left-out/path-patterns.ts';
import type { Scan, SourceFile } from '../model.ts';
import { pathBelow, toKey } from '../paths.ts';
import { defaultReadStallMs, withoutStall } from '../stalled-read.ts';
import { type FolderTask, type Unreadable, unpackFiles } from './read-folder.ts';
import { scanWorkerSource, walkFolders } from './scan-workers.ts';

interface ScanProgress {
  readonly files: number;
  readonly bytes: number;
}

export interface ScanOptions {
  readonly signal?: AbortSignal;
  /** Called with every folder, at least every few thousand files. */
  readonly onProgress?: (progress: ScanProgress) => void;
  /** Called with the files of every folder as they are found, before anything is known of the others. */
  readonly onFiles?: (files: readonly SourceFile[]) => void;
  /** Default: the rules of `ignore-rules.ts`. */
  readonly ignorePatterns?: readonly string[];
  /**
   * A folder, absolute, in which everything dropped lies: every key is then the path relative to it, and
   * ignore rules hold for single entries too. Default: keys as told at `scanSource`.
   */
  readonly keysFrom?: string;
  /** Further lines of what to leave out, in gitignore syntax, matched against keys. */
  readonly gitignore?: readonly string[];
  /** The file that worker threads run. Default: the source, for plain Node. */
  readonly worker?: URL;
}

/** Paths named in one `source-unreadable` error. */
const namedPaths = 5;
/** S3 takes 1,024 bytes; the rest is for the prefix. */
export const longestKey = 960;

/**
 * Walks the dropped entries and gives every file that is to be sent, in no particular order, with its key:
 * relative to the folder for one dropped folder, the name for one dropped file, under each entry's own base
 * name for several.
 *
 * A dropped entry may itself be a link; links found inside are not followed, wherever they point, and are
 * listed as `links`. Ignore rules hold for all but a single dropped entry, which was meant by name.
 *
 * @throws TileliftError `input-invalid` when an entry lies outside `keysFrom`; `source-missing`,
 *   `source-empty`, `source-keys-collide`, `source-name-too-long`, or `source-unreadable` naming what can't
 *   be read
 * @throws the signal's reason when it aborts
 */
export async function scanSource(paths: readonly string[], options: ScanOptions = {}): Promise<Scan> {
  const { signal, onProgress, ignorePatterns = defaultIgnorePatterns, worker = scanWorkerSource } = options;
  const { keysFrom, gitignore = [], onFiles } = options;
  const ignore = createIgnore(ignorePatterns);
  const fits = createPathFits(gitignore);
  const meantByName = paths.length === 1 && keysFrom === undefined;
  const source = new Source(onProgress);
  const folders: FolderTask[] = [];
  /** Of a source in a watched folder: read as the folders are, by way of no link. */
  const files: string[] = [];
  const inside = keysFrom === undefined ? {} : { within: keysFrom };
  const inTime = <T>(path: string, asked: Promise<T>) =>
    withoutStall(asked, path, defaultReadStallMs, signal);
  for (const path of paths) {
    signal?.throwIfAborted();
    const entry = await inTime(path, statEntry(path, keysFrom));
    const key = keyOf(path, paths, entry.isDirectory(), keysFrom);
    const leftOut =
      key !== '' &&
      ((!meantByName && ignore(basename(path), entry.isDirectory())) || fits(key, entry.isDirectory()));
    if (leftOut) source.ignored.push(path);
    else if (entry.isDirectory()) folders.push({ path, keyPrefix: key === '' ? '' : `${key}/`, ...inside });
    else if (!entry.isFile()) source.ignored.push(path);
    else if (keysFrom === undefined) source.take(await inTime(path, lookAtDropped(path, key)));
    else files.push(path);
  }
  for (const [path, inFolder] of Map.groupBy(files, (file) => dirname(file))) {
    const key = toKey(pathBelow(keysFrom ?? path, path) ?? '');
    const names = inFolder.map((file) => basename(file));
    folders.push({ path, keyPrefix: key === '' ? '' : `${key}/`, names, ...inside });
  }
  await walkFolders(folders, {
    worker,
    signal,
    ignorePatterns,
    gitignore,
    onContent: (content) => {
      const files = unpackFiles(content.files);
      source.take({ ...content, files });
      onFiles?.(files);
      if (!content.isPartial && content.files.names === '' && content.tasks.length === 0)
        source.emptyFolders.push(content.path);
    },
  });
  source.check(paths);
  const { bytes, ignored, links, emptyFolders } = source;
  return { files: source.files, bytes, ignored, links, emptyFolders };
}

/**
 * The key of a dropped file, or what stands before the keys of a dropped folder’s files; empty for a folder
 * whose files stand at the top.
 */
function keyOf(
  path: string,
  paths: readonly string[],
  isFolder: boolean,
  keysFrom: string | undefined,
): string {
  if (keysFrom === undefined) return isFolder && paths.length === 1 ? '' : toKey(basename(path));
  const below = pathBelow(keysFrom, path);
  if (below === null || (below === '' && !isFolder))
    throw new TileliftError('input-invalid', { subject: path });
  return toKey(below);
}

interface Found {
  readonly files: readonly SourceFile[];
  readonly ignored: readonly string[];
  readonly links?: readonly string[];
  readonly unreadable: readonly Unreadable[];
}

/** What was found so far. It is checked as it comes: at the end of 100,000 files that would take a while. */
class Source {
  readonly files: SourceFile[] = [];
  readonly ignored: string[] = [];
  readonly links: string[] = [];
  readonly emptyFolders: string[] = [];
  readonly #unreadable: Unreadable[] = [];
  readonly #pathOfKey = new Map<string, string>();
  readonly #onProgress: ((progress: ScanProgress) => void) | undefined;
  #collision: Subject | null = null;
  #tooLong: string | null = null;
  bytes = 0;

  constructor(onProgress: ((progress: ScanProgress) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  take({ files, ignored, links = [], unreadable }: Found): void {
    for (const file of files) {
      this.files.push(file);
      this.bytes += file.size;
      this.#checkKey(file);
    }
    for (const path of ignored) this.ignored.push(path);
    for (const path of links) this.links.push(path);
    for (const one of unreadable) this.#unreadable.push(one);
    this.#onProgress?.({ files: this.files.length, bytes: this.bytes });
  }

  check(paths: readonly string[]): void {
    const [first] = this.#unreadable;
    if (first) {
      const named = this.#unreadable.map(({ path }) => path).sort();
      const more = named.length - namedPaths;
      const subject = { names: named.slice(0, namedPaths), ...(more > 0 ? { more } : {}) };
      throw new TileliftError('source-unreadable', { subject, cause: first.reason });
    }
    if (this.files.length === 0) throw new TileliftError('source-empty', { subject: { names: paths } });
    if (this.#collision) throw new TileliftError('source-keys-collide', { subject: this.#collision });
    if (this.#tooLong) throw new TileliftError('source-name-too-long', { subject: this.#tooLong });
  }

  #checkKey({ key, path }: SourceFile): void {
    const other = this.#pathOfKey.get(key);
    if (other !== undefined) this.#collision ??= { list: [other, path] };
    this.#pathOfKey.set(key, path);
    if (key.length * 3 > longestKey && Buffer.byteLength(key) > longestKey) this.#tooLong ??= path;
  }
}

/**
 * A dropped file, which may be a link: what it leads to is known by its own name, since links are not
 * followed any more from here on.
 */
async function lookAtDropped(dropped: string, key: string): Promise<Found> {
  try {
    const path = (await lstat(dropped)).isSymbolicLink() ? await realpath(dropped) : dropped;
    await using handle = await open(path, readFlags);
    const stats = await handle.stat();
    const identity = identityOf(stats, () => fstatSync(handle.fd, { bigint: true }));
    const { size, mtimeMs } = stats;
    return { files: [{ path, key, size, mtimeMs, identity }], ignored: [], unreadable: [] };
  } catch (error) {
    return { files: [], ignored: [], unreadable: [{ path: dropped, reason: String(error), isGone: false }] };
  }
}

/**
 * What a person drops may be a link; what is to be sent as it was seen must be no link by now, nor lie behind
 * one.
 */
async function statEntry(path: string, keysFrom: string | undefined): Promise<Stats> {
  try {
    if (keysFrom === undefined) return await stat(path);
    const [real, within] = await Promise.all([realpath(path), realpath(keysFrom)]);
    if (relative(within, real) !== relative(keysFrom, path))
      throw new TileliftError('source-changed', { subject: path });
    return await lstat(path);
  } catch (cause) {
    if (cause instanceof TileliftError) throw cause;
    throw new TileliftError(hasCode(cause, 'ENOENT') ? 'source-missing' : 'source-unreadable', {
      subject: path,
      cause,
    });
  }
}
