import { setImmediate } from 'node:timers/promises';

/** The time slice of a loop before it yields to the event loop, ms. */
const heldMs = 4;

/** Awaited by a loop over many files for each of them. Throws the signal's reason when it aborts. */
export type Pause = () => Promise<void>;

export function createPause(signal?: AbortSignal): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < heldMs) return;
    await setImmediate();
    signal?.throwIfAborted();
    since = performance.now();
  };
}
