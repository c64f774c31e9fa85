import { open, readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { hasCode } from '../errno.ts';
import { createPause, WorkLine } from '../work-line.ts';
import type { SourceFile } from './model.ts';

const maxTried = 200;

/** Files with absolute paths in a folder. */
interface FilesIn {
  readonly files: readonly SourceFile[];
  readonly keysFrom: string;
}

/**
 * Returns the path of a file that a program has open for writing, or null: the program may have paused.
 *
 * Linux shows the processes that this user may inspect. Windows refuses to open a file that a program copies
 * to; not yet verified there. macOS shows nothing.
 */
export type FindWriter = (source: FilesIn) => Promise<string | null>;

/** Creates one for all sources, which share its scans. */
export function createFindWriter(): FindWriter {
  const openFiles = new FileAccess();
  return async (source) => {
    if (process.platform === 'linux') return openOnLinux(source, openFiles);
    return process.platform === 'win32' ? heldOnWindows(source) : null;
  };
}

async function openOnLinux({ files, keysFrom }: FilesIn, openFiles: FileAccess): Promise<string | null> {
  const pause = createPause();
  const paths = new Set<string>();
  // Linux reports real paths, but a watched folder may be reached through a link.
  const realFolder = await realpath(keysFrom).catch(() => keysFrom);
  for (const { path } of files) {
    paths.add(realFolder + path.slice(keysFrom.length));
    await pause();
  }
  return openFiles.findAmong(paths);
}

/** Opening for writing changes nothing, and fails while a program doesn't share the file. */
async function heldOnWindows({ files }: FilesIn): Promise<string | null> {
  for (const { path } of files.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(0, maxTried)) {
    try {
      await (await open(path, 'r+')).close();
    } catch (error) {
      if (hasCode(error, 'EBUSY')) return path;
    }
  }
  return null;
}

/** Lowest two bits of a file's flags: 0 is read-only (`open(2)`). */
const accessMode = 0b11;

type ListNames = (path: string) => Promise<readonly string[]>;

/** Processes end during a scan, and most belong to other users. */
const listNames: ListNames = (path) => readdir(path).catch(() => []);

interface AccessScan {
  readonly requestedPaths: ReadonlySet<string>[];
  readonly openPaths: Promise<ReadonlySet<string>>;
}

/**
 * Files that programs have open for writing, as far as Linux shows them. A scan of all processes takes the
 * same time for one file as for thousands, so concurrent requests share the next one.
 */
export class FileAccess {
  readonly #proc: string;
  readonly #list: ListNames;
  #nextScan: AccessScan | null = null;
  readonly #line = new WorkLine();

  /** @param proc the procfs mount point */
  constructor(proc = '/proc', list = listNames) {
    this.#proc = proc;
    this.#list = list;
  }

  /**
   * Returns one of these files (real paths) that is open for writing at some time after the call, or null.
   */
  async findAmong(paths: ReadonlySet<string>): Promise<string | null> {
    this.#nextScan ??= this.#scanAfterThis();
    this.#nextScan.requestedPaths.push(paths);
    for (const path of await this.#nextScan.openPaths) if (paths.has(path)) return path;
    return null;
  }

  #scanAfterThis(): AccessScan {
    const requestedPaths: ReadonlySet<string>[] = [];
    const openPaths = this.#line.run(() => {
      this.#nextScan = null;
      return this.#scan((path) => requestedPaths.some((paths) => paths.has(path)));
    });
    return { requestedPaths, openPaths };
  }

  async #scan(isRequested: (path: string) => boolean): Promise<ReadonlySet<string>> {
    const pause = createPause();
    const openPaths = new Set<string>();
    for (const pid of await this.#list(this.#proc)) {
      if (!/^\d+$/.test(pid)) continue;
      const process = `${this.#proc}/${pid}`;
      await Promise.all(
        (await this.#list(`${process}/fd`)).map(async (descriptor) => {
          const path = await readlink(`${process}/fd/${descriptor}`).catch(() => '');
          if (isRequested(path) && (await writes(`${process}/fdinfo/${descriptor}`))) openPaths.add(path);
        }),
      );
      await pause();
    }
    return openPaths;
  }
}

async function writes(fdinfo: string): Promise<boolean> {
  const text = await readFile(fdinfo, 'utf8').catch(() => '');
  const flags = /^flags:\s*([0-7]+)/m.exec(text)?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & accessMode) !== 0;
}
