/** A Tilelift without a window that quits while something hangs, and reports the time. */
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { App } from 'electron';
import { composeTilelift } from '../../../main/app.ts';
import { noCipher } from '../../../main/cli/access/file-cipher.ts';
import { quitCleanly } from '../../../main/desktop/quit/quit.ts';
import { silentLog } from '../../../main/log.ts';
import { systemClock } from '../../../main/ports.ts';
import { settingsInMemory } from '../../unit/account/stand-ins.ts';

const [folder = '', what = '', fifo = ''] = process.argv.slice(2);
const hangingThread = `
  import { openSync } from 'node:fs';
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', () => openSync(${JSON.stringify(fifo)}, 'r'));`;
const tilelift = composeTilelift({
  folder: join(folder, 'tilelift'),
  clock: systemClock,
  fetch,
  openBrowser: async () => {},
  cipher: noCipher,
  settings: settingsInMemory({}),
  log: silentLog,
  uploadWorker: new URL('../../../main/workers/upload-worker.ts', import.meta.url),
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
    if (what === 'main-thread') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return tilelift.stop();
  },
});
await tilelift.start();
if (what === 'thread') tilelift.inspector.decide([folder]).catch(() => {});
setTimeout(() => {
  process.stdout.write('quits\n');
  app.quit();
}, 500);
