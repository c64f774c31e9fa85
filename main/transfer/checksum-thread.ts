import { Worker } from 'node:worker_threads';
import { TileliftError } from '../errors.ts';
import { giveUp } from '../hanging-work.ts';
import type { ThreadKind } from '../source/thread-kind.ts';
import { scanWorkerSource } from '../source/walk/scan-workers.ts';
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

/**
 * A thread beside the loop that hashes files, one at a time. Starts with the first, keeps no process alive.
 */
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

/** @param file the worker's file: its source in plain Node, its bundle in Electron */
export function createChecksumThread(
  file: URL = scanWorkerSource,
  stallMs: number = defaultStallMs,
): ChecksumThread {
  let thread: Worker | null = null;
  const end = () => {
    // It may hang in the system: nobody waits for that.
    if (thread) giveUp(thread.terminate());
    thread = null;
  };
  const start = () => {
    const workerData: ThreadKind = 'checksums';
    const started = new Worker(file, { workerData, execArgv: [], name: 'checksums' });
    // One that ends between two files is begun again with the next.
    const forget = () => {
      if (thread === started) thread = null;
    };
    started.on('error', forget);
    started.on('exit', forget);
    started.unref();
    return started;
  };
  return {
    ask: async (task, { signal, onBytes }) => {
      signal.throwIfAborted();
      thread ??= start();
      const asked = thread;
      const { promise, resolve, reject } = Promise.withResolvers<Checksum>();
      const fail = (cause: unknown) =>
        reject(new TileliftError('source-unreadable', { subject: task.path, cause }));
      const abandon = (reason: unknown) => {
        if (thread === asked) end();
        reject(reason);
      };
      const stop = () => abandon(signal.reason);
      const stalled = () => abandon(new TileliftError('source-stalled', { subject: task.path }));
      let timer = setTimeout(stalled, stallMs);
      const meet = (reply: ChecksumReply) => {
        clearTimeout(timer);
        if (reply.kind === 'done') return resolve(reply.checksum);
        if (reply.kind === 'unreadable') return fail(reply.reason);
        timer = setTimeout(stalled, stallMs);
        onBytes?.(reply.bytes);
      };
      asked.on('message', meet);
      asked.on('error', fail);
      asked.on('exit', fail);
      signal.addEventListener('abort', stop, { once: true });
      try {
        asked.postMessage(task);
        return await promise;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        asked.off('message', meet);
        asked.off('error', fail);
        asked.off('exit', fail);
      }
    },
    close: end,
  };
}
