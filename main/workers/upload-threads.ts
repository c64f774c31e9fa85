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
  /** The worker's file: its source in plain Node, its bundle in Electron. */
  readonly address: URL;
  readonly setup: Omit<WorkerSetup, 'tokens' | 'facts' | 'poolReads' | 'threadReads'>;
  readonly throttle: Throttle;
  /** Threads. Default: one for each core, four at most. */
  readonly count?: number;
}

const maxThreads = 4;
/**
 * Three times what new objects get, which is 2 MB. With one, clearing up takes 8 % of a thread's time while
 * small files are sent, with two 4 %; more costs more memory than it saves time.
 */
const maxYoungGenerationSizeMb = 6;

/** Of all uploads. */
const poolReads = createPoolReads();
const pool = new ThreadPool({
  // No flags of ours: some of them would be refused.
  worker: { execArgv: [], name: 'upload', resourceLimits: { maxYoungGenerationSizeMb } },
});

const wantedThreads = (): number => Math.min(maxThreads, availableParallelism());

/** Begins the threads of an upload that comes soon, where none wait. `address`: the worker's file. */
export function prepareThreads(address: URL): void {
  pool.prepare(address, wantedThreads());
}

/**
 * An upload's worker threads as the main thread sees them. The first part starts them; crashed ones are
 * replaced.
 */
export class UploadThreads {
  readonly #options: UploadThreadsOptions;
  readonly #wanted: number;
  readonly #threads: UploadThread[] = [];
  readonly #facts = new SharedArrayBuffer(StorageFacts.bytes);
  #leaveThrottle: (() => void) | null = null;
  #watch: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: UploadThreadsOptions) {
    this.#options = options;
    this.#wanted = options.count ?? wantedThreads();
  }

  /**
   * Has the least busy one do it.
   *
   * @throws StorageError where storage gave no answer, or refused a part; what is wrong with the source; the
   *   signal's reason
   */
  async ask<Kind extends keyof WorkerTasks>(
    task: WorkerTask<Kind>,
    options: RequestOptions,
  ): Promise<WorkerTasks[Kind]['answer']> {
    options.signal?.throwIfAborted();
    if (this.#closed) throw new Error('the storage client is closed');
    this.start();
    const thread = this.#threads.reduce((best, one) => (one.busy < best.busy ? one : best));
    return thread.ask(task, options);
  }

  /** What they have found out about storage so far. */
  get facts(): StorageFacts {
    return new StorageFacts(this.#facts);
  }

  renewConnections(): void {
    for (const thread of this.#threads) thread.renewConnections();
  }

  /** Lets the threads go; one that still does something is ended, and with it whatever it sends. */
  close(): void {
    this.#closed = true;
    this.#leaveThrottle?.();
    clearInterval(this.#watch);
    for (const thread of this.#threads.splice(0)) thread.close();
  }

  /** As many threads as are wanted: all before the first request, later those that crashed. */
  start(): void {
    if (this.#closed) return;
    const { throttle, address, setup } = this.#options;
    this.#leaveThrottle ??= throttle.open();
    this.#watch ??= setInterval(() => this.#dropStuck(), setup.readStallMs / 4).unref();
    while (this.#threads.length < this.#wanted) {
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

interface Waiting {
  /** Of the order, for errors about its source. */
  readonly path: string;
  readonly onSent: RequestOptions['onSent'];
  readonly resolve: (answer: WorkerTasks[keyof WorkerTasks]['answer']) => void;
  readonly reject: (error: unknown) => void;
  readonly signal: AbortSignal | undefined;
  /** What hears the signal. */
  readonly stop: () => void;
}

/** One worker thread and the orders that it is busy with. */
class UploadThread {
  readonly #thread: LentThread;
  readonly #onGone: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #outbox: WorkerOrder[] = [];
  #dropping: number[] = [];
  #posting = false;
  readonly #reads: ThreadReads;
  #blocked = { count: 0, since: 0 };
  /** Whether it has answered in this upload. */
  #ready = false;
  /** Whether its file has ever run. */
  #isProven: boolean;
  #isGone = false;
  #lastId = 0;

  constructor(address: URL, setup: WorkerSetup, onGone: () => void) {
    this.#onGone = onGone;
    this.#reads = new ThreadReads(setup.poolReads, setup.threadReads);
    this.#thread = pool.take<FromWorker>(address, {
      message: (message) => this.#hear(message),
      error: (error) => this.#gone(error),
      exit: (code) => {
        this.#reads.giveAll();
        this.#gone(new Error(`the upload worker ended with code ${code}`));
      },
    });
    this.#isProven = this.#thread.isProven;
    this.#post({ kind: 'serve', setup });
  }

  get busy(): number {
    return this.#waiting.size;
  }

  ask<Kind extends keyof WorkerTasks>(
    task: WorkerTask<Kind>,
    { signal, onSent }: RequestOptions,
  ): Promise<WorkerTasks[Kind]['answer']> {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<WorkerTasks[Kind]['answer']>();
    // Whether or not the thread answers: it may wait for a drive that does not.
    const stop = () => {
      this.#drop(id);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
    const { path } = task.what;
    this.#waiting.set(id, { path, onSent, resolve: resolve as Waiting['resolve'], reject, signal, stop });
    this.#outbox.push({ ...task, id } as WorkerOrder);
    this.#postSoon();
    return promise;
  }

  #drop(id: number): void {
    if (!this.#waiting.has(id)) return;
    this.#dropping.push(id);
    this.#postSoon();
  }

  renewConnections(): void {
    this.#post({ kind: 'renew' });
  }

  /** One that has nothing left to do is kept for another upload. */
  close(): void {
    const isFree = this.#ready && !this.#isGone && this.busy === 0 && !this.#reads.isReading;
    if (isFree) {
      this.#post({ kind: 'rest' });
      this.#thread.giveBack();
    } else this.#thread.end();
  }

  /**
   * One that has waited for a drive all that time is given up: the file that it wanted to read is to blame,
   * everything else is sent again by another thread.
   */
  dropIfStuck(stallMs: number): void {
    const { order, count } = this.#reads.blockedBy;
    const now = performance.now();
    if (order === 0 || count !== this.#blocked.count) this.#blocked = { count, since: now };
    else if (now - this.#blocked.since > stallMs) {
      this.#settle(order, { kind: 'source', code: 'source-stalled', cause: 'The drive did not answer.' });
      this.#gone(new Error('the upload worker waits for a drive'));
      this.close();
    }
  }

  /** In the order in which it came: orders before the wish to drop them. */
  #postSoon(): void {
    if (this.#posting) return;
    this.#posting = true;
    setImmediate(() => {
      this.#posting = false;
      if (this.#outbox.length > 0) this.#post({ kind: 'work', orders: this.#outbox });
      if (this.#dropping.length > 0) this.#post({ kind: 'drop', ids: this.#dropping });
      this.#outbox = [];
      this.#dropping = [];
    });
  }

  #post(message: ToWorker): void {
    this.#thread.post(message);
  }

  #hear(message: FromWorker): void {
    if (message.kind === 'ready') {
      this.#ready = true;
      this.#isProven = true;
    }
    if (message.kind === 'ready' || !this.#ready) return;
    for (const [id, bytes] of message.sent) this.#waiting.get(id)?.onSent?.(bytes);
    for (const outcome of message.outcomes) this.#settle(outcome.id, outcome);
  }

  #settle(id: number, outcome: WorkerOutcome): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.signal?.removeEventListener('abort', waiting.stop);
    if (outcome.kind === 'answer') waiting?.resolve(outcome.answer);
    else waiting?.reject(errorOf(outcome, waiting.path));
  }

  /** What it was sending is sent by another thread. One that never ran won't run the next time either. */
  #gone(cause: Error): void {
    this.#isGone = true;
    this.#onGone();
    const error = this.#isProven
      ? new StorageError({ code: 'WorkerEnded', message: cause.message }, cause)
      : new TileliftError('internal', { cause });
    for (const { reject, signal, stop } of this.#waiting.values()) {
      signal?.removeEventListener('abort', stop);
      reject(error);
    }
    this.#waiting.clear();
  }
}

function errorOf(outcome: Exclude<WorkerOutcome, { kind: 'answer' }>, subject: string): Error {
  switch (outcome.kind) {
    case 'replaced':
      return new SourceReplaced(outcome.found);
    case 'fault':
      return new StorageError(outcome.fault);
    case 'source':
      return new TileliftError(outcome.code, { subject, cause: outcome.cause });
    case 'dropped':
      // Whoever dropped it has moved on long since.
      return new Error('an order was dropped');
  }
}
