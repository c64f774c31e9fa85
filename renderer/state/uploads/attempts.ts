/** Jobs that took the place of others: those fold under them. */

import type { JobView } from '../../../preload/contract.ts';

type Jobs = ReadonlyMap<string, JobView>;

/** Those in whose place no other one is, in the order of the map. */
export function withoutEarlier(jobs: Jobs): JobView[] {
  const earlier = new Set([...jobs.values()].map(({ predecessor }) => predecessor));
  return [...jobs.values()].filter(({ id }) => !earlier.has(id));
}

/** Those whose place a job has taken, as far as they are still there, the latest first. */
export function earlierAttempts(job: JobView, jobs: Jobs): readonly JobView[] {
  const found: JobView[] = [];
  let { predecessor } = job;
  while (predecessor !== undefined) {
    const one = jobs.get(predecessor);
    if (!one || one === job || found.includes(one)) break;
    found.push(one);
    predecessor = one.predecessor;
  }
  return found;
}
