/**
 * Entry of the threads that read what others have written: a scan's reads the folders that it is given, a look thread heads of files and what they name, a
 * checksum thread files as a whole.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { doLookTask } from '../source/heads/look-tasks.ts';
import { type LookReply, type LookRequest, lookWorkerData } from '../source/heads/look-thread.ts';
import { createIgnore } from '../source/left-out/ignore-rules.ts';
import { createPathFits } from '../source/left-out/path-patterns.ts';
import { type FolderRules, type FolderTask, readFolder } from '../source/walk/read-folder.ts';
import type { ScanWorkerSetup } from '../source/walk/scan-workers.ts';
import { type ChecksumTask, checksumOf } from '../transfer/checksums/checksum-task.ts';
import { type ChecksumReply, checksumWorkerData } from '../transfer/checksums/checksum-thread.ts';

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread');
if (workerData === lookWorkerData) look(port);
else if (workerData === checksumWorkerData) hash(port);
else scan(port, workerData as ScanWorkerSetup);

function scan(port: MessagePort, { ignorePatterns, gitignore = [], detailed = false }: ScanWorkerSetup) {
  const rules: FolderRules = {
    ignore: createIgnore(ignorePatterns),
    fits: gitignore.length > 0 ? createPathFits(gitignore) : null,
    detailed,
  };
  port.on('message', (task: FolderTask) => port.postMessage(readFolder(task, rules)));
}

function look(port: MessagePort) {
  port.on('message', async ({ id, task }: LookRequest) => {
    const reply: LookReply = { id, answer: await doLookTask(task) };
    port.postMessage(reply);
  });
}

function hash(port: MessagePort) {
  const tell = (reply: ChecksumReply) => port.postMessage(reply);
  port.on('message', async (task: ChecksumTask) => {
    try {
      const checksum = await checksumOf(task, (bytes) => tell({ kind: 'read', bytes }));
      tell({ kind: 'done', checksum });
    } catch (error) {
      tell({ kind: 'unreadable', reason: String(error) });
    }
  });
}
