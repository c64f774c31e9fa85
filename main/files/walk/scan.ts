import { fstatSync, type Stats } from 'node:fs';
import { lstat, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { hasCode } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';
import { identityOf, readFlags } from '../file-identity.ts';
import { createIgnore, defaultIgnorePatterns } from '../left-out/ignore-rules.ts';
import { createPathFits } from '../left-out/path-patterns.ts';
import type { Scan, SourceFile } from '../model.ts';
import { pathBelow, toKey } from '../paths.ts';
import { defaultReadStallMs, withoutStall } from '../stalled-read.ts';
import { type Found, FoundSource, type ScanProgress } from './found-source.ts';
import { type FolderTask, unpackFiles } from './read-folder.ts';
import { scanWorkerSource, walkFolders } from './scan-workers.ts';

/** What a scan of any size found. */
export interface CountedScan {
  readonly files: number;
  readonly bytes: number;
  /** Inside the source, not followed. */
  readonly links: number;
  /**
   * The first keys that two of its files seem to have: whoever keeps all of them can tell whether they do.
   */
  readonly doubtful: ReadonlySet<string>;
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

/**
 * Walks the dropped entries and gives every file that is to be sent, in no particular order, with its key:
 * relative to the folder for one dropped folder, the name for one dropped file, under each entry's own base
 * name for several.
 *
 * A dropped entry may itself be a link; links found inside are not followed, wherever they point, and are
 * listed as `links`. Ignore rules hold for all but a single dropped entry, which was meant by name. What is
 * found is to be looked at, not uploaded: files inside folders come without their ids.
 *
 * @throws TileliftError `input-invalid` when an entry lies outside `keysFrom`; `source-missing`,
 *   `source-empty`, `source-name-not-utf8` where nothing else is there, `source-keys-collide`,
 *   `source-name-too-long`, or `source-unreadable` naming what can't be read
 * @throws the signal's reason when it aborts
 */
export async function scanSource(paths: readonly string[], options: ScanOptions = {}): Promise<Scan> {
  const source = new FoundSource({ ...options, isKept: true });
  await walkSource(paths, options, source, false);
  const { files, bytes, ignored, links, emptyFolders, notUtf8 } = source;
  return { files, bytes, ignored, links, emptyFolders, notUtf8 };
}

/**
 * The same for any number of files, with their ids: they are given to `onFiles` and then forgotten. Two that
 * get one key are no error here.
 *
 * @throws what `scanSource` throws, and what `onFiles` does
 */
export async function scanInPages(
  paths: readonly string[],
  onFiles: (files: readonly SourceFile[]) => void,
  options: Omit<ScanOptions, 'onFiles'> = {},
): Promise<CountedScan> {
  const source = new FoundSource({ ...options, onFiles, isKept: false });
  await walkSource(paths, options, source, true);
  const { count: files, bytes, linkCount: links, doubtful } = source;
  return { files, bytes, links, doubtful };
}

async function walkSource(
  paths: readonly string[],
  options: ScanOptions,
  source: FoundSource,
  isIdentified: boolean,
): Promise<void> {
  const { signal, ignorePatterns = defaultIgnorePatterns, worker = scanWorkerSource } = options;
  const { keysFrom, gitignore = [] } = options;
  const ignore = createIgnore(ignorePatterns);
  const fits = createPathFits(gitignore);
  const meantByName = paths.length === 1 && keysFrom === undefined;
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
    if (leftOut) source.ignore(path);
    else if (entry.isDirectory()) folders.push({ path, keyPrefix: key === '' ? '' : `${key}/`, ...inside });
    else if (!entry.isFile()) source.ignore(path);
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
      const { files: folder } = content;
      source.take({ ...content, files: unpackFiles(folder, isIdentified), folder });
      const isEmpty = content.files.names === '' && content.tasks.length + content.notUtf8.length === 0;
      if (!content.isPartial && isEmpty) source.emptyFolder(content.path);
    },
  });
  source.check(paths);
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
 * Why nothing is at a path. A name whose bytes are not UTF-8 reaches the program with U+FFFD in their place.
 */
export const codeOfMissing = (path: string) =>
  path.includes('\ufffd') ? 'source-name-not-utf8' : 'source-missing';

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
    throw new TileliftError(hasCode(cause, 'ENOENT') ? codeOfMissing(path) : 'source-unreadable', {
      subject: path,
      cause,
    });
  }
}
