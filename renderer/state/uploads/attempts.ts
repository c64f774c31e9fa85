/** Groups replaced jobs under their replacement. */

import type { JobView } from '../../../preload/contract.ts';

type Jobs = ReadonlyMap<string, JobView>;

/** Jobs without a replacement, in the map's order. */
export function withoutEarlier(jobs: Jobs): JobView[] {
  const earlier = new Set([...jobs.values()].map(({ predecessor }) => predecessor));
  return [...jobs.values()].filter(({ id }) => !earlier.has(id));
}

/** Existing jobs that this one replaced, newest first. */
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
