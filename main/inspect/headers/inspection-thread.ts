import { type CallThread, createCallThread } from '../../files/call-thread.ts';
import { scanWorkerSource } from '../../files/walk/scan-workers.ts';
import type { createInspectionHandler, InspectionAnswers, InspectionTask } from './inspection-tasks.ts';

/** A file that needs more memory yields nothing; the small young generation frees garbage early. MiB. */
const limits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/**
 * A thread for untrusted files, which must not block or crash the caller. After a crash, the next task
 * restarts it.
 */
export interface InspectionThread {
  /** Null if the thread crashed. */
  ask<Task extends InspectionTask>(task: Task): Promise<InspectionAnswers[Task['kind']] | null>;
  close(): void;
}

/** @param file the worker's script: its source in plain Node, its bundle in Electron */
export function createInspectionThread(file: URL = scanWorkerSource): InspectionThread {
  const thread: CallThread<ReturnType<typeof createInspectionHandler>> = createCallThread(
    'looks',
    limits,
    file,
  );
  return {
    // The answer's type follows from the task's kind.
    ask: <Task extends InspectionTask>(task: Task) =>
      thread.ask('look', task).catch(() => null) as Promise<InspectionAnswers[Task['kind']] | null>,
    close: thread.close,
  };
}
