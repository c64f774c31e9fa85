import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Worker } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
/** Clears up this thread. */
export const clearUpHere: () => void = runInNewContext('gc');

/** What a thread holds, numbers in columns included; with what is to be cleared up, bytes. */
export async function heapOf(worker: Worker): Promise<number> {
  const { used_heap_size: used, external_memory: outside } = await worker.getHeapStatistics();
  return used + outside;
}

/**
 * Clears up another thread: a picture of its heap is taken after that. The picture itself is of this thread:
 * where it is left to V8, freeing it takes 100 ms of whatever this thread does next.
 */
export async function clearUp(worker: Pick<Worker, 'getHeapSnapshot'>): Promise<void> {
  (await worker.getHeapSnapshot()).destroy();
  await setImmediate();
  clearUpHere();
}
