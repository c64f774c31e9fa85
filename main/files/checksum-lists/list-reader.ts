import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { hasCode } from '../../errno.ts';
import { WorkLine } from '../../work-line.ts';
import type { SourceFile } from '../model.ts';
import { toKey } from '../paths.ts';
import type { ThreadKind } from '../thread-kind.ts';
import { ThreadPool } from '../thread-pool.ts';
import { scanWorkerSource } from '../walk/scan-workers.ts';
import type { ListOrder, ListReply } from './answer-lists.ts';
import { type Algorithm, isListName, isListOf } from './checksum-list.ts';

/** A file with its list entry. */
export interface FileToCheck {
  readonly file: SourceFile;
  readonly algorithm: Algorithm;
  readonly checksum: string;
  readonly list: string;
}

interface ListedFiles {
  readonly files: readonly FileToCheck[];
  /** Named by the source's own list. */
  readonly missing: { readonly path: string; readonly list: string } | null;
  /** Over a limit, so its content is unknown. */
  readonly tooLarge: string | null;
}

/** Bytes; more than a list of 100,000 files needs. */
const maxListBytes = 16 * 1024 * 1024;
const maxBytes = 64 * 1024 * 1024;
const maxLists = 100;
const filesAtOnce = 10_000;
/** List names are cached while the folder's modification time is the same. */
const maxFolders = 50;

/** Lists are untrusted, so threads of limited memory parse them. */
const pool = new ThreadPool({
  worker: {
    workerData: 'lists' satisfies ThreadKind,
    execArgv: [],
    name: 'lists',
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  },
});

/** Files that lists may name. */
interface ListableFiles {
  readonly files: readonly SourceFile[];
  /** Their own file or folder, absolute; null for the watched folder, which has lists only inside. */
  readonly place: string | null;
  readonly isFolder: boolean;
}

/** Finds checksum lists inside a source, named after it, or next to it. */
export class ListReader {
  readonly #folder: string;
  readonly #worker: URL;
  readonly #listsIn = new Map<string, { mtimeMs: number; names: readonly string[] }>();
  readonly #line = new WorkLine();

  /**
   * @param folder the watched one; nothing outside is read
   * @param worker the source in plain Node, the bundle in Electron
   */
  constructor(folder: string, worker: URL = scanWorkerSource) {
    this.#folder = folder;
    this.#worker = worker;
  }

  /** One source at a time, so that a rule uses one thread. */
  listsOf(source: ListableFiles): Promise<ListedFiles> {
    return this.#line.run(() => this.#read(source));
  }

  async #read({ files: sourceFiles, place, isFolder }: ListableFiles): Promise<ListedFiles> {
    const inside = isFolder
      ? sourceFiles.map(({ path }) => path).filter((path) => isListName(basename(path)))
      : [];
    const around = place === null ? null : dirname(place);
    const beside = around === null ? [] : (await this.#namesIn(around)).map((name) => join(around, name));
    const lists = [...inside, ...beside];
    const excessList = lists[maxLists];
    if (excessList !== undefined) return tooLarge(excessList);
    if (lists.length === 0) return { files: [], missing: null, tooLarge: null };
    const name = basename(place ?? this.#folder);
    const primary = isFolder ? -1 : sourceFiles.findIndex(({ path }) => toKey(path) === toKey(place ?? ''));
    const files: FileToCheck[] = [];
    let missing: ListedFiles['missing'] = null;
    let bytes = 0;
    const { post, ask, release } = this.#thread();
    try {
      for (let start = 0; start < sourceFiles.length; start += filesAtOnce) {
        const part = sourceFiles.slice(start, start + filesAtOnce);
        post({
          kind: 'files',
          folder: this.#folder,
          keys: part.map(({ path }) => toKey(path)),
          startIndex: start,
        });
        await setImmediate();
      }
      for (const path of lists) {
        const list = basename(path);
        const isOwn = inside.includes(path) || isListOf(list, name);
        const reply = await ask({
          ...{ kind: 'list', path, isOwn, primary: isOwn && primary >= 0 ? primary : null },
          maxBytes: Math.min(maxListBytes, maxBytes - bytes),
        });
        if (reply.kind === 'unread') continue;
        if (reply.kind !== 'read') return tooLarge(path);
        bytes += reply.bytes;
        for (const { fileIndex: index, algorithm, checksum } of reply.files) {
          const file = sourceFiles[index];
          if (file) files.push({ file, algorithm, checksum, list });
        }
        if (missing === null && reply.missing !== null) missing = { path: reply.missing, list };
      }
      return { files, missing, tooLarge: null };
    } finally {
      release();
    }
  }

  /** Takes one request at a time; ends if a list needs too much memory. */
  #thread() {
    let pendingReply: PromiseWithResolvers<ListReply> | null = null;
    let failure: { readonly error: unknown } | null = null;
    const settle = () => {
      if (hasCode(failure?.error, 'ERR_WORKER_OUT_OF_MEMORY')) pendingReply?.resolve({ kind: 'too-large' });
      else if (failure) pendingReply?.reject(failure.error);
    };
    const end = (error: unknown) => {
      failure ??= { error };
      settle();
    };
    const thread = pool.take<ListReply>(this.#worker, {
      message: (reply) => {
        pendingReply?.resolve(reply);
        pendingReply = null;
      },
      error: end,
      exit: (code) => end(new Error(`the thread for lists ended with code ${code}`)),
    });
    const post = (order: ListOrder) => thread.post(order);
    const ask = (order: ListOrder): Promise<ListReply> => {
      pendingReply = Promise.withResolvers();
      post(order);
      settle();
      return pendingReply.promise;
    };
    const release = () => (pendingReply || failure ? thread.end() : thread.giveBack());
    return { post, ask, release };
  }

  async #namesIn(folder: string): Promise<readonly string[]> {
    try {
      const { mtimeMs } = await stat(folder);
      const cached = this.#listsIn.get(folder);
      if (cached?.mtimeMs === mtimeMs) return cached.names;
      const names = (await readdir(folder)).filter(isListName).sort();
      if (this.#listsIn.size >= maxFolders) this.#listsIn.clear();
      this.#listsIn.set(folder, { mtimeMs, names });
      return names;
    } catch {
      return [];
    }
  }
}

const tooLarge = (path: string): ListedFiles => ({ files: [], missing: null, tooLarge: basename(path) });
