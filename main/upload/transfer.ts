import { setMaxListeners } from 'node:events';
import type { TileliftError } from '../errors.ts';
import type { Clock } from '../outside.ts';
import type { Random } from './backoff.ts';
import { FileTransfer, sumSizes } from './file-transfer.ts';
import { inTransferOrder } from './plan.ts';
import { UploadLost } from './request-retry.ts';
import type { Storage } from './storage.ts';
import type { TransferFile, TransferRecord } from './transfer-model.ts';
import { ProgressCount, type TransferProgress } from './transfer-progress.ts';

export interface TransferOptions {
  readonly storage: Storage;
  readonly record: TransferRecord;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Known end of the credentials' life, ms since the epoch. */
  readonly credentialsEndAt: number;
  /** Parts in flight. */
  readonly parallel?: number;
  /** Tries of one request. */
  readonly maxTries?: number;
  /** Of the given files alone. */
  readonly onProgress?: (progress: TransferProgress) => void;
  /** Trouble that the transfer goes on trying through. */
  readonly onTrouble?: (error: TileliftError) => void;
}

const usualParallel = 5;
const usualMaxTries = 10;
/** Parts wait in memory while they are sent; very large parts mean fewer at a time. */
const memoryBudget = 256 * 1024 * 1024;
const smallestBuffer = 64 * 1024;
/** Uploads of one file that may get lost before its loss is an error. */
const mostLosses = 3;

/**
 * Sends what storage lacks of all files through one pool of lanes, large files first. Memory: one buffer for each lane, as large as
 * the largest part it met.
 *
 * @throws TileliftError that ends the transfer; nothing is in flight any more by then
 * @throws the signal's reason when it aborts
 */
export async function transfer(files: readonly TransferFile[], options: TransferOptions): Promise<void> {
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  // One listener for each request in flight and each wait.
  setMaxListeners(0, signal);
  const progress = new ProgressCount(options.onProgress ?? (() => {}));
  const work = new Work(files, {
    ...options,
    signal,
    progress,
    maxTries: options.maxTries ?? usualMaxTries,
    storageName: options.storage.name,
  });
  for (const file of files) progress.acknowledge(sumSizes(file.parts), file.parts.length);

  async function lane(): Promise<void> {
    let buffer = Buffer.alloc(0);
    for (let task = work.next(); task; task = work.next()) {
      signal.throwIfAborted();
      const { partSize, partCount } = task.upload.file.plan;
      const needed = partCount === 1 ? task.upload.file.size : partSize;
      if (buffer.length < needed) buffer = Buffer.allocUnsafeSlow(Math.max(needed, smallestBuffer));
      await work.run(task, buffer);
    }
  }

  let first: { readonly thrown: unknown } | null = null;
  const lanes = Array.from({ length: countLanes(files, options.parallel ?? usualParallel) }, () =>
    lane().catch((thrown: unknown) => {
      first ??= { thrown };
      ending.abort(thrown);
    }),
  );
  await Promise.all(lanes);
  await work.close();
  options.signal.throwIfAborted();
  throwFirst(first);
}

function throwFirst(first: { readonly thrown: unknown } | null): void {
  if (first) throw first.thrown;
}

function countLanes(files: readonly TransferFile[], parallel: number): number {
  const largest = files.reduce((most, file) => Math.max(most, Math.min(file.size, file.plan.partSize)), 1);
  return Math.max(1, Math.min(parallel, Math.floor(memoryBudget / largest)));
}

interface Task {
  readonly upload: FileTransfer;
  readonly number: number;
}

/** The parts still to send, file by file; a file whose upload got lost comes again. */
class Work {
  readonly #waiting: TransferFile[];
  readonly #options: ConstructorParameters<typeof FileTransfer>[1];
  readonly #losses = new Map<number, number>();
  readonly #open = new Set<FileTransfer>();
  readonly #inFlight = new Map<FileTransfer, number>();
  #current: { readonly upload: FileTransfer; next: number } | null = null;

  constructor(files: readonly TransferFile[], options: ConstructorParameters<typeof FileTransfer>[1]) {
    this.#waiting = inTransferOrder(files).reverse();
    this.#options = options;
  }

  next(): Task | null {
    const current = this.#current;
    if (current && !current.upload.lost && current.next <= current.upload.file.plan.partCount) {
      const number = current.next++;
      this.#inFlight.set(current.upload, (this.#inFlight.get(current.upload) ?? 0) + 1);
      return { upload: current.upload, number };
    }
    const file = this.#waiting.pop();
    if (!file) return null;
    const upload = new FileTransfer(file, this.#options);
    this.#open.add(upload);
    this.#current = { upload, next: 1 };
    return this.next();
  }

  async run({ upload, number }: Task, buffer: Buffer): Promise<void> {
    try {
      if (!upload.lost) await upload.send(number, buffer);
    } catch (thrown) {
      if (!(thrown instanceof UploadLost)) throw thrown;
      if (!upload.lost) this.#beginAgain(upload, thrown);
    } finally {
      await this.#release(upload);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((upload) => upload.close()));
  }

  /** Closes a file's handle with its last part, so that 100,000 files never stand open together. */
  async #release(upload: FileTransfer): Promise<void> {
    const left = (this.#inFlight.get(upload) ?? 1) - 1;
    this.#inFlight.set(upload, left);
    const handedOut = this.#current?.upload !== upload || this.#current.next > upload.file.plan.partCount;
    if (left > 0 || !(handedOut || upload.lost)) return;
    this.#inFlight.delete(upload);
    this.#open.delete(upload);
    await upload.close();
  }

  /** Parts that storage refused once may stand in the record wrongly: the first time storage is asked what it has. */
  #beginAgain(upload: FileTransfer, lost: UploadLost): void {
    const { record, progress } = this.#options;
    const { id, path } = upload.file;
    const losses = (this.#losses.get(id) ?? 0) + 1;
    if (losses >= mostLosses) throw lost.error;
    this.#losses.set(id, losses);
    upload.lost = true;
    const { state } = upload;
    if (lost.kind === 'invalid-parts' && losses === 1) {
      record.resent(path, 'parts-refused');
      this.#waiting.push(state);
      return;
    }
    record.uploadForgotten(id);
    record.resent(path, 'upload-gone');
    progress.acknowledge(-sumSizes(state.parts), -state.parts.length);
    this.#waiting.push({ ...state, uploadId: null, parts: [] });
  }
}
