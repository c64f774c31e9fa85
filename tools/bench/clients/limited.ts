/** Our engine's processor use under a limit. Second argument: measured time, s. */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { scanSource } from '../../../main/files/walk/scan.ts';
import { systemClock } from '../../../main/ports.ts';
import { createThrottle } from '../../../main/storage/throttle.ts';
import { planFile } from '../../../main/transfer/plan.ts';
import { transfer } from '../../../main/transfer/transfer.ts';
import { createStorageClient } from '../../../main/workers/storage-client.ts';
import { officeRate } from '../manners/process-tree.ts';
import { readTask } from './task.ts';
import { scanWorker, uploadWorker } from './workers.ts';

const settleMs = 3_000;

const task = readTask();
const seconds = Number(process.argv[3]);
const stop = new AbortController();
const { files } = await scanSource([task.path], { signal: stop.signal, worker: scanWorker });
const [firstFile] = files;
if (!firstFile) throw new Error('there is nothing to send');
const storage = createStorageClient(
  { ...task, prefix: `${task.id}/` },
  {
    ca: [await readFile(task.caFile, 'utf8')],
    throttle: createThrottle(() => officeRate, systemClock),
    worker: uploadWorker,
  },
);
const { size, mtimeMs } = firstFile;
const state = { uploadId: null, uploadChecksum: null, parts: [], completeSent: false };
const sending = transfer(
  [{ ...{ id: 1, path: task.path, key: 'file', size, mtimeMs }, plan: planFile(size), ...state }],
  {
    storage,
    record: {
      uploadBegun: () => {},
      completeSent: () => {},
      partConfirmed: async () => {},
      fileConfirmed: async () => {},
      partsDropped: () => {},
      uploadForgotten: () => {},
      identityTaken: () => {},
      noteResent: () => {},
    },
    clock: systemClock,
    random: Math.random,
    signal: stop.signal,
    credentialsEndAt: Number.POSITIVE_INFINITY,
  },
).catch((error: unknown) => {
  if (!stop.signal.aborted) throw error;
});
await pause(settleMs);
const cpuBefore = process.cpuUsage();
await pause(seconds * 1_000);
const { user, system } = process.cpuUsage(cpuBefore);
stop.abort();
await sending;
storage.close();
console.log(JSON.stringify({ corePercent: (user + system) / seconds / 1e4 }));
