import { fstatSync, type Stats } from 'node:fs';
import { lstat, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { hasCode } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';
import { identityOf, readFlags } from '../file-identity.ts';
import { createIgnore } from '../left-out/ignore-rules.ts';
import { createPathFits } from '../left-out/path-patterns.ts';
import type { Scan, SourceFile } from '../model.ts';
import { pathBelow, toKey } from '../paths.ts';
import { defaultReadStallMs, withoutStall } from '../stalled-read.ts';
import { type FoundFiles, FoundSource } from './found-source.ts';
import { type FolderTask, unpackFiles } from './read-folder.ts';
import { scanWorkerSource, walkFolders } from './scan-workers.ts';

export interface CountedScan {
  readonly files: number;
  readonly bytes: number;
  readonly links: number;
  /** The first keys with colliding hashes; a caller with all keys can confirm collisions. */
  readonly doubtful: ReadonlySet<string>;
}

export interface ScanOptions {
  readonly signal?: AbortSignal;
  /** Called for every folder with its files, at least every few thousand. */
  readonly onFiles?: (files: readonly SourceFile[]) => void;
  /**
   * Absolute folder that contains all entries and starts all keys; ignore rules then apply to a single entry
   * too.
   */
  readonly keysFrom?: string;
  /** Further gitignore lines, matched with keys. */
  readonly gitignore?: readonly string[];
  /** Script of the worker threads. Default: the TypeScript source, for plain Node. */
  readonly worker?: URL;
}

const ignore = createIgnore();

/**
 * Scans dropped entries for files to upload, in any order. Keys are relative to a single dropped folder, the
 * name of a single file, or below each entry's name.
 *
 * A dropped entry may be a link; links inside are listed but never followed. Ignore rules don't apply to a
 * single dropped entry. Files inside folders have no ids.
 *
 * @throws TileliftError `input-invalid` for an entry outside `keysFrom`; `source-missing`, `source-empty`,
 * `source-name-not-utf8` if no other files exist, `source-keys-collide`, `source-name-too-long`, or
 * `source-unreadable` with the paths
 * @throws the signal's reason when it aborts
 */
export async function scanSource(paths: readonly string[], options: ScanOptions = {}): Promise<Scan> {
  const source = new FoundSource({ ...options, isKept: true });
  await walkSource(paths, options, source, false);
  const { files, bytes, ignored, links, emptyFolders, notUtf8 } = source;
  return { files, bytes, ignored, links, emptyFolders, notUtf8 };
}

/**
 * Scans any number of files with ids, without keeping them. Colliding keys aren't errors.
 *
 * @throws errors of `scanSource` and `onFiles`
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
  const { signal, worker = scanWorkerSource, keysFrom, gitignore = [] } = options;
  const pathFits = createPathFits(gitignore);
  const meantByName = paths.length === 1 && keysFrom === undefined;
  const folders: FolderTask[] = [];
  /** Files in a watched folder, read like its folders, without following links. */
  const files: string[] = [];
  const parentRule = keysFrom === undefined ? {} : { within: keysFrom };
  const inTime = <T>(path: string, readPromise: Promise<T>) =>
    withoutStall(readPromise, path, defaultReadStallMs, signal);
  for (const path of paths) {
    signal?.throwIfAborted();
    const entry = await inTime(path, statEntry(path, keysFrom));
    const key = keyOf(path, paths, entry.isDirectory(), keysFrom);
    const leftOut =
      key !== '' &&
      ((!meantByName && ignore(basename(path), entry.isDirectory())) || pathFits(key, entry.isDirectory()));
    if (leftOut) source.ignore(path);
    else if (entry.isDirectory())
      folders.push({ path, keyPrefix: key === '' ? '' : `${key}/`, ...parentRule });
    else if (!entry.isFile()) source.ignore(path);
    else if (keysFrom === undefined) source.addFound(await inTime(path, lookAtDropped(path, key)));
    else files.push(path);
  }
  for (const [path, inFolder] of Map.groupBy(files, (file) => dirname(file))) {
    const key = toKey(pathBelow(keysFrom ?? path, path) ?? '');
    const names = inFolder.map((file) => basename(file));
    folders.push({ path, keyPrefix: key === '' ? '' : `${key}/`, names, ...parentRule });
  }
  await walkFolders(folders, {
    worker,
    signal,
    gitignore,
    onContent: (content) => {
      const { files: folder } = content;
      source.addFound({ ...content, files: unpackFiles(folder, isIdentified), folder });
      const isEmpty = content.files.names === '' && content.tasks.length + content.notUtf8.length === 0;
      if (!content.isPartial && isEmpty) source.emptyFolder(content.path);
    },
  });
  source.check(paths);
}

/** Returns a dropped file's key or a dropped folder's key prefix. */
function keyOf(
  path: string,
  paths: readonly string[],
  isFolder: boolean,
  keysFrom: string | undefined,
): string {
  if (keysFrom === undefined) return isFolder && paths.length === 1 ? '' : toKey(basename(path));
  const relativePath = pathBelow(keysFrom, path);
  if (relativePath === null || (relativePath === '' && !isFolder))
    throw new TileliftError('input-invalid', { subject: path });
  return toKey(relativePath);
}

/** Resolves a dropped link to its target, since links aren't followed later. */
async function lookAtDropped(droppedPath: string, key: string): Promise<FoundFiles> {
  try {
    const path = (await lstat(droppedPath)).isSymbolicLink() ? await realpath(droppedPath) : droppedPath;
    await using handle = await open(path, readFlags);
    const stats = await handle.stat();
    const identity = identityOf(stats, () => fstatSync(handle.fd, { bigint: true }));
    const { size, mtimeMs } = stats;
    return { files: [{ path, key, size, mtimeMs, identity }], ignored: [], unreadable: [] };
  } catch (error) {
    return {
      files: [],
      ignored: [],
      unreadable: [{ path: droppedPath, reason: String(error), isGone: false }],
    };
  }
}

/** Node replaces bytes that aren't UTF-8 by U+FFFD. */
export const codeOfMissing = (path: string) =>
  path.includes('\ufffd') ? 'source-name-not-utf8' : 'source-missing';

/** A dropped entry may be a link, but an entry in a watched folder and its path must not contain one. */
async function statEntry(path: string, keysFrom: string | undefined): Promise<Stats> {
  try {
    if (keysFrom === undefined) return await stat(path);
    const [realFolder, realParent] = await Promise.all([realpath(path), realpath(keysFrom)]);
    if (relative(realParent, realFolder) !== relative(keysFrom, path))
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
