/**
 * All threads of a process share four system threads for reading (libuv's pool), which look up names, too.
 * One that waits for a dead drive does not come back: three at most may read sources at a time, and whoever
 * gets none reads in its own thread, which can be replaced.
 */
const maxReads = 3;

/** In shared memory: how many reads may still begin. One for the whole process. */
export function createPoolReads(): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(4);
  new Int32Array(shared)[0] = maxReads;
  return shared;
}

/** What a thread reports of its reading, in shared memory: it can't say anything while a drive blocks it. */
const orderCell = 0;
const countCell = 1;
const heldCell = 2;

export const createThreadReads = (): SharedArrayBuffer => new SharedArrayBuffer(12);

/** The reading of one thread. */
export class ThreadReads {
  readonly #pool: Int32Array;
  readonly #own: Int32Array;

  constructor(pool: SharedArrayBuffer, own: SharedArrayBuffer) {
    this.#pool = new Int32Array(pool);
    this.#own = new Int32Array(own);
  }

  /** True: one of the pool's threads may be used until `give`. */
  take(): boolean {
    if (Atomics.sub(this.#pool, 0, 1) > 0) {
      Atomics.add(this.#own, heldCell, 1);
      return true;
    }
    Atomics.add(this.#pool, 0, 1);
    return false;
  }

  give(): void {
    Atomics.sub(this.#own, heldCell, 1);
    Atomics.add(this.#pool, 0, 1);
  }

  /** Does something in which the thread can't be reached, for the order of that number. */
  blocking<T>(order: number, work: () => T): T {
    Atomics.add(this.#own, countCell, 1);
    Atomics.store(this.#own, orderCell, order);
    try {
      return work();
    } finally {
      Atomics.store(this.#own, orderCell, 0);
    }
  }

  /** The order for which the thread can't be reached now, 0 for none, and a number that differs each time. */
  get blockedBy(): { readonly order: number; readonly count: number } {
    return { order: Atomics.load(this.#own, orderCell), count: Atomics.load(this.#own, countCell) };
  }

  /** For others: whether the thread still uses one of the pool's, which may hang. */
  get isReading(): boolean {
    return Atomics.load(this.#own, heldCell) > 0;
  }

  /** For others, once the thread has ended: what it held is free again. */
  giveAll(): void {
    Atomics.add(this.#pool, 0, Atomics.exchange(this.#own, heldCell, 0));
  }
}
