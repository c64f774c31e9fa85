import { isDeepStrictEqual } from 'node:util';
import type { Events, JobView } from '../../preload/contract.ts';
import type { JobService, JobSnapshot } from '../jobs/model.ts';
import { jobForPage } from './views/job-for-page.ts';

/** At most this often (ms) does progress reach the page: ten times a second. */
const feedIntervalMs = 100;

/**
 * Gathers changes of jobs and gives them out together, at most ten times a second. A job that was touched and is what it was is no change: the page asks for
 * all of them when it opens. Returns an unsubscribe function.
 */
export function feedJobs(jobs: JobService, send: (event: Events['jobs.changed']) => void): () => void {
  const touched = new Set<string>();
  const sent = new Map<string, JobSnapshot>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const changed: JobView[] = [];
    const removed: string[] = [];
    for (const id of touched) {
      const job = jobs.get(id);
      if (!job) {
        sent.delete(id);
        removed.push(id);
      } else if (!isDeepStrictEqual(job, sent.get(id))) {
        sent.set(id, job);
        changed.push(jobForPage(job));
      }
    }
    touched.clear();
    if (changed.length > 0 || removed.length > 0) send({ changed, removed });
  };
  const stopListening = jobs.onChange((id) => {
    touched.add(id);
    timer ??= setTimeout(flush, feedIntervalMs);
  });
  return () => {
    stopListening();
    clearTimeout(timer);
  };
}
