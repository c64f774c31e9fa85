import type { JobView } from '../../../preload/contract.ts';

type Jobs = ReadonlyMap<string, JobView>;

/** Jobs without a replacement, in the map's order. */
export function withoutEarlier(jobs: Jobs): JobView[] {
  const previousIds = new Set([...jobs.values()].map(({ predecessor }) => predecessor));
  return [...jobs.values()].filter(({ id }) => !previousIds.has(id));
}

/** Existing jobs that this one replaced, newest first. */
export function earlierAttempts(job: JobView, jobs: Jobs): readonly JobView[] {
  const attempts: JobView[] = [];
  let { predecessor } = job;
  while (predecessor !== undefined) {
    const attempt = jobs.get(predecessor);
    if (!attempt || attempt === job || attempts.includes(attempt)) break;
    attempts.push(attempt);
    predecessor = attempt.predecessor;
  }
  return attempts;
}
