/** What can be done with several uploads at once. */

import type { JobAction, JobView } from '../../../preload/contract.ts';
import { hasEnded, hasFailed } from '../../../shared/job-status.ts';

/** Those that fit all of these; a job can be cancelled from wherever it is, so they come in one order. */
export function commonActions(jobs: readonly JobView[]): readonly JobAction[] {
  const [first, ...others] = jobs;
  const all = first?.actions ?? [];
  return all.filter((action) => others.every(({ actions }) => actions.includes(action)));
}

/** Several that have all ended: what a list of them tells does not change any more. */
export function isListable(jobs: readonly JobView[]): boolean {
  return jobs.length > 1 && jobs.every(({ status }) => hasEnded(status));
}

/** The jobs that a choice for the whole list is about. */
export type Sweep = 'pause' | 'resume' | 'try-again' | 'remove';

/** Those of the list that a sweep is about: never a job whose end someone has chosen. */
export function sweptBy(sweep: Sweep, jobs: readonly JobView[]): readonly JobView[] {
  const able = jobs.filter(({ actions }) => actions.includes(sweep));
  if (sweep === 'try-again') return able.filter(({ status }) => hasFailed(status));
  return sweep === 'remove' ? able.filter(({ status }) => hasEnded(status)) : able;
}
