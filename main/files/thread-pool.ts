import { Worker, type WorkerOptions } from 'node:worker_threads';
import { abandon } from '../abandoned-work.ts';

export interface ThreadPoolOptions {
  readonly worker: WorkerOptions;
  /** Time before an idle thread ends, ms. Default: ten seconds. */
  readonly idleMs?: number;
  /** Limit of idle threads. Default: four. */
  readonly maxIdle?: number;
}

/** Called while the thread is in use and, after `end`, until it is gone. */
interface ThreadListeners<Message> {
  readonly message: (message: Message) => void;
  readonly error: (error: Error) => void;
  readonly exit: (code: number) => void;
}

const defaultIdleMs = 10_000;
const defaultMaxIdle = 4;

/**
 * Keeps worker threads for a while: starting one takes 0.1 s, longer than many scans, and ending threads
 * while others start has crashed processes (nodejs/node#56312). One task per thread; idle threads don't keep
 * the process alive.
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #idleThreads: IdleThread[] = [];

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /** Returns an idle or new thread for this file. The listeners stay until it is returned. */
  take<Message>(file: URL, listeners: ThreadListeners<Message>): LentThread {
    const index = this.#idleThreads.findLastIndex((idleThread) => idleThread.file === file.href);
    const reusedThread = index < 0 ? undefined : this.#idleThreads.splice(index, 1)[0];
    if (reusedThread) clearTimeout(reusedThread.timer);
    const worker = reusedThread?.worker ?? this.#start(file);
    worker.ref();
    for (const [event, listener] of Object.entries(listeners)) worker.on(event, listener);
    const giveBack = () => {
      for (const [event, listener] of Object.entries(listeners)) worker.off(event, listener);
      this.#keepThread(worker, file, true);
    };
    return new LentThread(worker, reusedThread?.isProven ?? false, giveBack);
  }

  /** Starts idle threads for this file up to a count, and extends the life of existing ones. */
  prepare(file: URL, count = 1): void {
    const idleThreads = this.#idleThreads
      .filter((idleThread) => idleThread.file === file.href)
      .slice(0, count);
    for (const { timer } of idleThreads) timer.refresh();
    for (let startedCount = idleThreads.length; startedCount < count; startedCount++)
      this.#keepThread(this.#start(file), file, false);
  }

  get waitingCount(): number {
    return this.#idleThreads.length;
  }

  #start(file: URL): Worker {
    const worker = new Worker(file, this.#options.worker);
    // Discard a thread that fails while idle.
    worker.on('error', () => this.#forget(worker));
    worker.on('exit', () => this.#forget(worker));
    return worker;
  }

  #keepThread(worker: Worker, file: URL, isProven: boolean): void {
    const { idleMs = defaultIdleMs, maxIdle = defaultMaxIdle } = this.#options;
    worker.unref();
    const end = () => {
      this.#forget(worker);
      abandon(worker.terminate());
    };
    const timer = setTimeout(end, idleMs).unref();
    this.#idleThreads.push({ worker, file: file.href, isProven, end, timer });
    if (this.#idleThreads.length > maxIdle) this.#idleThreads[0]?.end();
  }

  #forget(worker: Worker): void {
    const index = this.#idleThreads.findIndex((idleThread) => idleThread.worker === worker);
    if (index >= 0) clearTimeout(this.#idleThreads.splice(index, 1)[0]?.timer);
  }
}

interface IdleThread {
  readonly worker: Worker;
  readonly file: string;
  readonly isProven: boolean;
  readonly timer: NodeJS.Timeout;
  readonly end: () => void;
}

/** A pool thread in use. */
export class LentThread {
  readonly #worker: Worker;
  readonly #giveBack: () => void;
  /** Whether it has completed a task, so its file works. */
  readonly isProven: boolean;

  constructor(worker: Worker, isProven: boolean, giveBack: () => void) {
    this.#worker = worker;
    this.isProven = isProven;
    this.#giveBack = giveBack;
  }

  post(message: unknown): void {
    this.#worker.postMessage(message);
  }

  /** Returns the thread to the pool. It must be running without pending work. */
  giveBack(): void {
    this.#giveBack();
  }

  /** Ends the thread. One that waits for a drive only ends once the drive answers. */
  end(): void {
    abandon(this.#worker.terminate());
  }
}
