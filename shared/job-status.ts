export const jobStatuses = [
  'queued',
  'creating',
  'uploading',
  'completing',
  'tiling',
  'paused',
  'complete',
  'data-error',
  'error',
  'failed',
  'expired',
  'cancelled',
] as const;
export type JobStatus = (typeof jobStatuses)[number];

/**
 * User actions on a job. `confirm`: create the asset although the forecast exceeds the credentials' life;
 * `try-now`: retry immediately; `stop-following`: stop polling a tiling that may never end.
 */
export const jobActions = [
  'try-now',
  'confirm',
  'pause',
  'resume',
  'cancel',
  'stop-following',
  'try-again',
  'start-again',
  'remove',
] as const;
export type JobAction = (typeof jobActions)[number];

/** Blocker of a job that could otherwise continue. */
export type JobWait = 'turn' | 'network' | 'sign-in' | 'confirmation' | 'source' | 'terrain';

/** Cancelled doesn't count. */
export const failedStatuses: ReadonlySet<JobStatus> = new Set(['data-error', 'error', 'failed', 'expired']);
const beforeTiling: ReadonlySet<JobStatus> = new Set(['queued', 'creating', 'uploading', 'completing']);

export function hasFailed(status: JobStatus): boolean {
  return failedStatuses.has(status);
}

/** Whether nothing more happens without the user. */
export function hasEnded(status: JobStatus): boolean {
  return status === 'complete' || status === 'cancelled' || failedStatuses.has(status);
}

/** Whether anything is still to be sent. Tiling is the service's work and doesn't count. */
export function isToUpload(status: JobStatus): boolean {
  return beforeTiling.has(status);
}

/** Whether another job, a drive or another asset must come first. */
export function waitsForAnother({ waitingFor }: { readonly waitingFor: JobWait | null }): boolean {
  return waitingFor === 'turn' || waitingFor === 'source' || waitingFor === 'terrain';
}

/** Whether only the user can continue it. */
export function waitsForPerson(job: {
  readonly status: JobStatus;
  readonly waitingFor: JobWait | null;
}): boolean {
  return job.status === 'paused' || job.waitingFor === 'sign-in' || job.waitingFor === 'confirmation';
}
