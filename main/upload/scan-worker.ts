/** Entry of a scan's worker thread: reads the folders that it is given. */
import { parentPort, workerData } from 'node:worker_threads';
import { createIgnore } from './ignore-rules.ts';
import { type FolderTask, readFolder } from './read-folder.ts';
import type { ScanWorkerSetup } from './scan-workers.ts';

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread');
const { ignorePatterns } = workerData as ScanWorkerSetup;
const ignore = createIgnore(ignorePatterns);
port.on('message', (task: FolderTask) => port.postMessage(readFolder(task, ignore)));
