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
import { type HeldFolder, holdFolder } from './held-folder.ts';

/** One folder to look through, or some of its files by name. */
export interface FolderTask {
  readonly path: string;
  /** What stands before the names of its entries in their keys: empty, or with a `/` at its end. */
  readonly keyPrefix: string;
  /**
   * Only these files: the rest of a folder that is too large for one go, or those that somebody asked for.
   */
  readonly names?: readonly string[];
  /** A folder that no link on the way may lead out of, itself or above. Default: the path is trusted. */
  readonly within?: string;
}

/** How folders are to be read. */
export interface FolderRules {
  readonly ignore: Ignore;
  /** Leaves out by key, besides; null for nothing. */
  readonly fits: PathFits | null;
  /** Also gives what tells of writing that leaves size and modification time as they are. */
  readonly detailed: boolean;
  /** Only tells the names: no file is looked at but those that a task names. */
  readonly shallow: boolean;
}

export interface FolderContent {
  readonly path: string;
  /** Only of the files that the task named. */
  readonly isPartial: boolean;
  readonly files: PackedFiles;
  /** What is still to be looked through: folders, and files by name. */
  readonly tasks: readonly FolderTask[];
  readonly ignored: readonly string[];
  /** Paths of links, junctions among them, that nobody asked to leave out; none is followed. */
  readonly links: readonly string[];
  /**
   * Paths of files and folders whose names are not UTF-8 and that nobody can open by a text: as
   * `visibleName` writes them.
   */
  readonly notUtf8: readonly string[];
  readonly unreadable: readonly Unreadable[];
}

/**
 * Files of one folder as they travel between threads: thousands of objects would take longer to copy than to
 * find.
 */
interface PackedFiles extends FolderFiles {
  /** See `FileIdentity`, like `names`. */
  readonly fileIds: string;
  /** Allocated bytes, where `detailed`; else empty. */
  readonly allocated: Float64Array;
}

export interface Unreadable {
  readonly path: string;
  /** What the system says, for the log. */
  readonly reason: string;
  /** Nothing lies there (any more). */
  readonly isGone: boolean;
}

/**
 * Files of one folder looked at in one go, a larger folder is shared out: the main thread takes in what
 * several threads say in one turn.
 */
const maxFiles = 500;
/** What `stat` counts in, whatever the file system. */
export const blockSize = 512;

/**
 * Reads one folder. Synchronous, since a worker thread has nothing else to do and each call is several times
 * cheaper that way; 100,000 files would hold up the main thread for a second.
 */
export function readFolder(task: FolderTask, rules: FolderRules): FolderContent {
  let held: HeldFolder | null = null;
  try {
    held = holdFolder(task.path, task.within);
    const found = new Findings(task, held.root, rules.detailed);
    if (task.names) for (const name of task.names) found.look(name);
    else list(task, held.root, rules, found);
    held.check();
    return found.content;
  } catch (error) {
    const found = new Findings(task, task.path, rules.detailed);
    found.unreadable.push(unreadable(task.path, error));
    return found.content;
  } finally {
    held?.close();
  }
}

/** The entries of a folder, those of folders below it left for later. Throws what listing it throws. */
function list(task: FolderTask, root: string, { ignore, fits, shallow }: FolderRules, found: Findings): void {
  const { path: folder, keyPrefix, within } = task;
  const leaveOut = (name: string, isFolder: boolean) =>
    ignore(name, isFolder) || fits?.(found.keyOf(name), isFolder) === true;
  const inside = within === undefined ? {} : { within };
  const names: string[] = [];
  for (const entry of entriesOf(root, leaveOut, found)) {
    const { name } = entry;
    const path = found.pathOf(name);
    const kind = entryKind(entry, () => isFileAt(path));
    if (kind === 'folder') {
      if (leaveOut(name, true)) found.ignored.push(path);
      else found.tasks.push({ path, keyPrefix: `${found.keyOf(name)}/`, ...inside });
    } else if (kind === 'link') {
      if (leaveOut(name, false) || leaveOut(name, true)) found.ignored.push(path);
      else found.links.push(path);
    } else if (kind === 'other' || leaveOut(name, false)) found.ignored.push(path);
    else names.push(name);
  }
  const now = shallow ? 0 : maxFiles;
  for (let at = now; at < names.length; at += maxFiles) {
    found.tasks.push({ path: folder, keyPrefix, ...inside, names: names.slice(at, at + maxFiles) });
  }
  for (const name of names.slice(0, now)) found.look(name);
}

type Entry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/**
 * The entries of a folder that can be named. Node puts U+FFFD in place of bytes that are no UTF-8, so only a
 * folder with that sign in a name is read again, as bytes.
 */
function entriesOf(
  root: string,
  leaveOut: (name: string, isFolder: boolean) => boolean,
  found: Findings,
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
    (isLeftOut ? found.ignored : found.notUtf8).push(found.pathOf(visibleName(entry.name)));
    return [];
  });
}

/** A name with each byte that is no UTF-8 as `\xE4`. */
export function visibleName(name: Buffer): string {
  let text = '';
  for (let at = 0; at < name.length; ) {
    const length = [1, 2, 3, 4].find(
      (count) => at + count <= name.length && isUtf8(name.subarray(at, at + count)),
    );
    text += length
      ? name.toString('utf8', at, at + length)
      : `\\x${name.toString('hex', at, at + 1).toUpperCase()}`;
    at += length ?? 1;
  }
  return text;
}

const unreadable = (path: string, error: unknown): Unreadable => ({
  path,
  reason: String(error),
  isGone: hasCode(error, 'ENOENT', 'ENOTDIR'),
});

type EntryKind = 'file' | 'folder' | 'link' | 'other';

/**
 * What an entry of a folder is. On Windows a listing calls everything a link that the system keeps in a way
 * of its own, also files that were deduplicated or compressed by the system (libuv, `fs__readdir`: any
 * reparse point); only a look at it, which follows nothing, tells. What that calls a folder stays a link: it
 * leads elsewhere (a mounted volume).
 *
 * @param isFile a look at the entry itself, asked on Windows only
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

/** @param isIdentified with the ids of files: some 50 bytes of memory for each */
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
  #opened = false;

  /** @param readBy the folder's path as it is to be read */
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

  look(name: string): void {
    const path = this.#readBy + name;
    try {
      const stats = lstatSync(path);
      if (!stats.isFile()) {
        this.ignored.push(this.pathOf(name));
        return;
      }
      if (!this.#opened || !this.#surelyReadable(stats)) closeSync(openSync(path, readFlags));
      this.#opened = true;
      this.#names += `${name}\0`;
      this.#sizes.push(stats.size);
      this.#mtimesMs.push(stats.mtimeMs);
      this.#ctimesMs.push(stats.ctimeMs);
      this.#fileIds += `${fileIdOf(stats, () => lstatSync(path, { bigint: true }))}\0`;
      if (this.#detailed) this.#allocated.push(stats.blocks * blockSize);
    } catch (error) {
      this.unreadable.push(unreadable(this.pathOf(name), error));
    }
  }
}

const withSeparator = (path: string) => (path.endsWith(sep) ? path : path + sep);

/**
 * Opening is the one test of readability that also knows access lists and locks. On Linux the permissions
 * nearly always tell as much, and opening costs more than all the rest of a scan; there it is left to the
 * first file of each folder and to those that the permissions deny.
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
