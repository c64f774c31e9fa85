import { gatherChanges } from '../../gather-changes.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';

/** At most four reads a second. */
const readDelayMs = 250;

/**
 * Reports each end, also after a retry, but not of jobs that had already ended. Returns an unsubscribe
 * function.
 */
export function watchJobEnds(
  jobs: Pick<JobService, 'unfinishedJobs' | 'endedTotals' | 'get' | 'onChange'>,
  report: (job: JobSnapshot) => void,
): () => void {
  const reportedUntil = Math.max(...[...jobs.endedTotals().values()].map(({ lastAt }) => lastAt));
  const awaited = new Set(jobs.unfinishedJobs().map(({ id }) => id));
  const reportedEnds = new Map<string, number>();
  const changedIds = gatherChanges<string>(readDelayMs, (ids) => {
    for (const id of ids) {
      const job = jobs.get(id);
      // A removed job may be restored.
      if (!job || job.endedAt === null) {
        if (job) awaited.add(id);
      } else if (reportedEnds.get(id) !== job.endedAt) {
        reportedEnds.set(id, job.endedAt);
        if (awaited.delete(id) || job.endedAt > reportedUntil) report(job);
      }
    }
  });
  const stopListening = jobs.onChange(changedIds.add);
  return () => {
    stopListening();
    changedIds.stop();
  };
}
