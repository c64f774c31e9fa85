import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { FolderContent, FolderTask } from './read-folder.ts';

export interface ScanWorkerSetup {
  readonly ignorePatterns: readonly string[];
}

export interface FolderWalkOptions extends ScanWorkerSetup {
  /** The worker's file: its source in plain Node, its bundle in Electron. */
  readonly worker: URL;
  readonly signal?: AbortSignal | undefined;
  readonly onContent: (content: FolderContent) => void;
}

/** More would wait for the same disk. */
const mostWorkers = 4;

/**
 * Looks through folders and everything below them in worker threads, in no particular order.
 *
 * @throws the signal's reason when it aborts
 */
export async function walkFolders(roots: readonly FolderTask[], options: FolderWalkOptions): Promise<void> {
  const { worker, signal, ignorePatterns, onContent } = options;
  if (roots.length === 0) return;
  signal?.throwIfAborted();
  const queue = [...roots];
  const threads: Worker[] = [];
  let stop = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      const idle: Worker[] = [];
      const handOut = () => {
        if (queue.length > idle.length && threads.length < Math.min(mostWorkers, availableParallelism()))
          start();
        for (let task = queue.at(-1); task && idle.length > 0; task = queue.at(-1)) {
          queue.pop();
          idle.pop()?.postMessage(task);
        }
        if (queue.length === 0 && idle.length === threads.length) resolve();
      };
      const start = () => {
        // The thread gets no arguments and no environment of ours: it needs none.
        const thread = new Worker(worker, { workerData: { ignorePatterns }, execArgv: [], name: 'scan' });
        threads.push(thread);
        idle.push(thread);
        thread.on('error', reject);
        thread.on('message', (content: FolderContent) => {
          onContent(content);
          queue.push(...content.tasks);
          idle.push(thread);
          handOut();
        });
      };
      handOut();
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    for (const thread of threads) void thread.terminate();
  }
}
