import type { FromWorker, WorkerOutcome } from './worker-messages.ts';

const movedMs = 100;
/** A message costs as much as sending a small file and wakes the main thread. */
const sharedMs = 4;

/** Batches an upload worker's messages. */
export class WorkerNews {
  readonly #post: (message: FromWorker) => void;
  #outcomes: (WorkerOutcome & { id: number })[] = [];
  #sent = new Map<number, number>();
  #moving: NodeJS.Timeout | undefined;
  #sharing: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  moved(id: number, bytes: number): void {
    this.#sent.set(id, (this.#sent.get(id) ?? 0) + bytes);
    this.#moving ??= setTimeout(() => this.#flush(), movedMs);
  }

  /**
   * Reports in this turn of the event loop; if the outcome may wait, once half of the orders are done, so
   * that the worker never runs dry, or after a few ms.
   *
   * @param underWay unfinished orders
   */
  addOutcome(id: number, outcome: WorkerOutcome, mayWait: boolean, underWay: number): void {
    this.#sent.delete(id);
    this.#outcomes.push({ id, ...outcome });
    if (mayWait && this.#outcomes.length < underWay)
      this.#sharing ??= setTimeout(() => this.#flush(), sharedMs);
    else this.#immediate ??= setImmediate(() => this.#flush());
  }

  close(): void {
    clearTimeout(this.#moving);
    clearTimeout(this.#sharing);
    clearImmediate(this.#immediate);
  }

  #flush(): void {
    this.close();
    this.#moving = undefined;
    this.#sharing = undefined;
    this.#immediate = undefined;
    const news = { kind: 'news', sent: [...this.#sent], outcomes: this.#outcomes } as const;
    this.#sent = new Map();
    this.#outcomes = [];
    if (news.sent.length + news.outcomes.length > 0) this.#post(news);
  }
}
