/** Entry point of the threads that read untrusted files. */
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
// Each loads only its own part: header parsers take far more memory than listing.
const kind: ThreadKind = workerData;
if (kind === 'looks' || kind === 'sources') {
  const { answerCalls } = await import('../files/answer-calls.ts');
  const answers =
    kind === 'looks'
      ? (await import('../inspect/headers/inspection-tasks.ts')).createInspectionHandler()
      : (await import('../inspect/session/session.ts')).createSession(new URL(import.meta.url));
  answerCalls(port, answers);
} else if (kind === 'lists') {
  const { answerLists } = await import('../files/checksum-lists/answer-lists.ts');
  answerLists(port);
} else if (kind === 'checksums') await hash(port);
else if (kind === 'folders') scan(port);

function scan(port: MessagePort) {
  const ignore = createIgnore();
  const rulesOf = ({ gitignore = [], detailed = false, shallow = false }: ScanWorkerSetup): FolderRules => ({
    ignore,
    fits: gitignore.length > 0 ? createPathFits(gitignore) : null,
    detailed,
    shallow,
  });
  let rules = rulesOf({});
  port.on('message', (order: ScanOrder) => {
    if (order.kind === 'walk') rules = rulesOf(order.setup);
    else port.postMessage(readFolder(order.task, rules));
  });
}

async function hash(port: MessagePort) {
  const { checksumOf } = await import('../transfer/checksum-task.ts');
  const send = (reply: ChecksumReply) => port.postMessage(reply);
  port.on('message', async (task: ChecksumTask) => {
    try {
      const checksum = await checksumOf(task, (bytes) => send({ kind: 'read', bytes }));
      send({ kind: 'done', checksum });
    } catch (error) {
      send({ kind: 'unreadable', reason: String(error) });
    }
  });
}
