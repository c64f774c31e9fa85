import type { JobView } from '../../../preload/contract.ts';
import type { JobSnapshot } from '../../jobs/model.ts';

/** Paths of one job that a page gets: of 20,000 files that arrived together nobody reads more, and every change of a job is told ten times a second. */
const mostPaths = 50;

/** A job as a page gets it. */
export function jobForPage(job: JobSnapshot): JobView {
  const more = job.paths.length - mostPaths;
  return more > 0 ? { ...job, paths: job.paths.slice(0, mostPaths), morePaths: more } : job;
}
