import { setMaxListeners } from 'node:events';
import type { TileliftError } from '../errors.ts';
import type { Clock } from '../ports.ts';
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

/** Options of a transfer. */
export interface TransferOptions {
  readonly storage: Storage;
  readonly record: TransferRecord;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Expected end, ms since the epoch. */
  readonly credentialsEndAt: number;
  /** Maximum parts in flight, default 64. */
  readonly parallel?: number;
  /** Confirmed earlier. */
  readonly confirmedAmount?: { readonly bytes: number; readonly parts: number };
  readonly onProgress?: (progress: TransferProgress) => void;
  readonly onTrouble?: (error: TileliftError, pauseMs: number) => void;
}

/**
 * Sends everything storage lacks, in order, through one pool. Only parts in flight use memory.
 *
 * @param files pulled when their parts have room; large files come first
 * @throws TileliftError when the transfer fails, after all parts in flight have ended
 * @throws the signal's reason when it aborts
 */
export async function transfer(files: Iterable<TransferFile>, options: TransferOptions): Promise<void> {
  const failure = new AbortController();
  const signal = AbortSignal.any([options.signal, failure.signal]);
  setMaxListeners(0, signal);
  const elapsedMs = () => options.clock.elapsed();
  const line = new Line(elapsedMs());
  const progress = new ProgressCount(options.onProgress ?? (() => {}), line, elapsedMs);
  // First, so that progress never runs backwards.
  const { bytes, parts } = options.confirmedAmount ?? { bytes: 0, parts: 0 };
  progress.acknowledge(bytes, parts);
  const life = new CredentialLife(options.clock, options.credentialsEndAt, () => options.storage.skewMs());
  if (parts > 0) life.markProven();
  const pool = new PartPool(
    options.parallel ?? maxInFlight,
    new LineQueue(line, elapsedMs),
    () => options.storage.roundTripMs(),
    (concurrency) => progress.set({ concurrency }),
  );
  const work = new TransferWork(files, {
    ...options,
    signal,
    progress,
    life,
    storageName: options.storage.name,
    network: new NetworkState((reachable) => progress.set({ waitingForNetwork: !reachable })),
    onArrived: (bytes, ms, wireMs) => pool.noteArrival(bytes, ms, wireMs),
    onMoved: (bytes, ms) => pool.noteMoved(bytes, ms),
  });
  try {
    await pool.drain(
      () => {
        try {
          return work.nextPart();
        } catch (error) {
          // Parts in flight still finish.
          failure.abort(error);
          return null;
        }
      },
      (part, isStreamed, slot) => work.send(part, isStreamed, slot),
      signal,
      (error) => failure.abort(error),
    );
  } finally {
    progress.close();
  }
  signal.throwIfAborted();
}

const maxLosses = 3;

interface FilePart extends PartRange {
  readonly upload: FileTransfer;
  readonly streamable: boolean;
}

/** A file with a lost upload is queued again. */
class TransferWork {
  readonly #files: Iterator<TransferFile>;
  readonly #restarts: TransferFile[] = [];
  readonly #options: FileTransferOptions;
  readonly #losses = new Map<number, number>();
  #current: { readonly upload: FileTransfer; nextNumber: number } | null = null;

  constructor(files: Iterable<TransferFile>, options: FileTransferOptions) {
    this.#files = files[Symbol.iterator]();
    this.#options = options;
  }

  /** Null if there is nothing to send now; a lost upload may add more. */
  nextPart(): FilePart | null {
    const current = this.#current;
    if (current && !current.upload.isLost && current.nextNumber <= current.upload.file.plan.partCount) {
      const { upload } = current;
      const { size, plan } = upload.file;
      const streamable = plan.partCount > 1;
      return { upload, streamable, ...partRange(size, plan.partSize, current.nextNumber++) };
    }
    const file = this.#restarts.pop() ?? this.#files.next().value;
    if (!file) return null;
    this.#current = { upload: new FileTransfer(file, this.#options), nextNumber: 1 };
    return this.nextPart();
  }

  async send(
    { upload, streamable: _, ...part }: FilePart,
    isStreamed: boolean,
    slot: PartSlot,
  ): Promise<void> {
    if (upload.isLost) return;
    try {
      await upload.send({ ...part, isStreamed }, slot);
    } catch (error) {
      if (!(error instanceof UploadLost)) throw error;
      if (!upload.isLost) this.#restart(upload, error);
    }
  }

  /** A first refusal may be caused by a wrong record, so storage is asked for its list. */
  #restart(upload: FileTransfer, lostUpload: UploadLost): void {
    const { record, progress } = this.#options;
    const { id, path } = upload.file;
    const losses = (this.#losses.get(id) ?? 0) + 1;
    if (losses >= maxLosses) throw lostUpload.error;
    this.#losses.set(id, losses);
    upload.isLost = true;
    const { state } = upload;
    if (lostUpload.kind === 'invalid-parts' && losses === 1) {
      record.noteResent(path, 'parts-refused');
      this.#restarts.push(state);
      return;
    }
    record.uploadForgotten(id);
    record.noteResent(path, 'upload-gone');
    progress.acknowledge(-sumSizes(state.parts), -state.parts.length);
    this.#restarts.push({ ...state, uploadId: null, parts: [] });
  }
}
