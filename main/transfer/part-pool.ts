import { type Concurrency, partArrived, partFailed, startConcurrency } from './concurrency.ts';

/** Parts wait in memory while they are sent; very large parts mean fewer at a time. */
const mostBytesInFlight = 64 * 1024 * 1024;
/** Of two parts: while one is sent, the next is read. Beyond that a part travels alone. */
const mostBytesOfTwo = 256 * 1024 * 1024;
/** Parts that storage has and the record not yet: beyond that the record sets the pace. */
const mostUnsettled = 2_000;

/** A part to send: calls `answered` once nothing of it is on the line, and resolves once it is written down. */
export interface PoolTask {
  readonly bytes: number;
  run(answered: () => void): Promise<void>;
}

/** Keeps as many parts in flight as concurrency and memory allow. */
export class PartPool {
  readonly #most: number;
  readonly #onLimit: (limit: number) => void;
  #concurrency: Concurrency = startConcurrency(performance.now());
  #inFlight = 0;
  #bytes = 0;
  #unsettled = 0;
  #wake: () => void = () => {};

  constructor(most: number, onLimit: (limit: number) => void) {
    this.#most = most;
    this.#onLimit = onLimit;
    onLimit(this.#limit);
  }

  arrived(bytes: number, ms: number): void {
    const full = this.#inFlight >= this.#limit;
    this.#become(partArrived(this.#concurrency, { at: performance.now(), bytes, ms, full }));
  }

  failed(): void {
    this.#become(partFailed(this.#concurrency, performance.now()));
  }

  /** Runs tasks until there are none or the signal aborts; `end` is told of the first error. Resolves when nothing runs any more. */
  async drain(
    next: () => PoolTask | null,
    signal: AbortSignal,
    end: (thrown: unknown) => void,
  ): Promise<void> {
    let waiting: PoolTask | null = null;
    for (;;) {
      while (!signal.aborted) {
        waiting ??= next();
        if (!waiting || !this.#hasRoom(waiting)) break;
        this.#start(waiting, end);
        waiting = null;
      }
      if (this.#unsettled === 0) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  get #limit(): number {
    return Math.min(this.#most, this.#concurrency.limit);
  }

  #hasRoom({ bytes }: PoolTask): boolean {
    if (this.#unsettled >= mostUnsettled) return false;
    if (this.#inFlight === 0) return true;
    const mostBytes = this.#inFlight === 1 ? mostBytesOfTwo : mostBytesInFlight;
    return this.#inFlight < this.#limit && this.#bytes + bytes <= mostBytes;
  }

  #start(task: PoolTask, end: (thrown: unknown) => void): void {
    this.#inFlight += 1;
    this.#bytes += task.bytes;
    this.#unsettled += 1;
    let open = true;
    const answered = () => {
      if (!open) return;
      open = false;
      this.#inFlight -= 1;
      this.#bytes -= task.bytes;
      this.#wake();
    };
    void task
      .run(answered)
      .catch(end)
      .finally(() => {
        answered();
        this.#unsettled -= 1;
        this.#wake();
      });
  }

  #become(concurrency: Concurrency): void {
    const before = this.#limit;
    this.#concurrency = concurrency;
    if (this.#limit !== before) this.#onLimit(this.#limit);
  }
}
