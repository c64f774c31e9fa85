import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { Said } from '../../../strings/phrase.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import { toErrorRecord, toTileliftError } from '../../errors.ts';
import { type FileToCheck, ListReader } from '../../files/checksum-lists/list-reader.ts';
import { type ChecksumThread, createChecksumThread } from '../../transfer/checksum-thread.ts';
import { WorkLine } from '../../work-line.ts';
import type { FoundSource } from '../model/model.ts';
import { batchNumber } from '../model/source-names.ts';
import type { NotReadyReason } from './completeness.ts';

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
  underWay({ path, digest }: Pick<FoundSource, 'path' | 'digest'>): NotReadyReason | null {
    const check = this.#checks.get(path);
    if (!check || check.result !== null) return null;
    if (check.digest === digest) return reasonWhile(check);
    this.forget(path);
    return null;
  }

  async check(source: FoundSource): Promise<Checked> {
    const isSpread = source.path === '.' || batchNumber(source.path) !== null;
    const isFolder = isSpread || source.paths[0] === source.keysFrom;
    const place = isFolder ? source.keysFrom : join(this.#options.folder, source.path);
    const { files, missing, tooLarge } = await this.#reader.listsOf({
      ...{ files: source.files, place: isSpread ? null : place, isFolder },
    });
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

function keyOf({ digest }: FoundSource, files: readonly FileToCheck[]): string {
  const sum = createHash('sha256').update(digest);
  for (const { file, checksum } of files) sum.update(`${file.key}\0${checksum}\0`);
  return sum.digest('hex');
}

function reasonWhile({ list, done, total }: Check): NotReadyReason {
  return { kind: 'not-ready', reason: { key: 'sources.doubt.checking', values: { list, done, total } } };
}
