import { closeSync, type Dirent, lstatSync, openSync, readdirSync, type Stats } from 'node:fs';
import { sep } from 'node:path';
import { fileIdOf, readFlags } from '../file-identity.ts';
import type { Ignore } from '../left-out/ignore-rules.ts';
import type { PathFits } from '../left-out/path-patterns.ts';
import type { SourceFile } from '../model.ts';
import { entryKind } from './entry-kind.ts';

/** One folder to look through, or some of its files by name. */
export interface FolderTask {
  readonly path: string;
  /** What stands before the names of its entries in their keys: empty, or with a `/` at its end. */
  readonly keyPrefix: string;
  /** Only these files: the rest of a folder that is too large for one go. */
  readonly names?: readonly string[];
}

/** How folders are to be read. */
export interface FolderRules {
  readonly ignore: Ignore;
  /** Leaves out by key, besides; null for nothing. */
  readonly fits: PathFits | null;
  /** Also gives what tells of writing that leaves size and modification time as they are. */
  readonly detailed: boolean;
}

export interface FolderContent {
  readonly path: string;

  readonly files: PackedFiles;
  /** What is still to be looked through. */
  readonly tasks: readonly FolderTask[];
  readonly ignored: readonly string[];
  /** Paths of links, junctions among them, that nobody asked to leave out; none is followed. */
  readonly links: readonly string[];
  readonly unreadable: readonly Unreadable[];
}

/** Files of one folder as they travel between threads: thousands of objects would take longer to copy than to find. */
export interface PackedFiles {
  /** What stands before each name in its path. */
  readonly root: string;
  readonly keyPrefix: string;
  /** One after the other, each followed by a NUL, which no name holds. */
  readonly names: string;
  readonly sizes: Float64Array;
  readonly mtimesMs: Float64Array;
  readonly ctimesMs: Float64Array;
  /** See `FileIdentity`, like `names`. */
  readonly fileIds: string;
  /** Allocated bytes, where `detailed`; else empty. */
  readonly allocated: Float64Array;
}

export interface Unreadable {
  readonly path: string;
  /** What the system says, for the log. */
  readonly reason: string;
}

/** Files of one folder looked at in one go; a larger folder is shared out. */
const mostFiles = 2_000;
/** What `stat` counts in, whatever the file system. */
export const blockSize = 512;

/**
 * Reads one folder. Synchronous, since a worker thread has nothing else to do and each call is several times cheaper that way; 100,000 files would hold up
 * the main thread for a second.
 */
export function readFolder(task: FolderTask, { ignore, fits, detailed }: FolderRules): FolderContent {
  const found = new Findings(task, detailed);
  const leaveOut = (name: string, isFolder: boolean) =>
    ignore(name, isFolder) || fits?.(found.keyOf(name), isFolder) === true;
  if (task.names) {
    for (const name of task.names) found.look(name);
    return found.content;
  }
  let entries: Dirent[];
  try {
    entries = readdirSync(task.path, { withFileTypes: true });
  } catch (error) {
    found.unreadable.push({ path: task.path, reason: String(error) });
    return found.content;
  }
  const names: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const path = found.pathOf(name);
    const kind = entryKind(entry, () => isFileAt(path));
    if (kind === 'folder') {
      if (leaveOut(name, true)) found.ignored.push(path);
      else found.tasks.push({ path, keyPrefix: `${found.keyOf(name)}/` });
    } else if (kind === 'link') {
      if (leaveOut(name, false) || leaveOut(name, true)) found.ignored.push(path);
      else found.links.push(path);
    } else if (kind === 'other' || leaveOut(name, false)) found.ignored.push(path);
    else names.push(name);
  }
  for (let at = mostFiles; at < names.length; at += mostFiles) {
    found.tasks.push({ ...task, names: names.slice(at, at + mostFiles) });
  }
  for (const name of names.slice(0, mostFiles)) found.look(name);
  return found.content;
}

function isFileAt(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

export function unpackFiles({
  root,
  keyPrefix,
  names,
  sizes,
  mtimesMs,
  ctimesMs,
  fileIds,
}: PackedFiles): SourceFile[] {
  const ids = fileIds.split('\0');
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
  readonly unreadable: Unreadable[] = [];
  readonly #path: string;
  readonly #root: string;
  readonly #keyPrefix: string;
  readonly #sizes: number[] = [];
  readonly #mtimesMs: number[] = [];
  readonly #ctimesMs: number[] = [];
  readonly #allocated: number[] = [];
  readonly #surelyReadable = createSurelyReadable();
  readonly #detailed: boolean;
  #names = '';
  #fileIds = '';
  #opened = false;

  constructor({ path, keyPrefix }: FolderTask, detailed: boolean) {
    this.#path = path;
    this.#detailed = detailed;
    this.#root = path.endsWith(sep) ? path : path + sep;
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
    const { tasks, ignored, links, unreadable } = this;
    return { path: this.#path, files, tasks, ignored, links, unreadable };
  }

  pathOf(name: string): string {
    return this.#root + name;
  }

  keyOf(name: string): string {
    return this.#keyPrefix + toKey(name);
  }

  look(name: string): void {
    const path = this.pathOf(name);
    try {
      const stats = lstatSync(path);
      if (!stats.isFile()) {
        this.ignored.push(path);
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
      this.unreadable.push({ path, reason: String(error) });
    }
  }
}

/**
 * Opening is the one test of readability that also knows access lists and locks. On Linux the permissions nearly always tell as much, and opening costs more
 * than all the rest of a scan; there it is left to the first file of each folder and to those that the permissions deny.
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

/** Names on macOS come decomposed, on other systems composed: storage gets one form (NFC), case kept. */
export function toKey(name: string): string {
  return (sep === '/' ? name : name.replaceAll(sep, '/')).normalize('NFC');
}
