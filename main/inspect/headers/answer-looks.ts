import { LookCache } from './look-cache.ts';
import { doLookTask, type LookTask, type OpenFiles, realFiles } from './look-tasks.ts';
import type { HeadAnswer } from './read-head.ts';

/** Cached files of a thread that gets a few at a time. */
const maxCachedFiles = 10_000;

/** Creates the object that answers calls in the thread of `createLookThread`. */
export function answersToLooks(files: OpenFiles = realFiles) {
  const cache = new LookCache(maxCachedFiles);
  return {
    look: async (task: LookTask) => {
      const cached = task.kind === 'head' ? cache.get(task) : null;
      const answer = cached ?? (await doLookTask(task, files));
      if (task.kind === 'head' && answer && !cached) cache.store(task, answer as HeadAnswer);
      return answer;
    },
  };
}
