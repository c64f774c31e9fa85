import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { TileliftError } from '../errors.ts';
import type { PartOrder, PartReceipt, RequestOptions } from './storage.ts';
import { StorageError } from './storage-error.ts';
import type { Throttle } from './throttle.ts';
import type { FromWorker, PartOutcome, ToWorker, WorkerSetup } from './worker-messages.ts';

export interface UploadWorkersOptions {
  /** The worker's file: its source in plain Node, its bundle in Electron. */
  readonly address: URL;
  readonly setup: Omit<WorkerSetup, 'tokens'>;
  readonly throttle: Throttle;
  /** Threads. Default: one for each core, four at most. */
  readonly count?: number;
}

const mostWorkers = 4;

interface Waiting {
  readonly order: PartOrder;
  readonly options: RequestOptions;
  readonly settle: (outcome: PartOutcome) => void;
  readonly fail: (error: Error) => void;
}

/** The upload's worker threads as the main thread sees them. They start with the first part; one that crashes is replaced. */
export class UploadWorkers {
  readonly #options: UploadWorkersOptions;
  readonly #threads: Thread[] = [];
  #leaveThrottle: (() => void) | null = null;
  #closed = false;

  constructor(options: UploadWorkersOptions) {
    this.#options = options;
  }

  /** As `Storage.sendPart`. */
  send(order: PartOrder, options: RequestOptions): Promise<PartReceipt> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#closed) return reject(new Error('the storage client is closed'));
      const thread = this.#leastBusy();
      const stop = () => thread.drop(id);
      const end = () => signal?.removeEventListener('abort', stop);
      const id = thread.send({
        order,
        options,
        settle: (outcome) => {
          end();
          if (outcome.kind === 'done') resolve(outcome.receipt);
          else reject(errorOf(outcome, order, signal));
        },
        fail: (error) => {
          end();
          reject(error);
        },
      });
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Ends the threads and with them whatever they send. */
  close(): void {
    this.#closed = true;
    this.#leaveThrottle?.();
    for (const thread of this.#threads.splice(0)) thread.close();
  }

  #leastBusy(): Thread {
    if (this.#threads.length === 0) this.#start();
    return this.#threads.reduce((best, thread) => (thread.busy < best.busy ? thread : best));
  }

  #start(): void {
    const { throttle, address, setup, count } = this.#options;
    this.#leaveThrottle ??= throttle.open();
    const wanted = count ?? Math.min(mostWorkers, availableParallelism());
    while (this.#threads.length < wanted) {
      const thread: Thread = new Thread(address, { ...setup, tokens: throttle.tokens }, () => {
        const index = this.#threads.indexOf(thread);
        if (index >= 0) this.#threads.splice(index, 1);
      });
      this.#threads.push(thread);
    }
  }
}

/** One worker thread and the parts it is busy with. */
class Thread {
  readonly #worker: Worker;
  readonly #onGone: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #outbox: { id: number; order: PartOrder }[] = [];
  #dropping: number[] = [];
  #posting = false;
  #ready = false;
  #lastId = 0;

  constructor(address: URL, setup: WorkerSetup, onGone: () => void) {
    this.#onGone = onGone;
    // The thread gets no arguments and no environment of ours: it needs none.
    this.#worker = new Worker(address, { workerData: setup, execArgv: [], name: 'upload' });
    this.#worker.on('message', (message: FromWorker) => this.#hear(message));
    this.#worker.once('error', (error) => this.#gone(error));
    this.#worker.once('exit', (code) => this.#gone(new Error(`the upload worker ended with code ${code}`)));
  }

  get busy(): number {
    return this.#waiting.size;
  }

  send(waiting: Waiting): number {
    this.#lastId += 1;
    this.#waiting.set(this.#lastId, waiting);
    this.#outbox.push({ id: this.#lastId, order: waiting.order });
    this.#postSoon();
    return this.#lastId;
  }

  drop(id: number): void {
    if (!this.#waiting.has(id)) return;
    this.#dropping.push(id);
    this.#postSoon();
  }

  close(): void {
    void this.#worker.terminate();
  }

  /** In the order in which it came: orders before the wish to drop them. */
  #postSoon(): void {
    if (this.#posting) return;
    this.#posting = true;
    setImmediate(() => {
      this.#posting = false;
      if (this.#outbox.length > 0) this.#post({ kind: 'send', orders: this.#outbox });
      if (this.#dropping.length > 0) this.#post({ kind: 'drop', ids: this.#dropping });
      this.#outbox = [];
      this.#dropping = [];
    });
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromWorker): void {
    this.#ready = true;
    if (message.kind === 'ready') return;
    for (const [id, bytes] of message.sent) this.#waiting.get(id)?.options.onSent?.(bytes);
    for (const { id, outcome } of message.outcomes) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      waiting?.settle(outcome);
    }
  }

  /** What it was sending is sent again by another thread. One that never ran won't run the next time either. */
  #gone(cause: Error): void {
    this.#onGone();
    const error = this.#ready
      ? new StorageError({ code: 'WorkerEnded', message: cause.message }, cause)
      : new TileliftError('internal', { cause });
    for (const { fail } of this.#waiting.values()) fail(error);
    this.#waiting.clear();
  }
}

function errorOf(
  outcome: Exclude<PartOutcome, { kind: 'done' }>,
  order: PartOrder,
  signal: AbortSignal | undefined,
): unknown {
  switch (outcome.kind) {
    case 'dropped':
      return signal?.reason ?? new Error('dropped');
    case 'source':
      return new TileliftError(outcome.code, { subject: order.path, cause: outcome.cause });
    case 'fault':
      return signal?.aborted ? signal.reason : new StorageError(outcome.fault);
  }
}
