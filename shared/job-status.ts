/** The states of a job, and what can be told from them alone. */

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
 * What a person may do with a job. `confirm`: create the asset although the forecast does not fit; `try-now`:
 * what is in trouble, without waiting any longer; `stop-following`: a tiling of which nobody knows whether it
 * ends.
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

/** What keeps a job that could continue from doing so. */
export type JobWait = 'turn' | 'network' | 'sign-in' | 'confirmation' | 'source' | 'terrain';

const failed: ReadonlySet<JobStatus> = new Set(['data-error', 'error', 'failed', 'expired']);
const beforeTiling: ReadonlySet<JobStatus> = new Set(['queued', 'creating', 'uploading', 'completing']);

/** Ended otherwise than someone wanted. */
export function hasFailed(status: JobStatus): boolean {
  return failed.has(status);
}

/** Nothing more happens by itself. */
export function hasEnded(status: JobStatus): boolean {
  return status === 'complete' || status === 'cancelled' || failed.has(status);
}

/**
 * Neither ended nor paused, and there is still something to send or to say to the service: what comes after
 * is the service's work.
 */
export function isToUpload(status: JobStatus): boolean {
  return beforeTiling.has(status);
}

/** Whether another job, a drive or another asset has to come first. */
export function waitsForAnother({ waitingFor }: { readonly waitingFor: JobWait | null }): boolean {
  return waitingFor === 'turn' || waitingFor === 'source' || waitingFor === 'terrain';
}

/** Whether it stands still until a person says a word. */
export function waitsForPerson(job: {
  readonly status: JobStatus;
  readonly waitingFor: JobWait | null;
}): boolean {
  return job.status === 'paused' || job.waitingFor === 'sign-in' || job.waitingFor === 'confirmation';
}
