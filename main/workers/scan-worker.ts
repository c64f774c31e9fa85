/**
 * Entry of the threads that read what others have written: a scan's reads the folders that it is given, look
 * threads heads of files and what they name, a checksum thread files as a whole, a thread for lists those of
 * checksums. The thread of a session reads by these, and owns the lists of files.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createIgnore } from '../files/left-out/ignore-rules.ts';
import { createPathFits } from '../files/left-out/path-patterns.ts';
import type { ThreadKind } from '../files/thread-kind.ts';
import { type FolderRules, readFolder } from '../files/walk/read-folder.ts';
import type { ScanOrder, ScanWorkerSetup } from '../files/walk/scan-workers.ts';
import type { ChecksumTask } from '../transfer/checksum-task.ts';
import type { ChecksumReply } from '../transfer/checksum-thread.ts';

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread');
// Each loads what it needs itself: what understands heads takes many times the room of what lists folders.
const kind: ThreadKind = workerData;
if (kind === 'looks' || kind === 'sources') {
  const { answerCalls } = await import('../files/answer-calls.ts');
  const answers =
    kind === 'looks'
      ? (await import('../inspect/headers/answer-looks.ts')).answersToLooks()
      : (await import('../inspect/session/session.ts')).createSession(new URL(import.meta.url));
  answerCalls(port, answers);
} else if (kind === 'lists') {
  const { answerLists } = await import('../files/checksum-lists/answer-lists.ts');
  answerLists(port);
} else if (kind === 'checksums') await hash(port);
else if (kind === 'folders') scan(port);

function scan(port: MessagePort) {
  let rules = rulesOf({ ignorePatterns: [] });
  port.on('message', (order: ScanOrder) => {
    if (order.kind === 'walk') rules = rulesOf(order.setup);
    else port.postMessage(readFolder(order.task, rules));
  });
}

function rulesOf(setup: ScanWorkerSetup): FolderRules {
  const { ignorePatterns, gitignore = [], detailed = false, shallow = false } = setup;
  return {
    ignore: createIgnore(ignorePatterns),
    fits: gitignore.length > 0 ? createPathFits(gitignore) : null,
    detailed,
    shallow,
  };
}

async function hash(port: MessagePort) {
  const { checksumOf } = await import('../transfer/checksum-task.ts');
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
