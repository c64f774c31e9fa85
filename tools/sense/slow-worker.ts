/**
 * Entry of threads with a slow drive: opening and reading a file waits. Otherwise like
 * main/workers/scan-worker.ts.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { answerCalls } from '../../main/files/answer-calls.ts';
import type { ThreadKind } from '../../main/files/thread-kind.ts';
import {
  createInspectionHandler,
  type FileAccess,
  realFiles,
} from '../../main/inspect/headers/inspection-tasks.ts';
import { createSession } from '../../main/inspect/session/session.ts';

const waitMs = 5;
const neverNotified = new Int32Array(new SharedArrayBuffer(4));
const wait = () => Atomics.wait(neverNotified, 0, 0, waitMs);

const slowFiles: FileAccess = {
  open: (path) => {
    wait();
    return realFiles.open(path);
  },
  read: (file, target, position) => {
    wait();
    return realFiles.read(file, target, position);
  },
  close: realFiles.close,
  stat: realFiles.stat,
  names: realFiles.names,
};

if (!parentPort) throw new Error('this file runs in a worker thread');
const kind: ThreadKind = workerData;
if (kind === 'looks') answerCalls(parentPort, createInspectionHandler(slowFiles));
else if (kind === 'sources') answerCalls(parentPort, createSession(new URL(import.meta.url)));
else await import('../../main/workers/scan-worker.ts');
