import { TileliftError } from '../errors.ts';
import type { ThreadKind } from '../files/thread-kind.ts';
import { type LentThread, ThreadPool } from '../files/thread-pool.ts';
import { scanWorkerSource } from '../files/walk/scan-workers.ts';
import type { Checksum, ChecksumTask } from './checksum-task.ts';

/** What the thread tells: bytes it has read, and at last the checksum or why there is none. */
export type ChecksumReply =
  | { readonly kind: 'read'; readonly bytes: number }
  | { readonly kind: 'done'; readonly checksum: Checksum }
  | { readonly kind: 'unreadable'; readonly reason: string };

interface ChecksumOptions {
  readonly signal: AbortSignal;
  /** Told of bytes as they are read. */
  readonly onBytes?: (bytes: number) => void;
}

/** Has threads beside the loop hash files, one at a time. Starts with the first. */
export interface ChecksumThread {
  /**
   * To be asked for one file after the other.
   *
   * @throws TileliftError `source-unreadable`, `source-stalled`, naming the file
   * @throws the signal's reason when it aborts, at once
   */
  ask(task: ChecksumTask, options: ChecksumOptions): Promise<Checksum>;
  close(): void;
}

/** A drive that gives no byte for so long is given up, ms: some sleep, and wake slowly. */
const defaultStallMs = 60_000;

const pool = new ThreadPool({
  worker: { workerData: 'checksums' satisfies ThreadKind, execArgv: [], name: 'checksums' },
});

/** @param file the worker's file: its source in plain Node, its bundle in Electron */
export function createChecksumThread(
  file: URL = scanWorkerSource,
  stallMs: number = defaultStallMs,
): ChecksumThread {
  let thread: LentThread | null = null;
  return {
    ask: async (task, { signal, onBytes }) => {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Checksum>();
      const failed = (cause: unknown) =>
        reject(new TileliftError('source-unreadable', { subject: task.path, cause }));
      const stopped = () => reject(signal.reason);
      const stalled = () => reject(new TileliftError('source-stalled', { subject: task.path }));
      let hasAnswered = false;
      const asked = pool.take<ChecksumReply>(file, {
        message: (reply) => {
          timer.refresh();
          if (reply.kind === 'read') return onBytes?.(reply.bytes);
          hasAnswered = true;
          if (reply.kind === 'done') resolve(reply.checksum);
          else failed(reply.reason);
        },
        error: failed,
        exit: failed,
      });
      thread = asked;
      const timer = setTimeout(stalled, stallMs);
      signal.addEventListener('abort', stopped, { once: true });
      try {
        asked.post(task);
        return await promise;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stopped);
        thread = null;
        if (hasAnswered) asked.giveBack();
        else asked.end();
      }
    },
    close: () => thread?.end(),
  };
}
