import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import type { ThreadKind } from '../../../main/files/thread-kind.ts';

interface Loaded {
  /** Modules of Node. */
  readonly builtIn: readonly string[];
  /** Paths of our modules and of packages. */
  readonly files: readonly string[];
}

/** Modules in a thread that has just loaded this file. */
async function loadedBy(file: URL, kind?: ThreadKind): Promise<Loaded> {
  const code = `
    const files = [];
    const load = (url, context, next) => files.push(url) && next(url, context);
    require('node:module').registerHooks({ load });
    import(${JSON.stringify(file.href)}).then(() =>
      require('node:worker_threads').parentPort.postMessage({ builtIn: process.moduleLoadList, files }))`;
  const worker = new Worker(code, { eval: true, execArgv: [], workerData: kind });
  try {
    const [loadedModules] = await once(worker, 'message');
    return loadedModules;
  } finally {
    await worker.terminate();
  }
}

it('loads only Node’s HTTP client in an upload thread', async () => {
  const { builtIn } = await loadedBy(new URL('../../../main/workers/upload-worker.ts', import.meta.url));
  expect(builtIn).toContain('NativeModule https');
  expect(builtIn.filter((name) => name.includes('undici'))).toEqual([]);
});

it('loads no texts or parsers in a thread that lists folders', async () => {
  const file = new URL('../../../main/workers/scan-worker.ts', import.meta.url);
  const { files } = await loadedBy(file, 'folders');
  expect(files).toContainEqual(expect.stringContaining('/read-folder.ts'));
  expect(files.filter((url) => /\/(?:strings|shared|heads|place)\/|intl-messageformat/.test(url))).toEqual(
    [],
  );
});
