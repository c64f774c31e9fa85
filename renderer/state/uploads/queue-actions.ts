import type { JobAction, JobView } from '../../../preload/contract.ts';
import { hasEnded, hasFailed } from '../../../shared/job-status.ts';

/** Actions that all jobs allow, in a fixed order. */
export function commonActions(jobs: readonly JobView[]): readonly JobAction[] {
  const [firstJob, ...otherJobs] = jobs;
  const actions = firstJob?.actions ?? [];
  return actions.filter((action) => otherJobs.every(({ actions }) => actions.includes(action)));
}

/** True for several ended jobs: their list is final. */
export function isListable(jobs: readonly JobView[]): boolean {
  return jobs.length > 1 && jobs.every(({ status }) => hasEnded(status));
}

/** An action on all suitable jobs of the list. */
export type SweepAction = 'pause' | 'resume' | 'try-again' | 'remove';

/** True for failures that may succeed without other data. */
function isRetryable({ status, actions }: JobView): boolean {
  if (!hasFailed(status)) return false;
  return actions.includes('try-again') || (status !== 'data-error' && actions.includes('start-again'));
}

/** Jobs that a sweep affects, except those with a chosen end. */
export function sweptBy(sweepAction: SweepAction, jobs: readonly JobView[]): readonly JobView[] {
  if (sweepAction === 'try-again') return jobs.filter(isRetryable);
  const able = jobs.filter(({ actions }) => actions.includes(sweepAction));
  return sweepAction === 'remove' ? able.filter(({ status }) => hasEnded(status)) : able;
}
