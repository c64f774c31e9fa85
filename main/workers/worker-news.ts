import type { FromWorker, WorkerOutcome } from './worker-messages.ts';

/** Movement is told now and then, ms. */
const movedMs = 100;
/**
 * Outcomes of small files wait so long for others, ms: to tell one takes as long as to send it, and wakes the
 * main thread.
 */
const sharedMs = 4;

/** What an upload worker has to tell, gathered: see `worker-messages.ts`. */
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

  /** So many bytes more of an order left. */
  moved(id: number, bytes: number): void {
    this.#sent.set(id, (this.#sent.get(id) ?? 0) + bytes);
    this.#moving ??= setTimeout(() => this.#tell(), movedMs);
  }

  /**
   * An order is over. Told in this turn of the event loop, but where it may wait: then once half of what the
   * worker has is over, so that it never runs out of orders, or after a few ms.
   *
   * @param underWay orders that are not over yet
   */
  ended(id: number, outcome: WorkerOutcome, mayWait: boolean, underWay: number): void {
    this.#sent.delete(id);
    this.#outcomes.push({ id, ...outcome });
    if (mayWait && this.#outcomes.length < underWay)
      this.#sharing ??= setTimeout(() => this.#tell(), sharedMs);
    else this.#immediate ??= setImmediate(() => this.#tell());
  }

  /** Nothing is told any more. */
  close(): void {
    clearTimeout(this.#moving);
    clearTimeout(this.#sharing);
    clearImmediate(this.#immediate);
  }

  #tell(): void {
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
