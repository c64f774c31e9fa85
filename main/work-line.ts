import { setImmediate } from 'node:timers/promises';

/** Time slice before a yield to the event loop, ms. */
const heldMs = 4;

/** Awaited for each file of a long loop. Throws the signal's reason. */
export type Pause = () => Promise<void>;

export function createPause(signal?: AbortSignal): Pause {
  let sliceStart = performance.now();
  return async () => {
    if (performance.now() - sliceStart < heldMs) return;
    await setImmediate();
    signal?.throwIfAborted();
    sliceStart = performance.now();
  };
}

/** Runs work one at a time for each key. A failure doesn't stop the next work. */
export class WorkLine {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(work: () => T | Promise<T>, key = ''): Promise<T> {
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(work);
    this.#tails.set(
      key,
      result.catch(() => {}),
    );
    return result;
  }

  /** Resolves when all present work has ended. */
  settled(): Promise<unknown> {
    return Promise.all(this.#tails.values());
  }
}
