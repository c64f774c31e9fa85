/** Entry of an upload worker thread: binds a `PartWorker` to its port. */
import { parentPort, workerData } from 'node:worker_threads';
import { PartWorker } from './part-worker.ts';
import { trustFor } from './trusted-authorities.ts';
import type { ToWorker, WorkerSetup } from './worker-messages.ts';

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread');
const setup = workerData as WorkerSetup;
const worker = new PartWorker({
  setup,
  secureContext: trustFor(setup.location.endpoint, setup.ca),
  post: (message) => port.postMessage(message),
  now: Date.now,
});
port.on('message', (message: ToWorker) => worker.take(message));
port.postMessage({ kind: 'ready' });
