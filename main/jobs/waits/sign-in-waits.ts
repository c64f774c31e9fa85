import { type ErrorRecord, toErrorRecord } from '../../errors.ts';
import { signInCodes } from '../needs-sign-in.ts';
import { isRunning } from '../state.ts';
import type { JobCollaborators } from '../steps/job-collaborators.ts';
import type { LiveJob } from '../steps/live-job.ts';

/**
 * Jobs of an account that nobody is signed in with are not begun: they keep their place, and the first in
 * line is the first to begin after the sign-in. What one job of an account was refused for holds back the
 * others too, for as long as that one waits.
 *
 * @param idle jobs that nothing keeps from running; each is told why it is held back, or that it isn't
 */
export function holdBack(
  idle: readonly LiveJob[],
  all: readonly LiveJob[],
  { whyUnready, whyHeld, grants }: Pick<JobCollaborators, 'whyUnready' | 'whyHeld' | 'grants'>,
): void {
  const reasons = new Map<string, ErrorRecord | null>();
  for (const { record, state, trouble, waiting } of all)
    if (isRunning(state) && waiting && trouble && signInCodes.has(trouble.code))
      reasons.set(record.accountId, trouble);
  for (const job of idle) {
    if (!asksService(job, grants)) continue;
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

/**
 * Whose asset is still to be created, but for one whose credentials were kept already. All else continues
 * without the service, or waits for it by itself.
 */
function asksService({ id, state }: LiveJob, grants: JobCollaborators['grants']): boolean {
  return state.kind === 'queued' || (state.kind === 'creating' && !grants.get(id));
}
