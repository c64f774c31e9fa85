import type { Events, JobView } from '../../preload/contract.ts';
import type { JobService } from '../jobs/model.ts';

/** At most this often (ms) does progress reach the page: ten times a second. */
const feedIntervalMs = 100;

/** Gathers changes of jobs and gives them out together, at most ten times a second. Returns the way to stop. */
export function feedJobs(jobs: JobService, send: (event: Events['jobs.changed']) => void): () => void {
  const changedIds = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const changed: JobView[] = [];
    const removed: string[] = [];
    for (const id of changedIds) {
      const job = jobs.get(id);
      if (job) changed.push(job);
      else removed.push(id);
    }
    changedIds.clear();
    send({ changed, removed });
  };
  const stopListening = jobs.onChange((id) => {
    changedIds.add(id);
    timer ??= setTimeout(flush, feedIntervalMs);
  });
  return () => {
    stopListening();
    clearTimeout(timer);
  };
}
