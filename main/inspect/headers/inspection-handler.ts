import { HeaderCache } from './header-cache.ts';
import { type FileAccess, type InspectionTask, performTask, realFiles } from './inspection-tasks.ts';
import type { HeaderAnswer } from './read-header.ts';

/** Cached files of a thread that gets a few at a time. */
const maxCachedFiles = 10_000;

/** Creates the object that answers calls in the thread of `createInspectionThread`. */
export function createInspectionHandler(files: FileAccess = realFiles) {
  const cache = new HeaderCache(maxCachedFiles);
  return {
    look: async (task: InspectionTask) => {
      const cached = task.kind === 'head' ? cache.get(task) : null;
      const answer = cached ?? (await performTask(task, files));
      if (task.kind === 'head' && answer && !cached) cache.store(task, answer as HeaderAnswer);
      return answer;
    },
  };
}
