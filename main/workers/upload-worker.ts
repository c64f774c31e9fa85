/** Entry of an upload worker thread: binds a `StorageWorker` to its port. */
import { createSecureContext } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';
import { StorageWorker } from './storage-worker.ts';
import type { ToWorker, WorkerSetup } from './worker-messages.ts';

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread');
const setup = workerData as WorkerSetup;
const worker = new StorageWorker({
  setup,
  secureContext: setup.ca ? createSecureContext({ ca: [...setup.ca] }) : undefined,
  post: (message) => port.postMessage(message),
  now: Date.now,
});
port.on('message', (message: ToWorker) => worker.take(message));
port.postMessage({ kind: 'ready' });
