/** Entry of a scan's worker thread: reads the folders that it is given. */
import { parentPort, workerData } from 'node:worker_threads';
import { createIgnore } from './ignore-rules.ts';
import { createPathFits } from './path-patterns.ts';
import { type FolderRules, type FolderTask, readFolder } from './read-folder.ts';
import type { ScanWorkerSetup } from './scan-workers.ts';

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread');
const { ignorePatterns, gitignore = [], detailed = false } = workerData as ScanWorkerSetup;
const rules: FolderRules = {
  ignore: createIgnore(ignorePatterns),
  fits: gitignore.length > 0 ? createPathFits(gitignore) : null,
  detailed,
};
port.on('message', (task: FolderTask) => port.postMessage(readFolder(task, rules)));
