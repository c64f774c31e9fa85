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
