import { availableParallelism } from 'node:os';
import { TileliftError } from '../errors.ts';
import { createPoolReads, createThreadReads, ThreadReads } from '../files/pool-reads.ts';
import { SourceReplaced } from '../files/read-source.ts';
import { type LentThread, ThreadPool } from '../files/thread-pool.ts';
import type { RequestOptions } from '../storage/storage.ts';
import { StorageError } from '../storage/storage-error.ts';
import { StorageFacts } from '../storage/storage-facts.ts';
import type { Throttle } from '../storage/throttle.ts';
import type {
  FromWorker,
  ToWorker,
  WorkerOrder,
  WorkerOutcome,
  WorkerSetup,
  WorkerTask,
  WorkerTasks,
} from './worker-messages.ts';

interface UploadThreadsOptions {
  readonly address: URL;
  readonly setup: Omit<WorkerSetup, 'tokens' | 'facts' | 'poolReads' | 'threadReads'>;
  readonly throttle: Throttle;
  /** Default: one per core, at most four. */
  readonly count?: number;
}

const maxThreads = 4;
/**
 * Three times the default: garbage collection takes 8 % of a thread's time on small files at 2 MB, 4 % at 4
 * MB.
 */
const maxYoungGenerationSizeMb = 6;

const poolReads = createPoolReads();
const pool = new ThreadPool({
  // Our own flags would partly be rejected.
  worker: { execArgv: [], name: 'upload', resourceLimits: { maxYoungGenerationSizeMb } },
});

const wantedThreads = (): number => Math.min(maxThreads, availableParallelism());

/** Starts idle threads for a coming upload. */
export function prepareThreads(address: URL): void {
  pool.prepare(address, wantedThreads());
}

/** The first request starts the threads; crashed ones are replaced. */
export class UploadThreads {
  readonly #options: UploadThreadsOptions;
  readonly #threadCount: number;
  readonly #threads: UploadThread[] = [];
  readonly #facts = new SharedArrayBuffer(StorageFacts.bytes);
  #leaveThrottle: (() => void) | null = null;
  #watch: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: UploadThreadsOptions) {
    this.#options = options;
    this.#threadCount = options.count ?? wantedThreads();
  }

  /**
   * Runs the task on the least busy thread.
   *
   * @throws StorageError without a response or if storage refused a part; errors of the source; the signal's
   * reason
   */
  async ask<Kind extends keyof WorkerTasks>(
    task: WorkerTask<Kind>,
    options: RequestOptions,
  ): Promise<WorkerTasks[Kind]['answer']> {
    options.signal?.throwIfAborted();
    if (this.#isClosed) throw new Error('the storage client is closed');
    this.start();
    const thread = this.#threads.reduce((leastBusy, candidate) =>
      candidate.busy < leastBusy.busy ? candidate : leastBusy,
    );
    return thread.ask(task, options);
  }

  get facts(): StorageFacts {
    return new StorageFacts(this.#facts);
  }

  renewConnections(): void {
    for (const thread of this.#threads) thread.renewConnections();
  }

  close(): void {
    this.#isClosed = true;
    this.#leaveThrottle?.();
    clearInterval(this.#watch);
    for (const thread of this.#threads.splice(0)) thread.close();
  }

  start(): void {
    if (this.#isClosed) return;
    const { throttle, address, setup } = this.#options;
    this.#leaveThrottle ??= throttle.openThrottle();
    this.#watch ??= setInterval(() => this.#dropStuck(), setup.readStallMs / 4).unref();
    while (this.#threads.length < this.#threadCount) {
      const thread: UploadThread = new UploadThread(
        address,
        {
          ...setup,
          tokens: throttle.tokens,
          facts: this.#facts,
          poolReads,
          threadReads: createThreadReads(),
        },
        () => {
          const index = this.#threads.indexOf(thread);
          if (index >= 0) this.#threads.splice(index, 1);
        },
      );
      this.#threads.push(thread);
    }
  }

  #dropStuck(): void {
    for (const thread of [...this.#threads]) thread.dropIfStuck(this.#options.setup.readStallMs);
  }
}

interface WaitingTask {
  readonly path: string;
  readonly onSent: RequestOptions['onSent'];
  readonly resolve: (answer: WorkerTasks[keyof WorkerTasks]['answer']) => void;
  readonly reject: (error: unknown) => void;
  readonly signal: AbortSignal | undefined;
  readonly stop: () => void;
}

class UploadThread {
  readonly #thread: LentThread;
  readonly #onGone: () => void;
  readonly #pendingTasks = new Map<number, WaitingTask>();
  #outbox: WorkerOrder[] = [];
  #droppedIds: number[] = [];
  #posting = false;
  readonly #reads: ThreadReads;
  #blocked = { count: 0, since: 0 };
  #isReady = false;
  #isProven: boolean;
  #isGone = false;
  #lastId = 0;

  constructor(address: URL, setup: WorkerSetup, onGone: () => void) {
    this.#onGone = onGone;
    this.#reads = new ThreadReads(setup.poolReads, setup.threadReads);
    this.#thread = pool.take<FromWorker>(address, {
      message: (message) => this.#handleMessage(message),
      error: (error) => this.#handleEnd(error),
      exit: (code) => {
        this.#reads.giveAll();
        this.#handleEnd(new Error(`the upload worker ended with code ${code}`));
      },
    });
    this.#isProven = this.#thread.isProven;
    this.#post({ kind: 'serve', setup });
  }

  get busy(): number {
    return this.#pendingTasks.size;
  }

  ask<Kind extends keyof WorkerTasks>(
    task: WorkerTask<Kind>,
    { signal, onSent }: RequestOptions,
  ): Promise<WorkerTasks[Kind]['answer']> {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<WorkerTasks[Kind]['answer']>();
    // A hanging drive may block the thread.
    const stop = () => {
      this.#dropTask(id);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
    const { path } = task.input;
    this.#pendingTasks.set(id, {
      path,
      onSent,
      resolve: resolve as WaitingTask['resolve'],
      reject,
      signal,
      stop,
    });
    this.#outbox.push({ ...task, id } as WorkerOrder);
    this.#postSoon();
    return promise;
  }

  #dropTask(id: number): void {
    if (!this.#pendingTasks.has(id)) return;
    this.#droppedIds.push(id);
    this.#postSoon();
  }

  renewConnections(): void {
    this.#post({ kind: 'renew' });
  }

  close(): void {
    const isFree = this.#isReady && !this.#isGone && this.busy === 0 && !this.#reads.isReading;
    if (isFree) {
      this.#post({ kind: 'rest' });
      this.#thread.giveBack();
    } else this.#thread.end();
  }

  /** Only the file on the stuck drive fails; other threads take over the rest. */
  dropIfStuck(stallMs: number): void {
    const { order, count } = this.#reads.blockedBy;
    const nowMs = performance.now();
    if (order === 0 || count !== this.#blocked.count) this.#blocked = { count, since: nowMs };
    else if (nowMs - this.#blocked.since > stallMs) {
      this.#settleTask(order, { kind: 'source', code: 'source-stalled', cause: 'The drive did not answer.' });
      this.#handleEnd(new Error('the upload worker waits for a drive'));
      this.close();
    }
  }

  /** Orders go before their cancellation. */
  #postSoon(): void {
    if (this.#posting) return;
    this.#posting = true;
    setImmediate(() => {
      this.#posting = false;
      if (this.#outbox.length > 0) this.#post({ kind: 'work', orders: this.#outbox });
      if (this.#droppedIds.length > 0) this.#post({ kind: 'drop', ids: this.#droppedIds });
      this.#outbox = [];
      this.#droppedIds = [];
    });
  }

  #post(message: ToWorker): void {
    this.#thread.post(message);
  }

  #handleMessage(message: FromWorker): void {
    if (message.kind === 'ready') {
      this.#isReady = true;
      this.#isProven = true;
    }
    if (message.kind === 'ready' || !this.#isReady) return;
    for (const [id, bytes] of message.sentBytes) this.#pendingTasks.get(id)?.onSent?.(bytes);
    for (const outcome of message.outcomes) this.#settleTask(outcome.id, outcome);
  }

  #settleTask(id: number, outcome: WorkerOutcome): void {
    const pendingOrder = this.#pendingTasks.get(id);
    this.#pendingTasks.delete(id);
    pendingOrder?.signal?.removeEventListener('abort', pendingOrder.stop);
    if (outcome.kind === 'answer') pendingOrder?.resolve(outcome.answer);
    else pendingOrder?.reject(errorOf(outcome, pendingOrder.path));
  }

  /** A worker that never started would fail again. */
  #handleEnd(cause: Error): void {
    this.#isGone = true;
    this.#onGone();
    const error = this.#isProven
      ? new StorageError({ code: 'WorkerEnded', message: cause.message }, cause)
      : new TileliftError('internal', { cause });
    for (const { reject, signal, stop } of this.#pendingTasks.values()) {
      signal?.removeEventListener('abort', stop);
      reject(error);
    }
    this.#pendingTasks.clear();
  }
}

function errorOf(outcome: Exclude<WorkerOutcome, { kind: 'answer' }>, subject: string): Error {
  switch (outcome.kind) {
    case 'replaced':
      return new SourceReplaced(outcome.identity);
    case 'fault':
      return new StorageError(outcome.fault);
    case 'source':
      return new TileliftError(outcome.code, { subject, cause: outcome.cause });
    case 'dropped':
      return new Error('an order was dropped');
  }
}
