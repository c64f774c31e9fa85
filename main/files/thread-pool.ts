import { Worker, type WorkerOptions } from 'node:worker_threads';
import { giveUp } from '../hanging-work.ts';

export interface ThreadPoolOptions {
  /** What every thread of the pool is started with. */
  readonly worker: WorkerOptions;
  /** A thread that nobody wants for so long is ended, ms. Default: ten seconds. */
  readonly idleMs?: number;
  /** Threads that are kept for the next at most. Default: four. */
  readonly maxIdle?: number;
}

/** Called of a thread while it is lent, and, once it was ended, until it has gone. */
interface ThreadListeners<Message> {
  readonly message: (message: Message) => void;
  readonly error: (error: Error) => void;
  readonly exit: (code: number) => void;
}

const defaultIdleMs = 10_000;
const defaultMaxIdle = 4;

/**
 * Worker threads that are kept for a while when their task is done: a walk or an upload that takes
 * milliseconds is not worth the tenth of a second that a thread takes to begin, and threads that end while
 * others begin have brought whole processes down (nodejs/node#56312). A thread has one task at a time; one
 * that waits for the next keeps no process alive.
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #idle: Idle[] = [];

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /** A thread that runs this file: one that waits, else a new one. It listens until it is given back. */
  take<Message>(file: URL, listeners: ThreadListeners<Message>): LentThread {
    const at = this.#idle.findLastIndex((one) => one.file === file.href);
    const kept = at < 0 ? undefined : this.#idle.splice(at, 1)[0];
    if (kept) clearTimeout(kept.timer);
    const worker = kept?.worker ?? this.#start(file);
    worker.ref();
    for (const [event, listener] of Object.entries(listeners)) worker.on(event, listener);
    const giveBack = () => {
      for (const [event, listener] of Object.entries(listeners)) worker.off(event, listener);
      this.#keep(worker, file, true);
    };
    return new LentThread(worker, kept?.isProven ?? false, giveBack);
  }

  /**
   * Begins threads that wait for a task with this file, until there are so many; those that do wait on.
   */
  prepare(file: URL, count = 1): void {
    const waiting = this.#idle.filter((one) => one.file === file.href).slice(0, count);
    for (const { timer } of waiting) timer.refresh();
    for (let more = waiting.length; more < count; more++) this.#keep(this.#start(file), file, false);
  }

  /** Threads that wait for a task. */
  get waiting(): number {
    return this.#idle.length;
  }

  #start(file: URL): Worker {
    const worker = new Worker(file, this.#options.worker);
    // One that fails between two tasks is nobody's loss, and is not lent again.
    worker.on('error', () => this.#forget(worker));
    worker.on('exit', () => this.#forget(worker));
    return worker;
  }

  #keep(worker: Worker, file: URL, isProven: boolean): void {
    const { idleMs = defaultIdleMs, maxIdle = defaultMaxIdle } = this.#options;
    worker.unref();
    const end = () => {
      this.#forget(worker);
      giveUp(worker.terminate());
    };
    const timer = setTimeout(end, idleMs).unref();
    this.#idle.push({ worker, file: file.href, isProven, end, timer });
    if (this.#idle.length > maxIdle) this.#idle[0]?.end();
  }

  #forget(worker: Worker): void {
    const at = this.#idle.findIndex((one) => one.worker === worker);
    if (at >= 0) clearTimeout(this.#idle.splice(at, 1)[0]?.timer);
  }
}

interface Idle {
  readonly worker: Worker;
  readonly file: string;
  readonly isProven: boolean;
  readonly timer: NodeJS.Timeout;
  readonly end: () => void;
}

/** A thread of the pool while it has a task. */
export class LentThread {
  readonly #worker: Worker;
  readonly #giveBack: () => void;
  /** Whether it has done a task before: its file runs. */
  readonly isProven: boolean;

  constructor(worker: Worker, isProven: boolean, giveBack: () => void) {
    this.#worker = worker;
    this.isProven = isProven;
    this.#giveBack = giveBack;
  }

  post(message: unknown): void {
    this.#worker.postMessage(message);
  }

  /**
   * It has done its task and waits for another: nothing that it was asked for is outstanding, and it runs.
   */
  giveBack(): void {
    this.#giveBack();
  }

  /** Ends it, whatever it does; one that waits for a drive does not end before the drive answers. */
  end(): void {
    giveUp(this.#worker.terminate());
  }
}
