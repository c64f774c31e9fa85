/** A Tilelift without a window that quits while something hangs, and reports the time. */
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { App } from 'electron';
import { noCipher } from '../../../main/cli/file-cipher.ts';
import { quitCleanly } from '../../../main/desktop/quit/quit.ts';
import { composeForTest } from '../compose-for-test.ts';

const [folder = '', scenario = '', fifo = ''] = process.argv.slice(2);
const hangingThread = `
  import { openSync } from 'node:fs';
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', () => openSync(${JSON.stringify(fifo)}, 'r'));`;
const tilelift = composeForTest(join(folder, 'tilelift'), {
  cipher: noCipher,
  scanWorker: new URL(`data:text/javascript,${encodeURIComponent(hangingThread)}`),
});
const app = Object.assign(new EventEmitter(), {
  releaseSingleInstanceLock: () => {},
  quit: () => {
    let prevented = false;
    const preventDefault = () => {
      prevented = true;
    };
    app.emit('before-quit', { preventDefault });
    if (!prevented) process.exit(0);
  },
});
quitCleanly({
  app: app as unknown as App,
  stop: async () => {
    // Blocks like a database on an unresponsive drive.
    if (scenario === 'main-thread') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return tilelift.stop();
  },
});
await tilelift.start();
if (scenario === 'thread') tilelift.inspector.decide([folder]).catch(() => {});
setTimeout(() => {
  process.stdout.write('quits\n');
  app.quit();
}, 500);
