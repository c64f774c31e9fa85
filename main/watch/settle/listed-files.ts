import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Said } from '../../../strings/phrase.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import { hasCode } from '../../errno.ts';
import { toErrorRecord, toTileliftError } from '../../errors.ts';
import type { ListOrder, ListReply } from '../../files/checksum-lists/answer-lists.ts';
import { type Algorithm, isListName, isListOf } from '../../files/checksum-lists/checksum-list.ts';
import type { SourceFile } from '../../files/model.ts';
import { toKey } from '../../files/paths.ts';
import type { ThreadKind } from '../../files/thread-kind.ts';
import { ThreadPool } from '../../files/thread-pool.ts';
import { scanWorkerSource } from '../../files/walk/scan-workers.ts';
import { type ChecksumThread, createChecksumThread } from '../../transfer/checksum-thread.ts';
import type { FoundSource } from '../model/model.ts';
import { WorkLine } from '../model/scheduling.ts';
import { batchNumber } from '../model/source-names.ts';
import type { ScannedSource } from '../scan/found-source.ts';
import type { NotReadyReason } from './completeness.ts';

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
  listsOf(source: FoundSource): Promise<ListedFiles> {
    return this.#line.run(() => this.#read(source));
  }

  async #read(source: FoundSource): Promise<ListedFiles> {
    const isFolder = source.paths[0] === source.keysFrom || batchNumber(source.path) !== null;
    const { inside, beside: siblings } = await this.#listsFor(source, isFolder);
    const lists = [...inside, ...siblings];
    const excessList = lists[maxLists];
    if (excessList !== undefined) return tooLarge(excessList);
    if (lists.length === 0) return { files: [], missing: null, tooLarge: null };
    const name = basename(source.path === '.' ? this.#folder : source.path);
    const main = join(this.#folder, source.path);
    const primary = isFolder ? -1 : source.files.findIndex(({ path }) => toKey(path) === toKey(main));
    const files: FileToCheck[] = [];
    let missing: ListedFiles['missing'] = null;
    let bytes = 0;
    const { post, ask, release } = this.#thread();
    try {
      for (let start = 0; start < source.files.length; start += filesAtOnce) {
        const part = source.files.slice(start, start + filesAtOnce);
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
          const file = source.files[index];
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

  /** Absolute. */
  async #listsFor({ path, keysFrom, files }: FoundSource, isFolder: boolean) {
    const inside = isFolder
      ? files.map((file) => file.path).filter((filePath) => isListName(basename(filePath)))
      : [];
    if (path === '.' || batchNumber(path) !== null) return { inside, beside: [] };
    const around = isFolder ? dirname(keysFrom) : dirname(join(this.#folder, path));
    const siblings = (await this.#namesIn(around)).map((name) => join(around, name));
    return { inside, beside: siblings };
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

interface ListChecksOptions {
  readonly folder: string;
  /** Default: the source, for plain Node. */
  readonly worker?: URL | undefined;
  readonly onDone: () => void;
}

/** `none`: no list names the source. */
export type Checked =
  | { readonly kind: 'none' }
  | { readonly kind: 'right' }
  | { readonly kind: 'checking'; readonly notReady: NotReadyReason }
  | { readonly kind: 'wrong'; readonly notReady: NotReadyReason };

interface Check {
  /** Hashes the source and its list entries. */
  readonly key: string;
  readonly digest: string;
  readonly total: number;
  readonly stopping: AbortController;
  done: number;
  list: string;
  result: Checked | null;
}

const maxRemembered = 200_000;

/**
 * Verifies sources against their checksum lists. Reads one file at a time, and none twice while unchanged. A
 * mismatch is only checked again after a change of the source or the list.
 */
export class ListChecks {
  readonly #options: ListChecksOptions;
  readonly #reader: ListReader;
  readonly #thread: ChecksumThread;
  readonly #checks = new Map<string, Check>();
  readonly #remembered = new Map<string, string>();
  readonly #line = new WorkLine();

  constructor(options: ListChecksOptions) {
    this.#options = options;
    this.#reader = new ListReader(options.folder, options.worker);
    this.#thread = createChecksumThread(options.worker);
  }

  /** Null unless this content is being checked. */
  underWay({ path, digest }: Pick<ScannedSource, 'path' | 'digest'>): NotReadyReason | null {
    const check = this.#checks.get(path);
    if (!check || check.result !== null) return null;
    if (check.digest === digest) return reasonWhile(check);
    this.forget(path);
    return null;
  }

  async check(source: ScannedSource): Promise<Checked> {
    const { files, missing, tooLarge } = await this.#reader.listsOf(source);
    if (tooLarge !== null) {
      const reason: Said = { key: 'sources.doubt.listTooLarge', values: { list: tooLarge } };
      return { kind: 'wrong', notReady: { kind: 'wait-for-change', reason } };
    }
    if (missing) {
      const reason: Said = {
        key: 'sources.doubt.listedMissing',
        values: { file: missing.path, list: missing.list },
      };
      return { kind: 'wrong', notReady: { kind: 'wait-for-change', reason } };
    }
    if (files.length === 0) return { kind: 'none' };
    const key = keyOf(source, files);
    const previous = this.#checks.get(source.path);
    if (previous?.key === key)
      return previous.result ?? { kind: 'checking', notReady: reasonWhile(previous) };
    this.forget(source.path);
    const [firstFile] = files;
    const check: Check = {
      key,
      digest: source.digest,
      total: files.length,
      stopping: new AbortController(),
      done: 0,
      list: firstFile?.list ?? '',
      result: null,
    };
    this.#checks.set(source.path, check);
    void this.#line.run(() => this.#run(source.path, files, check));
    return { kind: 'checking', notReady: reasonWhile(check) };
  }

  forget(path: string): void {
    this.#checks.get(path)?.stopping.abort();
    this.#checks.delete(path);
  }

  dispose(): void {
    for (const path of [...this.#checks.keys()]) this.forget(path);
    this.#thread.close();
  }

  async #run(path: string, files: readonly FileToCheck[], check: Check): Promise<void> {
    const { signal } = check.stopping;
    if (signal.aborted) return;
    try {
      check.result = await this.#compare(files, check);
      if (check.result === null) this.#checks.delete(path);
    } catch (thrown) {
      if (signal.aborted) return;
      this.#checks.delete(path);
      const reason: Said = errorPhrase(toErrorRecord(toTileliftError(thrown)));
      check.result = { kind: 'wrong', notReady: { kind: 'wait-longer', reason } };
    }
    this.#options.onDone();
  }

  async #compare(files: readonly FileToCheck[], check: Check): Promise<Checked | null> {
    for (const { file, algorithm, checksum, list } of files) {
      check.list = list;
      const actualChecksum = await this.#checksumOf(file, algorithm, check.stopping.signal);
      if (actualChecksum === null) return null;
      if (actualChecksum !== checksum) {
        const reason: Said = { key: 'sources.doubt.mismatch', values: { file: basename(file.path), list } };
        return { kind: 'wrong', notReady: { kind: 'wait-for-change', reason } };
      }
      check.done += 1;
    }
    return { kind: 'right' };
  }

  async #checksumOf(
    { path, size, mtimeMs }: FileToCheck['file'],
    algorithm: FileToCheck['algorithm'],
    signal: AbortSignal,
  ): Promise<string | null> {
    const name = `${algorithm} ${size} ${mtimeMs} ${path}`;
    const remembered = this.#remembered.get(name);
    if (remembered !== undefined) return remembered;
    const task = { path, size, mtimeMs, partSize: Math.max(1, size), algorithm };
    const checksum = await this.#thread.ask(task, { signal });
    if (this.#remembered.size >= maxRemembered) this.#remembered.clear();
    if (checksum !== null) this.#remembered.set(name, checksum);
    return checksum;
  }
}

function keyOf({ digest }: ScannedSource, files: readonly FileToCheck[]): string {
  const sum = createHash('sha256').update(digest);
  for (const { file, checksum } of files) sum.update(`${file.key}\0${checksum}\0`);
  return sum.digest('hex');
}

function reasonWhile({ list, done, total }: Check): NotReadyReason {
  return { kind: 'not-ready', reason: { key: 'sources.doubt.checking', values: { list, done, total } } };
}
