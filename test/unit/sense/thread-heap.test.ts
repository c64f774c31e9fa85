import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { clearUp } from '../../../tools/sense/thread-heap.ts';

it('leaves no picture of the heap to be freed in what is measured next', async () => {
  const worker = new Worker('setInterval(() => {}, 1_000)', { eval: true, execArgv: [] });
  try {
    await once(worker, 'online');
    const pictures: WeakRef<object>[] = [];
    await clearUp({
      getHeapSnapshot: async () => {
        const picture = await worker.getHeapSnapshot();
        pictures.push(new WeakRef(picture));
        return picture;
      },
    });
    await setImmediate();
    expect(pictures.map((picture) => picture.deref() === undefined)).toEqual([true]);
  } finally {
    await worker.terminate();
  }
});
