import type { JobSnapshot } from '../../jobs/model.ts';
import type { WatchRule } from '../rule.ts';
import { isAhead, type Turns } from '../turns.ts';
import type { WatchAccounts } from './claims.ts';

/**
 * What is claimed keeps other computers from it. So of a folder that several watch only so much is taken as
 * goes at once: one source that is sent, and those that are made ready behind it.
 */
const maxAheadWhereShared = 3;

type Shown = Pick<JobSnapshot, 'accountId' | 'status' | 'waitingFor' | 'uploadedAt' | 'endedAt'>;

/**
 * It continues only with a person's word, a sign-in or a network that is back. What is all in storage is
 * nobody else's business any more.
 */
export function isStalled({ status, waitingFor, uploadedAt, endedAt }: Shown): boolean {
  if (endedAt !== null || uploadedAt !== null) return false;
  return status === 'paused' || (waitingFor !== null && waitingFor !== 'turn' && waitingFor !== 'terrain');
}

/** It waits for the network or a sign-in, and has no asset yet. */
export function isNotBegun({ status, waitingFor, assetId }: Shown & Pick<JobSnapshot, 'assetId'>): boolean {
  if (assetId !== null || (waitingFor !== 'network' && waitingFor !== 'sign-in')) return false;
  return status === 'queued' || status === 'creating';
}

/**
 * Turns of one rule. `jobs`: of the sources that all rules have taken and that are under way. Those of other
 * rules are not counted: one that takes twenty ahead would leave this one none.
 */
export function turnsOf(
  { id, shared, accountId }: Pick<WatchRule, 'id' | 'shared' | 'accountId'>,
  turns: Turns,
  accounts: Pick<WatchAccounts, 'isReady'>,
  jobs: () => Iterable<{ readonly job: Shown; readonly ruleId: string }>,
): Turns {
  if (!shared) return turns;
  const isFree = () => {
    if (!accounts.isReady(accountId)) return false;
    let ahead = 0;
    for (const { job, ruleId } of jobs()) {
      if (job.accountId !== accountId) continue;
      // Neither would the next one go.
      if (isStalled(job) && (job.waitingFor === 'sign-in' || job.waitingFor === 'network')) return false;
      if (ruleId === id && isAhead(job)) ahead += 1;
    }
    return ahead < maxAheadWhereShared;
  };
  return { free: (account) => turns.free(account) && isFree(), onFree: turns.onFree };
}
