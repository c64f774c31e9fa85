import { setImmediate } from 'node:timers/promises';

/** Lets everything else have its turn when a loop has held the thread for this long, ms. */
const heldMs = 4;

/** What a loop over many files awaits for each. Throws the signal's reason when it aborts. */
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
