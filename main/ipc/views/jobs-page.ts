import { setImmediate } from 'node:timers/promises';
import type { JobsPage } from '../../../preload/contract.ts';
import { type EndedPlace, noRest } from '../../../shared/job.ts';
import type { JobFilter } from '../../../shared/search/job-filter.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';
import { jobForPage } from './views.ts';

/** Ended jobs on the first page: more than a window shows, read in less than ten milliseconds. */
export const firstPage = 100;
/** Length of further pages in multiples of the first; each part is read in its own turn. */
const turnsOfNext = 5;
/** Limit of predecessors followed. */
const maxEarlier = 100;

/** Returns the first page of the list of uploads, or ended jobs after a position. */
export async function jobsPage(
  jobs: Pick<JobService, 'unfinishedJobs' | 'listEnded' | 'endedAfter' | 'get'>,
  startPlace: EndedPlace | null,
): Promise<JobsPage> {
  const foundJobs = startPlace ? [] : [...jobs.unfinishedJobs()];
  let nextPlace = startPlace;
  for (
    let pageNumber = 0;
    pageNumber === 0 || (startPlace && nextPlace && pageNumber < turnsOfNext);
    pageNumber += 1
  ) {
    if (pageNumber > 0) await setImmediate();
    const page = jobs.listEnded(firstPage, nextPlace ?? undefined);
    foundJobs.push(...page.jobs);
    nextPlace = page.next;
  }
  const remainder = nextPlace ? jobs.endedAfter(nextPlace) : noRest;
  return pageWith(foundJobs, { next: nextPlace, rest: remainder }, jobs);
}

/** Returns a page of ended jobs that match a filter, after a position. */
export async function foundPage(
  jobs: Pick<JobService, 'findEnded' | 'get'>,
  filter: JobFilter,
  startPlace: EndedPlace | null,
): Promise<JobsPage> {
  const {
    jobs: foundJobs,
    next: nextPlace,
    rest: remainder,
  } = await jobs.findEnded(filter, firstPage, startPlace ?? undefined);
  return pageWith(foundJobs, { next: nextPlace, rest: remainder }, jobs);
}

/** Adds the jobs that these replaced. */
function pageWith(
  pageJobs: readonly JobSnapshot[],
  pageEnd: Pick<JobsPage, 'next' | 'rest'>,
  jobs: Pick<JobService, 'get'>,
): JobsPage {
  const listedJobs = new Map(pageJobs.map((job): [string, JobSnapshot] => [job.id, job]));
  for (const job of [...listedJobs.values()]) {
    let { predecessor } = job;
    for (let count = 0; predecessor !== undefined && count < maxEarlier; count += 1) {
      const previousJob = listedJobs.has(predecessor) ? undefined : jobs.get(predecessor);
      if (!previousJob) break;
      listedJobs.set(previousJob.id, previousJob);
      predecessor = previousJob.predecessor;
    }
  }
  return { jobs: [...listedJobs.values()].map(jobForPage), ...pageEnd };
}
