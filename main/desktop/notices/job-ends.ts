import type { JobService, JobSnapshot } from '../../jobs/model.ts';

/** A job looked at after this time (ms), so that a busy one costs no more than four looks a second. */
const lookAfterMs = 250;

/**
 * Tells of each job as it ends, also of one that ends a second time after it was tried again. Those that had ended before are not told. Returns an unsubscribe function.
 */
export function watchJobEnds(
  jobs: Pick<JobService, 'list' | 'get' | 'onChange'>,
  tell: (job: JobSnapshot) => void,
): () => void {
  const toldOf = new Map<string, number>();
  for (const { id, endedAt } of jobs.list()) if (endedAt !== null) toldOf.set(id, endedAt);
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    timer = undefined;
    const ids = [...changed];
    changed.clear();
    for (const id of ids) {
      const job = jobs.get(id);
      if (!job) toldOf.delete(id);
      else if (job.endedAt !== null && toldOf.get(id) !== job.endedAt) {
        toldOf.set(id, job.endedAt);
        tell(job);
      }
    }
  };
  const stopListening = jobs.onChange((id) => {
    changed.add(id);
    timer ??= setTimeout(look, lookAfterMs);
  });
  return () => {
    stopListening();
    clearTimeout(timer);
  };
}
