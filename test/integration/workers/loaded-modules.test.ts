import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

/** What Node has loaded of its own in a thread that has just loaded this file. */
async function loadedBy(file: URL): Promise<readonly string[]> {
  const code = `import(${JSON.stringify(file.href)}).then(() =>
    require('node:worker_threads').parentPort.postMessage(process.moduleLoadList))`;
  const worker = new Worker(code, { eval: true, execArgv: [] });
  try {
    const [loaded] = await once(worker, 'message');
    return loaded;
  } finally {
    await worker.terminate();
  }
}

it('an upload thread loads Node’s HTTP client, and no second one beside it', async () => {
  const loaded = await loadedBy(new URL('../../../main/workers/upload-worker.ts', import.meta.url));
  expect(loaded).toContain('NativeModule https');
  expect(loaded.filter((name) => name.includes('undici'))).toEqual([]);
});
