import type { JobService, JobSnapshot } from '../model.ts';

/** The newest of all jobs on the list, at most `max`, and how many there are. */
export function newestJobs(
  jobs: Pick<JobService, 'unfinished' | 'ended' | 'endedTotals'>,
  max: number,
): { readonly newest: readonly JobSnapshot[]; readonly count: number } {
  const unfinished = jobs.unfinished();
  const ended = [...jobs.endedTotals().values()].reduce((sum, { count }) => sum + count, 0);
  const newest = [...unfinished, ...jobs.ended(max).jobs].sort((a, b) => b.createdAt - a.createdAt);
  return { newest: newest.slice(0, max), count: unfinished.length + ended };
}
