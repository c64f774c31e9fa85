import type { MessagePort } from 'node:worker_threads';
import { LookCache } from './look-cache.ts';
import { doLookTask, type OpenFiles, realFiles } from './look-tasks.ts';
import type { LookReply, LookRequest } from './look-thread.ts';
import type { HeadAnswer } from './read-head.ts';

/** Files that a thread remembers which is asked for a few at a time. */
const maxKept = 10_000;

/** The thread's side of `createLookThread`. */
export function answerLooks(port: MessagePort, files: OpenFiles = realFiles): void {
  const cache = new LookCache(maxKept);
  port.on('message', async ({ id, task }: LookRequest) => {
    const known = task.kind === 'head' ? cache.get(task) : null;
    const answer = known ?? (await doLookTask(task, files));
    if (task.kind === 'head' && answer && !known) cache.keep(task, answer as HeadAnswer);
    port.postMessage({ id, answer } satisfies LookReply);
  });
}
