import { availableParallelism } from 'node:os';
import { TileliftError } from '../errors.ts';
import { createPoolReads, createThreadReads, ThreadReads } from '../source/pool-reads.ts';
import { SourceReplaced } from '../source/source-part.ts';
import { type LentThread, ThreadPool } from '../source/thread-pool.ts';
import type { PartOrder, PartReceipt, RequestOptions } from '../storage/storage.ts';
import type { CallAnswer, StorageCall } from '../storage/storage-call.ts';
import { StorageError } from '../storage/storage-error.ts';
import { StorageFacts } from '../storage/storage-facts.ts';
import type { Throttle } from '../storage/throttle.ts';
import type { FromWorker, ToWorker, WorkerOrder, WorkerOutcome, WorkerSetup } from './worker-messages.ts';

export interface UploadWorkersOptions {
  /** The worker's file: its source in plain Node, its bundle in Electron. */
  readonly address: URL;
  readonly setup: Omit<WorkerSetup, 'tokens' | 'facts' | 'poolReads' | 'threadReads'>;
  readonly throttle: Throttle;
  /** Threads. Default: one for each core, four at most. */
  readonly count?: number;
}

const mostWorkers = 4;
/** A worker makes little garbage: more than this only costs memory, 15 MB for each. */
const maxYoungGenerationSizeMb = 4;

/** Of all uploads. */
const poolReads = createPoolReads();
const pool = new ThreadPool({
  // No flags of ours: some of them would be refused.
  worker: { execArgv: [], name: 'upload', resourceLimits: { maxYoungGenerationSizeMb } },
});

interface Waiting {
  readonly order: WorkerOrder;
  readonly onSent: ((bytes: number) => void) | undefined;
  readonly settle: (outcome: WorkerOutcome) => void;
  readonly fail: (error: unknown) => void;
}

/** The upload's worker threads as the main thread sees them. They start with the first part; one that crashes is replaced. */
export class UploadWorkers {
  readonly #options: UploadWorkersOptions;
  readonly #wanted: number;
  readonly #threads: Thread[] = [];
  readonly #facts = new SharedArrayBuffer(StorageFacts.bytes);
  #leaveThrottle: (() => void) | null = null;
  #watch: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: UploadWorkersOptions) {
    this.#options = options;
    this.#wanted = options.count ?? Math.min(mostWorkers, availableParallelism());
  }

  /** As `Storage.sendPart`, over that proxy (see `LineRequest`). */
  async send(part: PartOrder, proxy: string | null, options: RequestOptions): Promise<PartReceipt> {
    const outcome = await this.#work({ kind: 'part', part, proxy }, options);
    if (outcome.kind === 'sent') return outcome.receipt;
    throw errorOf(outcome, part.path, options.signal);
  }

  /** As `Storage.hashPart`. */
  async hash(part: PartOrder, options: RequestOptions): Promise<string> {
    const outcome = await this.#work({ kind: 'hash', part, proxy: null }, options);
    if (outcome.kind === 'hashed') return outcome.md5;
    throw errorOf(outcome, part.path, options.signal);
  }

  /** Makes a request; its answer may be a refusal. Throws `StorageError` where there is none, or the signal's reason. */
  async call(call: StorageCall, proxy: string | null, options: RequestOptions): Promise<CallAnswer> {
    const outcome = await this.#work({ kind: 'call', call, proxy }, options);
    if (outcome.kind === 'answer') return outcome.answer;
    throw errorOf(outcome, call.path, options.signal);
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

  #work(order: WorkerOrder, { signal, onSent }: RequestOptions): Promise<WorkerOutcome> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#closed) return reject(new Error('the storage client is closed'));
      const thread = this.#leastBusy();
      // Whether or not the thread answers: it may wait for a drive that does not.
      const stop = () => {
        thread.drop(id);
        fail(signal?.reason);
      };
      const end = () => signal?.removeEventListener('abort', stop);
      const settle = (outcome: WorkerOutcome) => {
        end();
        resolve(outcome);
      };
      const fail = (error: unknown) => {
        end();
        reject(error);
      };
      const id = thread.work({ order, onSent, settle, fail });
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  #dropStuck(): void {
    for (const thread of [...this.#threads]) thread.dropIfStuck(this.#options.setup.readStallMs);
  }

  #leastBusy(): Thread {
    this.start();
    return this.#threads.reduce((best, thread) => (thread.busy < best.busy ? thread : best));
  }

  /** As many threads as are wanted: all before the first request, later those that crashed. */
  start(): void {
    if (this.#closed) return;
    const { throttle, address, setup } = this.#options;
    this.#leaveThrottle ??= throttle.open();
    this.#watch ??= setInterval(() => this.#dropStuck(), setup.readStallMs / 4).unref();
    while (this.#threads.length < this.#wanted) {
      const thread: Thread = new Thread(
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
}

/** One worker thread and the parts it is busy with. */
class Thread {
  readonly #thread: LentThread;
  readonly #onGone: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #outbox: { id: number; order: WorkerOrder }[] = [];
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

  work(waiting: Waiting): number {
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
   * One that has waited for a drive all that time is given up: the file that it wanted to read is to blame, everything else is sent again by another
   * thread.
   */
  dropIfStuck(stallMs: number): void {
    const { order, count } = this.#reads.blockedBy;
    const now = performance.now();
    if (order === 0 || count !== this.#blocked.count) this.#blocked = { count, since: now };
    else if (now - this.#blocked.since > stallMs) {
      const outcome = { kind: 'source', code: 'source-stalled', cause: 'The drive did not answer.' } as const;
      const guilty = this.#waiting.get(order);
      this.#waiting.delete(order);
      guilty?.settle(outcome);
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
    for (const { id, outcome } of message.outcomes) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      waiting?.settle(outcome);
    }
  }

  /** What it was sending is sent again by another thread. One that never ran won't run the next time either. */
  #gone(cause: Error): void {
    this.#isGone = true;
    this.#onGone();
    const error = this.#isProven
      ? new StorageError({ code: 'WorkerEnded', message: cause.message }, cause)
      : new TileliftError('internal', { cause });
    for (const { fail } of this.#waiting.values()) fail(error);
    this.#waiting.clear();
  }
}

function errorOf(outcome: WorkerOutcome, subject: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (outcome.kind === 'replaced') return new SourceReplaced(outcome.found);
  if (outcome.kind === 'fault') return new StorageError(outcome.fault);
  if (outcome.kind === 'source') return new TileliftError(outcome.code, { subject, cause: outcome.cause });
  return new Error(`an upload worker answered ${outcome.kind}`);
}
