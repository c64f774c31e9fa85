import { isUtf8 } from 'node:buffer';
import { closeSync, type Dirent, lstatSync, openSync, readdirSync, type Stats } from 'node:fs';
import { sep } from 'node:path';
import { hasCode } from '../../errno.ts';
import { fileIdOf, readFlags } from '../file-identity.ts';
import type { FolderFiles } from '../file-table.ts';
import type { Ignore } from '../left-out/ignore-rules.ts';
import type { PathFits } from '../left-out/path-patterns.ts';
import type { SourceFile } from '../model.ts';
import { toKey } from '../paths.ts';
import { type FolderToRead, openFolderToRead } from './folder-to-read.ts';

/** A folder to read, or some of its files. */
export interface FolderTask {
  readonly path: string;
  /** Prefix of its entries' keys: empty, or ending with `/`. */
  readonly keyPrefix: string;
  /** Only these files: a share of a large folder, or requested ones. */
  readonly names?: readonly string[];
  /** A folder that links on the path must not leave. Default: the path is trusted. */
  readonly within?: string;
}

export interface FolderRules {
  readonly ignore: Ignore;
  /** Also excludes by key; null for none. */
  readonly fits: PathFits | null;
  /** Also return allocated bytes, which reveal writes that keep size and time. */
  readonly detailed: boolean;
  /** Return only names, and facts only for files named in a task. */
  readonly shallow: boolean;
}

export interface FolderContent {
  readonly path: string;
  readonly isPartial: boolean;
  readonly files: PackedFiles;
  readonly tasks: readonly FolderTask[];
  readonly ignored: readonly string[];
  /** Paths of links and junctions that weren't ignored; none is followed. */
  readonly links: readonly string[];
  /** Paths that can't be opened, as written by `visibleName`. */
  readonly notUtf8: readonly string[];
  readonly unreadable: readonly Unreadable[];
}

/**
 * A folder's files in columns, as copying thousands of objects between threads takes longer than reading
 * them.
 */
interface PackedFiles extends FolderFiles {
  /** See `FileIdentity`; separated like `names`. */
  readonly fileIds: string;
  /** Allocated bytes if `detailed`; else empty. */
  readonly allocated: Float64Array;
}

export interface Unreadable {
  readonly path: string;
  /** The system's error, for the log. */
  readonly reason: string;
  readonly isGone: boolean;
}

/** Files per task. Larger folders are split, so that results don't block the main thread. */
const maxFiles = 500;
/** Unit of `stat` blocks on every file system. */
export const blockSize = 512;

/**
 * Reads one folder. Synchronous calls are several times cheaper, but 100,000 files would block the main
 * thread for a second.
 */
export function readFolder(task: FolderTask, rules: FolderRules): FolderContent {
  let heldFolder: FolderToRead | null = null;
  try {
    heldFolder = openFolderToRead(task.path, task.within);
    const findings = new Findings(task, heldFolder.root, rules.detailed);
    if (task.names) for (const name of task.names) findings.inspectEntry(name);
    else list(task, heldFolder.root, rules, findings);
    heldFolder.check();
    return findings.content;
  } catch (error) {
    const findings = new Findings(task, task.path, rules.detailed);
    findings.unreadable.push(describeUnreadable(task.path, error));
    return findings.content;
  } finally {
    heldFolder?.dispose();
  }
}

/** Lists a folder; subfolders become tasks. Throws errors of listing. */
function list(
  task: FolderTask,
  root: string,
  { ignore, fits, shallow }: FolderRules,
  findings: Findings,
): void {
  const { path: folder, keyPrefix, within } = task;
  const leaveOut = (name: string, isFolder: boolean) =>
    ignore(name, isFolder) || fits?.(findings.keyOf(name), isFolder) === true;
  const parentRule = within === undefined ? {} : { within };
  const names: string[] = [];
  for (const entry of entriesOf(root, leaveOut, findings)) {
    const { name } = entry;
    const path = findings.pathOf(name);
    const kind = entryKind(entry, () => isFileAt(path));
    if (kind === 'folder') {
      if (leaveOut(name, true)) findings.ignored.push(path);
      else findings.tasks.push({ path, keyPrefix: `${findings.keyOf(name)}/`, ...parentRule });
    } else if (kind === 'link') {
      if (leaveOut(name, false) || leaveOut(name, true)) findings.ignored.push(path);
      else findings.links.push(path);
    } else if (kind === 'other' || leaveOut(name, false)) findings.ignored.push(path);
    else names.push(name);
  }
  const startIndex = shallow ? 0 : maxFiles;
  for (let batchStart = startIndex; batchStart < names.length; batchStart += maxFiles) {
    findings.tasks.push({
      path: folder,
      keyPrefix,
      ...parentRule,
      names: names.slice(batchStart, batchStart + maxFiles),
    });
  }
  for (const name of names.slice(0, startIndex)) findings.inspectEntry(name);
}

type Entry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/**
 * Node replaces bytes that aren't UTF-8 by U+FFFD, so only folders with that character are read again as
 * bytes.
 */
function entriesOf(
  root: string,
  leaveOut: (name: string, isFolder: boolean) => boolean,
  findings: Findings,
): readonly Entry[] {
  const entries = readdirSync(root, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes('\ufffd'))) return entries;
  return readdirSync(root, { withFileTypes: true, encoding: 'buffer' }).flatMap((entry) => {
    const name = entry.name.toString();
    if (isUtf8(entry.name))
      return {
        name,
        isFile: () => entry.isFile(),
        isDirectory: () => entry.isDirectory(),
        isSymbolicLink: () => entry.isSymbolicLink(),
      };
    const isLeftOut = leaveOut(name, entry.isDirectory());
    (isLeftOut ? findings.ignored : findings.notUtf8).push(findings.pathOf(visibleName(entry.name)));
    return [];
  });
}

/** Writes each byte that isn't UTF-8 like `\xE4`. */
export function visibleName(name: Buffer): string {
  let text = '';
  for (let offset = 0; offset < name.length; ) {
    const length = [1, 2, 3, 4].find(
      (count) => offset + count <= name.length && isUtf8(name.subarray(offset, offset + count)),
    );
    text += length
      ? name.toString('utf8', offset, offset + length)
      : `\\x${name.toString('hex', offset, offset + 1).toUpperCase()}`;
    offset += length ?? 1;
  }
  return text;
}

const describeUnreadable = (path: string, error: unknown): Unreadable => ({
  path,
  reason: String(error),
  isGone: hasCode(error, 'ENOENT', 'ENOTDIR'),
});

type EntryKind = 'file' | 'folder' | 'link' | 'other';

/**
 * Classifies an entry. Windows lists every reparse point as a link, even deduplicated or compressed files
 * (libuv, `fs__readdir`), so `lstat` decides. Folders among them stay links, because they lead elsewhere
 * (mounted volumes).
 *
 * @param isFile checks the entry itself; only called on Windows
 */
export function entryKind(
  entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>,
  isFile: () => boolean,
  platform: NodeJS.Platform = process.platform,
): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isSymbolicLink()) return 'other';
  return platform === 'win32' && isFile() ? 'file' : 'link';
}

function isFileAt(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** @param isIdentified whether to include file ids, about 50 bytes each */
export function unpackFiles(
  { root, keyPrefix, names, sizes, mtimesMs, ctimesMs, fileIds }: PackedFiles,
  isIdentified = true,
): SourceFile[] {
  const ids = isIdentified ? fileIds.split('\0') : [];
  return names
    .split('\0')
    .slice(0, -1)
    .map((name, index) => ({
      path: root + name,
      key: keyPrefix + toKey(name),
      size: sizes[index] ?? 0,
      mtimeMs: mtimesMs[index] ?? 0,
      identity: { fileId: ids[index] ?? null, ctimeMs: ctimesMs[index] ?? 0 },
    }));
}

class Findings {
  readonly tasks: FolderTask[] = [];
  readonly ignored: string[] = [];
  readonly links: string[] = [];
  readonly notUtf8: string[] = [];
  readonly unreadable: Unreadable[] = [];
  readonly #path: string;
  readonly #root: string;
  readonly #readBy: string;
  readonly #keyPrefix: string;
  readonly #sizes: number[] = [];
  readonly #mtimesMs: number[] = [];
  readonly #ctimesMs: number[] = [];
  readonly #allocated: number[] = [];
  readonly #surelyReadable = createSurelyReadable();
  readonly #isPartial: boolean;
  readonly #detailed: boolean;
  #names = '';
  #fileIds = '';
  #isOpened = false;

  constructor({ path, keyPrefix, names }: FolderTask, readBy: string, detailed: boolean) {
    this.#path = path;
    this.#isPartial = names !== undefined;
    this.#detailed = detailed;
    this.#root = withSeparator(path);
    this.#readBy = withSeparator(readBy);
    this.#keyPrefix = keyPrefix;
  }

  get content(): FolderContent {
    const files = {
      root: this.#root,
      keyPrefix: this.#keyPrefix,
      names: this.#names,
      sizes: new Float64Array(this.#sizes),
      mtimesMs: new Float64Array(this.#mtimesMs),
      ctimesMs: new Float64Array(this.#ctimesMs),
      fileIds: this.#fileIds,
      allocated: new Float64Array(this.#allocated),
    };
    const { tasks, ignored, links, notUtf8, unreadable } = this;
    const common = { path: this.#path, isPartial: this.#isPartial, files, tasks };
    return { ...common, ignored, links, notUtf8, unreadable };
  }

  pathOf(name: string): string {
    return this.#root + name;
  }

  keyOf(name: string): string {
    return this.#keyPrefix + toKey(name);
  }

  inspectEntry(name: string): void {
    const path = this.#readBy + name;
    try {
      const stats = lstatSync(path);
      if (!stats.isFile()) {
        this.ignored.push(this.pathOf(name));
        return;
      }
      if (!this.#isOpened || !this.#surelyReadable(stats)) closeSync(openSync(path, readFlags));
      this.#isOpened = true;
      this.#names += `${name}\0`;
      this.#sizes.push(stats.size);
      this.#mtimesMs.push(stats.mtimeMs);
      this.#ctimesMs.push(stats.ctimeMs);
      this.#fileIds += `${fileIdOf(stats, () => lstatSync(path, { bigint: true }))}\0`;
      if (this.#detailed) this.#allocated.push(stats.blocks * blockSize);
    } catch (error) {
      this.unreadable.push(describeUnreadable(this.pathOf(name), error));
    }
  }
}

const withSeparator = (path: string) => (path.endsWith(sep) ? path : path + sep);

/**
 * Opening is the only test that includes access lists and locks. On Linux, opening costs more than the rest
 * of the scan and permissions nearly always suffice, so only each folder's first file and denied ones are
 * opened.
 */
function createSurelyReadable(): (stats: Stats) => boolean {
  if (process.platform !== 'linux') return () => false;
  const me = process.geteuid?.();
  const group = process.getegid?.();
  return ({ mode, uid, gid }) => {
    if (me === 0) return true;
    if (uid === me) return (mode & 0o400) !== 0;
    return (mode & (gid === group ? 0o040 : 0o004)) !== 0;
  };
}
