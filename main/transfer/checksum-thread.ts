import { TileliftError } from '../errors.ts';
import type { ThreadKind } from '../files/thread-kind.ts';
import { type LentThread, ThreadPool } from '../files/thread-pool.ts';
import { scanWorkerSource } from '../files/walk/scan-workers.ts';
import type { Checksum, ChecksumTask } from './checksum-task.ts';

/** Progress, then the checksum or the failure. */
export type ChecksumReply =
  | { readonly kind: 'read'; readonly bytes: number }
  | { readonly kind: 'done'; readonly checksum: Checksum }
  | { readonly kind: 'unreadable'; readonly reason: string };

interface ChecksumOptions {
  readonly signal: AbortSignal;
  readonly onBytes?: (bytes: number) => void;
}

/** Hashes files one at a time on a pooled thread. */
export interface ChecksumThread {
  /**
   * Hashes one file; don't call concurrently.
   *
   * @throws TileliftError `source-unreadable` or `source-stalled`, naming the file
   * @throws the signal's reason as soon as it aborts
   */
  ask(task: ChecksumTask, options: ChecksumOptions): Promise<Checksum>;
  close(): void;
}

/** Maximum silence of a drive, ms; sleeping drives wake slowly. */
const stallMs = 60_000;

const pool = new ThreadPool({
  worker: { workerData: 'checksums' satisfies ThreadKind, execArgv: [], name: 'checksums' },
});

/** @param file the worker's source in plain Node, its bundle in Electron */
export function createChecksumThread(file: URL = scanWorkerSource): ChecksumThread {
  let thread: LentThread | null = null;
  return {
    ask: async (task, { signal, onBytes }) => {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Checksum>();
      const rejectUnreadable = (cause: unknown) =>
        reject(new TileliftError('source-unreadable', { subject: task.path, cause }));
      const rejectAborted = () => reject(signal.reason);
      const rejectStalled = () => reject(new TileliftError('source-stalled', { subject: task.path }));
      let hasAnswered = false;
      const lentThread = pool.take<ChecksumReply>(file, {
        message: (reply) => {
          timer.refresh();
          if (reply.kind === 'read') return onBytes?.(reply.bytes);
          hasAnswered = true;
          if (reply.kind === 'done') resolve(reply.checksum);
          else rejectUnreadable(reply.reason);
        },
        error: rejectUnreadable,
        exit: rejectUnreadable,
      });
      thread = lentThread;
      const timer = setTimeout(rejectStalled, stallMs);
      signal.addEventListener('abort', rejectAborted, { once: true });
      try {
        lentThread.post(task);
        return await promise;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', rejectAborted);
        thread = null;
        if (hasAnswered) lentThread.giveBack();
        else lentThread.end();
      }
    },
    close: () => thread?.end(),
  };
}
