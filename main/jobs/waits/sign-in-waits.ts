import { type ErrorRecord, toErrorRecord } from '../../errors.ts';
import { signInCodes } from '../needs-sign-in.ts';
import { isRunning } from '../state.ts';
import type { JobCollaborators } from '../steps/job-collaborators.ts';
import type { LiveJob } from '../steps/live-job.ts';

/** Jobs of signed-out accounts keep their place. A refused job holds back the account's others. */
export function holdBack(
  idleJobs: readonly LiveJob[],
  allJobs: readonly LiveJob[],
  { whyUnready, whyHeld, grants }: Pick<JobCollaborators, 'whyUnready' | 'whyHeld' | 'grants'>,
): void {
  const reasons = new Map<string, ErrorRecord | null>();
  for (const { record, state, trouble, isWaiting } of allJobs)
    if (isRunning(state) && isWaiting && trouble && signInCodes.has(trouble.code))
      reasons.set(record.accountId, trouble);
  for (const job of idleJobs) {
    if (!needsService(job, grants)) continue;
    const { accountId } = job.record;
    let why = reasons.get(accountId);
    if (why === undefined) {
      const error = whyUnready(accountId);
      why = error && toErrorRecord(error);
      reasons.set(accountId, why);
    }
    job.holdBack(why ?? whyHeld(job.id));
  }
}

/** Other jobs continue without the service or wait by themselves. */
function needsService({ id, state }: LiveJob, grants: JobCollaborators['grants']): boolean {
  return state.kind === 'queued' || (state.kind === 'creating' && !grants.get(id));
}
