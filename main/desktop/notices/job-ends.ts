import { gatherChanges } from '../../gather-changes.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';

/** A job looked at after this time (ms), so that a busy one costs no more than four looks a second. */
const lookAfterMs = 250;

/**
 * Tells of each job as it ends, also of one that ends a second time after it was tried again. Those that had
 * ended before are not told. Returns an unsubscribe function.
 */
export function watchJobEnds(
  jobs: Pick<JobService, 'unfinished' | 'endedTotals' | 'get' | 'onChange'>,
  tell: (job: JobSnapshot) => void,
): () => void {
  /** When the last of those ended that are not told. */
  const before = Math.max(...[...jobs.endedTotals().values()].map(({ lastAt }) => lastAt));
  const awaited = new Set(jobs.unfinished().map(({ id }) => id));
  const toldOf = new Map<string, number>();
  const changed = gatherChanges<string>(lookAfterMs, (ids) => {
    for (const id of ids) {
      const job = jobs.get(id);
      // One that was removed may be brought back.
      if (!job || job.endedAt === null) {
        if (job) awaited.add(id);
      } else if (toldOf.get(id) !== job.endedAt) {
        toldOf.set(id, job.endedAt);
        if (awaited.delete(id) || job.endedAt > before) tell(job);
      }
    }
  });
  const stopListening = jobs.onChange(changed.add);
  return () => {
    stopListening();
    changed.stop();
  };
}
