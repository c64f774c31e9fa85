import { TileliftError } from '../../errors.ts';
import type { ThreadKind } from '../thread-kind.ts';
import { type LentThread, ThreadPool } from '../thread-pool.ts';
import type { FolderContent, FolderTask } from './read-folder.ts';

/** Script of the worker threads in plain Node. */
export const scanWorkerSource = new URL('../../workers/scan-worker.ts', import.meta.url);

/** First the rules of a scan, then one folder after the other. */
export type ScanOrder =
  | { readonly kind: 'walk'; readonly setup: ScanWorkerSetup }
  | { readonly kind: 'read'; readonly task: FolderTask };

export interface ScanWorkerSetup {
  /** Gitignore lines, matched with keys. */
  readonly gitignore?: readonly string[];
  /** Also return allocated bytes. Default: false. */
  readonly detailed?: boolean;
  /** Only names, and facts for files named in tasks. Default: everything below. */
  readonly shallow?: boolean;
}

interface FolderWalkOptions extends ScanWorkerSetup {
  /** The worker's script: its source in plain Node, its bundle in Electron. */
  readonly worker: URL;
  readonly signal?: AbortSignal | undefined;
  readonly onContent: (content: FolderContent) => void;
}

/** One thread saturates a local disk; the others join long scans to hide a network drive's latency. */
const maxWorkers = 4;
const joinAfterMs = 500;
/** Queues the next folder while the main thread handles the last one. */
const tasksAtHand = 2;
/** Abandons a silent drive after this long, ms. Some folders take two minutes. */
const stallMs = 120_000;

/** A larger young generation isn't faster and keeps garbage per thread. */
const maxYoungGenerationSizeMb = 4;

/** Shared by all scans. Threads get neither our arguments nor our environment. */
const pool = new ThreadPool({
  worker: {
    workerData: 'folders' satisfies ThreadKind,
    execArgv: [],
    name: 'scan',
    resourceLimits: { maxYoungGenerationSizeMb },
  },
});

/**
 * Reads folders and everything below in worker threads, in any order.
 *
 * @throws TileliftError `source-stalled`
 * @throws errors of `onContent`
 * @throws the signal's reason when it aborts
 */
export async function walkFolders(roots: readonly FolderTask[], options: FolderWalkOptions): Promise<void> {
  const { worker, signal, onContent } = options;
  const { gitignore = [], detailed = false, shallow = false } = options;
  const setup: ScanWorkerSetup = { gitignore, detailed, shallow };
  if (roots.length === 0) return;
  signal?.throwIfAborted();
  const queue = [...roots];
  const startedAt = performance.now();
  const threads: LentThread[] = [];
  let isDone = false;
  let stop = () => {};
  let watch: NodeJS.Timeout | undefined;
  let heardAt = performance.now();
  try {
    await new Promise<void>((resolve, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      const idleThreads: LentThread[] = [];
      watch = setInterval(() => {
        if (performance.now() - heardAt > stallMs)
          reject(new TileliftError('source-stalled', { subject: roots[0]?.path ?? '' }));
      }, stallMs / 10).unref();
      const handOut = () => {
        const allowedThreads = Math.min(
          maxWorkers,
          1 + Math.floor((performance.now() - startedAt) / joinAfterMs),
        );
        if (queue.length > idleThreads.length && threads.length < allowedThreads) start();
        for (let task = queue.at(-1); task && idleThreads.length > 0; task = queue.at(-1)) {
          queue.pop();
          order(idleThreads.pop(), { kind: 'read', task });
        }
        if (queue.length === 0 && idleThreads.length === threads.length * tasksAtHand) resolve();
      };
      const start = () => {
        const thread: LentThread = pool.take<FolderContent>(worker, {
          message: (content) => {
            heardAt = performance.now();
            try {
              onContent(content);
            } catch (error) {
              return reject(error);
            }
            if (!shallow) queue.push(...content.tasks);
            idleThreads.push(thread);
            handOut();
          },
          error: reject,
          exit: (code) => reject(new Error(`the scan worker ended with code ${code}`)),
        });
        threads.push(thread);
        for (let task = 0; task < tasksAtHand; task++) idleThreads.push(thread);
        order(thread, { kind: 'walk', setup });
      };
      handOut();
    });
    isDone = true;
  } finally {
    signal?.removeEventListener('abort', stop);
    clearInterval(watch);
    // After an abandoned scan, answers may still arrive.
    for (const thread of threads) isDone ? thread.giveBack() : thread.end();
  }
}

const order = (thread: LentThread | undefined, message: ScanOrder): void => thread?.post(message);
