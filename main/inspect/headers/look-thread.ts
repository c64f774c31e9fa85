import { type CallThread, createCallThread } from '../../files/call-thread.ts';
import { scanWorkerSource } from '../../files/walk/scan-workers.ts';
import type { answersToLooks } from './answer-looks.ts';
import type { LookAnswers, LookTask } from './look-tasks.ts';

/** A file that takes more room than this to understand names nothing, and what it leaves goes soon. MiB. */
const limits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/**
 * A thread that reads files of others, so that what is wrong with one can't hold up or end who asks. When a
 * file has ended it, it begins again with the next.
 */
export interface LookThread {
  /** Null where the thread has ended before it answered. */
  ask<Task extends LookTask>(task: Task): Promise<LookAnswers[Task['kind']] | null>;
  close(): void;
}

/** @param file the worker's file: its source in plain Node, its bundle in Electron */
export function createLookThread(file: URL = scanWorkerSource): LookThread {
  const thread: CallThread<ReturnType<typeof answersToLooks>> = createCallThread('looks', limits, file);
  return {
    // The thread answers a task with what belongs to its kind.
    ask: <Task extends LookTask>(task: Task) =>
      thread.ask('look', task).catch(() => null) as Promise<LookAnswers[Task['kind']] | null>,
    close: thread.close,
  };
}
