import type { JobService, JobSnapshot } from '../model.ts';

/** Newest first. */
export function newestJobs(
  jobs: Pick<JobService, 'unfinishedJobs' | 'listEnded' | 'endedTotals'>,
  max: number,
): { readonly newest: readonly JobSnapshot[]; readonly count: number } {
  const unfinishedJobs = jobs.unfinishedJobs();
  const endedCount = [...jobs.endedTotals().values()].reduce((sum, { count }) => sum + count, 0);
  const newest = [...unfinishedJobs, ...jobs.listEnded(max).jobs].sort((a, b) => b.createdAt - a.createdAt);
  return { newest: newest.slice(0, max), count: unfinishedJobs.length + endedCount };
}
