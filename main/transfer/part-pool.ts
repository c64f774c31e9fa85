import { type Concurrency, partArrived, partFailed, startConcurrency } from './concurrency.ts';
import type { LineQueue } from './line-queue.ts';
import type { PartRange } from './plan.ts';

/** Parts wait in memory while they are sent; very large parts mean fewer at a time. */
const maxBytesInFlight = 64 * 1024 * 1024;
/** Of two parts: while one is sent, the next is read. Beyond that a part travels alone. */
const maxBytesOfTwo = 256 * 1024 * 1024;
/** Parts that storage has and the record not yet: beyond that the record sets the pace. */
const maxUnsettled = 2_000;

/** While the line holds parts back, it is asked this often. */
const lookAgainMs = 250;

/** Keeps as many parts in flight as concurrency, memory and the line allow. */
export class PartPool {
  readonly #max: number;
  readonly #queue: LineQueue;
  readonly #onLimit: (limit: number) => void;
  #concurrency: Concurrency = startConcurrency(performance.now());
  #inFlight = 0;
  #bytes = 0;
  #unsettled = 0;
  #wake: () => void = () => {};

  constructor(max: number, queue: LineQueue, onLimit: (limit: number) => void) {
    this.#max = max;
    this.#queue = queue;
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

  /**
   * Sends parts until there are none or the signal aborts. Resolves when nothing is under way any more.
   *
   * @param send calls `answered` once nothing of the part is on the wire, and resolves once it is written
   *   down
   * @param end told of the first error
   */
  async drain<Part extends PartRange>(
    next: () => Part | null,
    send: (part: Part, answered: () => void) => Promise<void>,
    signal: AbortSignal,
    end: (thrown: unknown) => void,
  ): Promise<void> {
    let waiting: Part | null = null;
    for (;;) {
      while (!signal.aborted) {
        waiting ??= next();
        if (!waiting || !this.#hasRoom(waiting)) break;
        const part = waiting;
        this.#start(part.length, (answered) => send(part, answered), end);
        waiting = null;
      }
      if (this.#unsettled === 0) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (waiting && !signal.aborted) timer = setTimeout(resolve, lookAgainMs);
      });
      clearTimeout(timer);
    }
  }

  get #limit(): number {
    return Math.min(this.#max, this.#concurrency.limit);
  }

  #hasRoom({ length }: PartRange): boolean {
    if (this.#unsettled >= maxUnsettled) return false;
    if (this.#inFlight === 0) return true;
    const maxBytes = this.#inFlight === 1 ? maxBytesOfTwo : maxBytesInFlight;
    if (this.#inFlight >= this.#limit || this.#bytes + length > maxBytes) return false;
    return this.#queue.takes(length, { parts: this.#inFlight, bytes: this.#bytes });
  }

  #start(bytes: number, send: (answered: () => void) => Promise<void>, end: (thrown: unknown) => void): void {
    this.#queue.began(bytes);
    this.#inFlight += 1;
    this.#bytes += bytes;
    this.#unsettled += 1;
    let open = true;
    const answered = () => {
      if (!open) return;
      open = false;
      this.#inFlight -= 1;
      this.#bytes -= bytes;
      this.#wake();
    };
    void send(answered)
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
