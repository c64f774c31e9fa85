import type { FromWorker, WorkerOutcome } from './worker-messages.ts';

const movedMs = 100;
/** A message costs as much as sending a small file and wakes the main thread. */
const sharedMs = 4;

/** Batches an upload worker's messages. */
export class WorkerNews {
  readonly #post: (message: FromWorker) => void;
  #outcomes: (WorkerOutcome & { id: number })[] = [];
  #sentBytes = new Map<number, number>();
  #emitTimer: NodeJS.Timeout | undefined;
  #sharing: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  noteMoved(id: number, bytes: number): void {
    this.#sentBytes.set(id, (this.#sentBytes.get(id) ?? 0) + bytes);
    this.#emitTimer ??= setTimeout(() => this.#flush(), movedMs);
  }

  /**
   * Reports in this turn of the event loop; if the outcome may wait, once half of the orders are done, so
   * that the worker never runs dry, or after a few ms.
   *
   * @param inFlightCount unfinished orders
   */
  addOutcome(id: number, outcome: WorkerOutcome, mayWait: boolean, inFlightCount: number): void {
    this.#sentBytes.delete(id);
    this.#outcomes.push({ id, ...outcome });
    if (mayWait && this.#outcomes.length < inFlightCount)
      this.#sharing ??= setTimeout(() => this.#flush(), sharedMs);
    else this.#immediate ??= setImmediate(() => this.#flush());
  }

  close(): void {
    clearTimeout(this.#emitTimer);
    clearTimeout(this.#sharing);
    clearImmediate(this.#immediate);
  }

  #flush(): void {
    this.close();
    this.#emitTimer = undefined;
    this.#sharing = undefined;
    this.#immediate = undefined;
    const message = { kind: 'news', sentBytes: [...this.#sentBytes], outcomes: this.#outcomes } as const;
    this.#sentBytes = new Map();
    this.#outcomes = [];
    if (message.sentBytes.length + message.outcomes.length > 0) this.#post(message);
  }
}
