/** Entry of an upload worker thread: binds a `StorageWorker` for each upload to its port. */
import { createSecureContext } from 'node:tls';
import { parentPort } from 'node:worker_threads';
import { StorageWorker } from './storage-worker.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './worker-messages.ts';

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread');
const post = (message: FromWorker) => port.postMessage(message);
let worker: StorageWorker | null = null;
port.on('message', (message: ToWorker) => {
  if (message.kind === 'serve') {
    worker = serve(message.setup);
    post({ kind: 'ready' });
  } else if (message.kind === 'rest') {
    worker?.close();
    worker = null;
  } else worker?.take(message);
});

function serve(setup: WorkerSetup): StorageWorker {
  return new StorageWorker({
    setup,
    secureContext: setup.ca ? createSecureContext({ ca: [...setup.ca] }) : undefined,
    post,
    now: Date.now,
  });
}
