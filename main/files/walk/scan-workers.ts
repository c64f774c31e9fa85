import { TileliftError } from '../../errors.ts';
import type { ThreadKind } from '../thread-kind.ts';
import { type LentThread, ThreadPool } from '../thread-pool.ts';
import type { FolderContent, FolderTask } from './read-folder.ts';

/** The file of a scan's worker threads in plain Node. */
export const scanWorkerSource = new URL('../../workers/scan-worker.ts', import.meta.url);

/** What a thread is told: first what to leave out in this walk, then one folder after the other. */
export type ScanOrder =
  | { readonly kind: 'walk'; readonly setup: ScanWorkerSetup }
  | { readonly kind: 'read'; readonly task: FolderTask };

export interface ScanWorkerSetup {
  readonly ignorePatterns: readonly string[];
  /** Lines in gitignore syntax, matched against keys. */
  readonly gitignore?: readonly string[];
  /** Also give allocated bytes. Default: no. */
  readonly detailed?: boolean;
  /**
   * Only the given folders, and of them only names; files that are named are looked at. Default: everything
   * below.
   */
  readonly shallow?: boolean;
}

interface FolderWalkOptions extends ScanWorkerSetup {
  /** The worker's file: its source in plain Node, its bundle in Electron. */
  readonly worker: URL;
  readonly signal?: AbortSignal | undefined;
  readonly onContent: (content: FolderContent) => void;
  /** monotonic ms. Default: the machine's. */
  readonly now?: () => number;
  /**
   * A drive of which nothing is heard for this long is given up, ms. Default: two minutes, since some take as
   * long for a folder.
   */
  readonly stallMs?: number;
}

/**
 * On a local disk one thread is as fast as several; those that join a long scan hide the latency of a network
 * drive.
 */
const maxWorkers = 4;
const joinAfterMs = 500;
/** A thread has its next folder at hand while the main thread takes in the last one. */
const tasksAtHand = 2;
const defaultStallMs = 120_000;

/** More makes a walk no faster, and each thread would keep much memory for what it has just thrown away. */
const maxYoungGenerationSizeMb = 4;

/** Of all walks. The threads get no arguments and no environment of ours: they need none. */
const pool = new ThreadPool({
  worker: {
    workerData: 'folders' satisfies ThreadKind,
    execArgv: [],
    name: 'scan',
    resourceLimits: { maxYoungGenerationSizeMb },
  },
});

/**
 * Looks through folders and everything below them in worker threads, in no particular order.
 *
 * @throws TileliftError `source-stalled`
 * @throws what `onContent` throws
 * @throws the signal's reason when it aborts
 */
export async function walkFolders(roots: readonly FolderTask[], options: FolderWalkOptions): Promise<void> {
  const { worker, signal, onContent, now = () => performance.now(), stallMs = defaultStallMs } = options;
  const { ignorePatterns, gitignore = [], detailed = false, shallow = false } = options;
  const setup: ScanWorkerSetup = { ignorePatterns, gitignore, detailed, shallow };
  if (roots.length === 0) return;
  signal?.throwIfAborted();
  const queue = [...roots];
  const startedAt = now();
  const threads: LentThread[] = [];
  let isDone = false;
  let stop = () => {};
  let watch: NodeJS.Timeout | undefined;
  let heardAt = now();
  try {
    await new Promise<void>((resolve, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      const idle: LentThread[] = [];
      watch = setInterval(() => {
        if (now() - heardAt > stallMs)
          reject(new TileliftError('source-stalled', { subject: roots[0]?.path ?? '' }));
      }, stallMs / 10).unref();
      const handOut = () => {
        const allowed = Math.min(maxWorkers, 1 + Math.floor((now() - startedAt) / joinAfterMs));
        if (queue.length > idle.length && threads.length < allowed) start();
        for (let task = queue.at(-1); task && idle.length > 0; task = queue.at(-1)) {
          queue.pop();
          order(idle.pop(), { kind: 'read', task });
        }
        if (queue.length === 0 && idle.length === threads.length * tasksAtHand) resolve();
      };
      const start = () => {
        const thread: LentThread = pool.take<FolderContent>(worker, {
          message: (content) => {
            heardAt = now();
            try {
              onContent(content);
            } catch (error) {
              return reject(error);
            }
            if (!shallow) queue.push(...content.tasks);
            idle.push(thread);
            handOut();
          },
          error: reject,
          exit: (code) => reject(new Error(`the scan worker ended with code ${code}`)),
        });
        threads.push(thread);
        for (let task = 0; task < tasksAtHand; task++) idle.push(thread);
        order(thread, { kind: 'walk', setup });
      };
      handOut();
    });
    isDone = true;
  } finally {
    signal?.removeEventListener('abort', stop);
    clearInterval(watch);
    // Of a walk that was given up answers may be still to come.
    for (const thread of threads) isDone ? thread.giveBack() : thread.end();
  }
}

const order = (thread: LentThread | undefined, message: ScanOrder): void => thread?.post(message);
