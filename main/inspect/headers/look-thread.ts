import { Worker } from 'node:worker_threads';
import type { ThreadKind } from '../../files/thread-kind.ts';
import { scanWorkerSource } from '../../files/walk/scan-workers.ts';
import type { LookAnswers, LookTask } from './look-tasks.ts';

/** What the thread is told, */
export interface LookRequest {
  readonly id: number;
  readonly task: LookTask;
}

/** and what it answers. */
export interface LookReply {
  readonly id: number;
  readonly answer: LookAnswers[LookTask['kind']];
}

/** A file that takes more room than this to understand names nothing. MiB. */
const maxMemory = 512;
/** What a head is understood by is thrown away soon: more would only lie about. MiB. */
const maxYoungMemory = 16;

/**
 * A thread that reads files of others, so that what is wrong with one can't hold up or end the main thread.
 * It begins with the first task, keeps no process alive and, when a file has ended it, begins again with the
 * next.
 */
export interface LookThread {
  /** Null where the thread has ended before it answered. */
  ask<Task extends LookTask>(task: Task): Promise<LookAnswers[Task['kind']] | null>;
  close(): void;
}

/** @param file the worker's file: its source in plain Node, its bundle in Electron */
export function createLookThread(file: URL = scanWorkerSource): LookThread {
  let thread: Worker | null = null;
  let lastId = 0;
  const waiting = new Map<number, (answer: LookAnswers[LookTask['kind']]) => void>();
  const end = (ended: Worker) => {
    if (thread !== ended) return;
    thread = null;
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  };
  const start = () => {
    const started = new Worker(file, {
      workerData: 'looks' satisfies ThreadKind,
      execArgv: [],
      name: 'looks',
      resourceLimits: { maxOldGenerationSizeMb: maxMemory, maxYoungGenerationSizeMb: maxYoungMemory },
    });
    started.on('message', ({ id, answer }: LookReply) => {
      waiting.get(id)?.(answer);
      waiting.delete(id);
      if (waiting.size === 0) started.unref();
    });
    started.on('error', () => end(started));
    started.on('exit', () => end(started));
    return started;
  };
  return {
    ask: <Task extends LookTask>(task: Task) =>
      new Promise<LookAnswers[Task['kind']] | null>((resolve) => {
        thread ??= start();
        thread.ref();
        const id = ++lastId;
        // The thread answers a task with what belongs to its kind.
        waiting.set(id, resolve as (answer: LookAnswers[LookTask['kind']]) => void);
        thread.postMessage({ id, task } satisfies LookRequest);
      }),
    close: () => {
      const ended = thread;
      if (!ended) return;
      end(ended);
      void ended.terminate();
    },
  };
}
