import { gatherChanges } from '../../gather-changes.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';

/** A job looked at after this time (ms), so that a busy one costs no more than four looks a second. */
const lookAfterMs = 250;

/**
 * Tells of each job as it ends, also of one that ends a second time after it was tried again. Those that had
 * ended before are not told. Returns an unsubscribe function.
 */
export function watchJobEnds(
  jobs: Pick<JobService, 'list' | 'get' | 'onChange'>,
  tell: (job: JobSnapshot) => void,
): () => void {
  const toldOf = new Map<string, number>();
  for (const { id, endedAt } of jobs.list()) if (endedAt !== null) toldOf.set(id, endedAt);
  const changed = gatherChanges<string>(lookAfterMs, (ids) => {
    for (const id of ids) {
      const job = jobs.get(id);
      // One that was removed may be brought back.
      if (job && job.endedAt !== null && toldOf.get(id) !== job.endedAt) {
        toldOf.set(id, job.endedAt);
        tell(job);
      }
    }
  });
  const stopListening = jobs.onChange(changed.add);
  return () => {
    stopListening();
    changed.stop();
  };
}
