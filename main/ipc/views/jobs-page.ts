import type { JobsPage } from '../../../preload/contract.ts';
import type { EndedPlace } from '../../../shared/job.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';
import { jobForPage } from './views.ts';

/** Ended jobs of the first page: more than a window shows. */
export const firstPage = 100;
/** Of each further one, which whoever scrolls or searches asks for. */
const nextPage = 500;
/** Jobs in a row of which each took the place of the one before. */
const maxEarlier = 100;

/** A page of the list of uploads: the first, or what comes after a place among the ended ones. */
export function jobsPage(
  jobs: Pick<JobService, 'unfinished' | 'ended' | 'endedAfter' | 'get'>,
  after: EndedPlace | null,
): JobsPage {
  const page = after ? jobs.ended(nextPage, after) : jobs.ended(firstPage);
  const listed = new Map(
    [...(after ? [] : jobs.unfinished()), ...page.jobs].map((job): [string, JobSnapshot] => [job.id, job]),
  );
  for (const job of [...listed.values()]) {
    let { predecessor } = job;
    for (let count = 0; predecessor !== undefined && count < maxEarlier; count += 1) {
      const earlier = listed.has(predecessor) ? undefined : jobs.get(predecessor);
      if (!earlier) break;
      listed.set(earlier.id, earlier);
      predecessor = earlier.predecessor;
    }
  }
  return {
    jobs: [...listed.values()].map(jobForPage),
    next: page.next,
    rest: page.next ? jobs.endedAfter(page.next) : { count: 0, bytes: 0 },
  };
}
