import { setMaxListeners } from 'node:events';
import type { TileliftError } from '../errors.ts';
import type { Clock } from '../outside.ts';
import type { Random } from '../service/backoff.ts';
import type { Storage } from '../storage/storage.ts';
import { maxInFlight } from './concurrency.ts';
import { FileTransfer, type FileTransferOptions, sumSizes } from './file-transfer.ts';
import { Line } from './line.ts';
import { LineQueue } from './line-queue.ts';
import { PartPool, type PartSlot } from './part-pool.ts';
import { type PartRange, partRange } from './plan.ts';
import { CredentialLife, NetworkState, UploadLost } from './request-retry.ts';
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
  /** Parts in flight at most. Default 64; below that the engine finds its own number. */
  readonly parallel?: number;
  /** So often storage may call the bytes of one request corrupt. Default 10. */
  readonly maxTries?: number;
  /** What storage has confirmed of all files before: what is told of begins there. Default: nothing. */
  readonly confirmed?: { readonly bytes: number; readonly parts: number };
  readonly onProgress?: (progress: TransferProgress) => void;
  /** Trouble that the transfer keeps trying through. */
  readonly onTrouble?: (error: TileliftError, pauseMs: number) => void;
}

const defaultMaxTries = 10;

/**
 * Sends what storage lacks of all files through one pool, in their order. Memory: the parts in flight.
 *
 * @param files asked for one by one, when there is room for their parts; large ones come first
 * @throws TileliftError that ends the transfer; nothing is in flight any more by then
 * @throws the signal's reason when it aborts
 */
export async function transfer(files: Iterable<TransferFile>, options: TransferOptions): Promise<void> {
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  // One listener for each request in flight and each wait.
  setMaxListeners(0, signal);
  const elapsed = () => options.clock.elapsed();
  const line = new Line(elapsed());
  const progress = new ProgressCount(options.onProgress ?? (() => {}), line, elapsed);
  // First of all: what is told never runs backwards.
  const { bytes, parts } = options.confirmed ?? { bytes: 0, parts: 0 };
  progress.acknowledge(bytes, parts);
  const life = new CredentialLife(options.clock, options.credentialsEndAt, () => options.storage.skewMs());
  if (parts > 0) life.proved();
  const pool = new PartPool(
    options.parallel ?? maxInFlight,
    new LineQueue(line, elapsed),
    () => options.storage.roundTripMs(),
    (concurrency) => progress.set({ concurrency }),
  );
  const work = new TransferWork(files, {
    ...options,
    signal,
    progress,
    life,
    maxTries: options.maxTries ?? defaultMaxTries,
    storageName: options.storage.name,
    network: new NetworkState((reachable) => progress.set({ waitingForNetwork: !reachable })),
    onArrived: (bytes, ms, wireMs) => pool.arrived(bytes, ms, wireMs),
    onMoved: (bytes, ms) => pool.moved(bytes, ms),
  });
  try {
    await pool.drain(
      () => {
        try {
          return work.next();
        } catch (thrown) {
          // What is under way is waited for all the same.
          ending.abort(thrown);
          return null;
        }
      },
      (part, streamed, slot) => work.send(part, streamed, slot),
      signal,
      (thrown) => ending.abort(thrown),
    );
  } finally {
    progress.close();
  }
  signal.throwIfAborted();
}

/** Uploads of one file that may get lost before its loss is an error. */
const maxLosses = 3;

/** A part as it was planned, and the upload that it belongs to. */
interface FilePart extends PartRange {
  readonly upload: FileTransfer;
  readonly streamable: boolean;
}

/** The parts still to send, file by file; a file whose upload got lost comes again. */
class TransferWork {
  readonly #files: Iterator<TransferFile>;
  /** Those that come again. */
  readonly #waiting: TransferFile[] = [];
  readonly #options: FileTransferOptions;
  readonly #losses = new Map<number, number>();
  #current: { readonly upload: FileTransfer; next: number } | null = null;

  constructor(files: Iterable<TransferFile>, options: FileTransferOptions) {
    this.#files = files[Symbol.iterator]();
    this.#options = options;
  }

  /** Null while there is nothing to send; a file that got lost may make more. */
  next(): FilePart | null {
    const current = this.#current;
    if (current && !current.upload.lost && current.next <= current.upload.file.plan.partCount) {
      const { upload } = current;
      const { size, plan } = upload.file;
      const streamable = plan.partCount > 1;
      return { upload, streamable, ...partRange(size, plan.partSize, current.next++) };
    }
    const file = this.#waiting.pop() ?? this.#files.next().value;
    if (!file) return null;
    this.#current = { upload: new FileTransfer(file, this.#options), next: 1 };
    return this.next();
  }

  async send({ upload, streamable: _, ...part }: FilePart, streamed: boolean, slot: PartSlot): Promise<void> {
    if (upload.lost) return;
    try {
      await upload.send({ ...part, streamed }, slot);
    } catch (thrown) {
      if (!(thrown instanceof UploadLost)) throw thrown;
      if (!upload.lost) this.#beginAgain(upload, thrown);
    }
  }

  /**
   * Parts that storage refused once may be wrong in the record: the first time storage is asked for its list.
   */
  #beginAgain(upload: FileTransfer, lost: UploadLost): void {
    const { record, progress } = this.#options;
    const { id, path } = upload.file;
    const losses = (this.#losses.get(id) ?? 0) + 1;
    if (losses >= maxLosses) throw lost.error;
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
