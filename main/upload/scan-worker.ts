/** Entry of the threads that read what others have written: a scan's reads the folders that it is given, a look thread heads of files and what they name. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { doLookTask } from './heads/look-tasks.ts';
import { type LookReply, type LookRequest, lookWorkerData } from './heads/look-thread.ts';
import { createIgnore } from './ignore-rules.ts';
import { createPathFits } from './path-patterns.ts';
import { type FolderRules, type FolderTask, readFolder } from './read-folder.ts';
import type { ScanWorkerSetup } from './scan-workers.ts';

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread');
if (workerData === lookWorkerData) look(port);
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
