/**
 * All threads share the four threads of libuv's pool for reading and name lookups, and a dead drive blocks
 * one permanently. So only three may read sources; other readers block their own worker thread, which can be
 * replaced.
 */
const maxReads = 3;

/** Creates the shared counter of available reads, one per process. */
export function createPoolReads(): SharedArrayBuffer {
  const sharedBuffer = new SharedArrayBuffer(4);
  new Int32Array(sharedBuffer)[0] = maxReads;
  return sharedBuffer;
}

/** Indexes in shared memory, which others can read even while a drive blocks the thread. */
const orderCell = 0;
const countCell = 1;
const heldCell = 2;

export const createThreadReads = (): SharedArrayBuffer => new SharedArrayBuffer(12);

/** Reads of one thread. */
export class ThreadReads {
  readonly #pool: Int32Array;
  readonly #threadCells: Int32Array;

  constructor(pool: SharedArrayBuffer, threadCells: SharedArrayBuffer) {
    this.#pool = new Int32Array(pool);
    this.#threadCells = new Int32Array(threadCells);
  }

  /** Reserves a pool thread until `give`; false if none is available. */
  take(): boolean {
    if (Atomics.sub(this.#pool, 0, 1) > 0) {
      Atomics.add(this.#threadCells, heldCell, 1);
      return true;
    }
    Atomics.add(this.#pool, 0, 1);
    return false;
  }

  give(): void {
    Atomics.sub(this.#threadCells, heldCell, 1);
    Atomics.add(this.#pool, 0, 1);
  }

  /** Runs work that may block this thread, for the given order. */
  blocking<T>(order: number, work: () => T): T {
    Atomics.add(this.#threadCells, countCell, 1);
    Atomics.store(this.#threadCells, orderCell, order);
    try {
      return work();
    } finally {
      Atomics.store(this.#threadCells, orderCell, 0);
    }
  }

  /** The order that blocks the thread, 0 for none, and a counter of blocking calls. */
  get blockedBy(): { readonly order: number; readonly count: number } {
    return {
      order: Atomics.load(this.#threadCells, orderCell),
      count: Atomics.load(this.#threadCells, countCell),
    };
  }

  /** For other threads: whether a read of this thread occupies the pool. */
  get isReading(): boolean {
    return Atomics.load(this.#threadCells, heldCell) > 0;
  }

  /** For other threads: releases everything after this thread has ended. */
  giveAll(): void {
    Atomics.add(this.#pool, 0, Atomics.exchange(this.#threadCells, heldCell, 0));
  }
}
