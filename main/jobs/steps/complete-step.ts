import { TileliftError, toTileliftError } from '../../errors.ts';
import { backoffMs } from '../../service/backoff.ts';
import type { ServiceApi } from '../../service/model.ts';
import { isTransient, pauseAfter } from '../../service/who-answered.ts';
import { needsSignIn } from '../needs-sign-in.ts';
import type { CompletingState } from '../state.ts';
import type { JobCollaborators, StepSignals } from './job-collaborators.ts';
import type { LiveJob } from './live-job.ts';

/** A lagging replica may report it once. */
const goneTimes = 3;

/**
 * Contract 4.8; repeating is safe. After a lost, refused or foreign response the asset is read: any status
 * but AWAITING_FILES proves success. Everything is in storage, so temporary errors are retried indefinitely.
 */
export async function completeStep(
  job: LiveJob,
  state: CompletingState,
  deps: JobCollaborators,
  { signal }: StepSignals,
): Promise<void> {
  const api = deps.serviceFor(job.record.accountId);
  let missingPolls = 0;
  for (let attempts = 1; ; attempts++) {
    const error = await refusalOf(() => api.completeUpload(state.asset.onComplete, signal), signal);
    if (!error) break;
    if (needsSignIn(error)) throw error;
    const asset = await checkAsset(api, state.asset.id, signal);
    if (asset === 'arrived') break;
    missingPolls = asset === 'gone' ? missingPolls + 1 : asset === 'unread' ? missingPolls : 0;
    if (missingPolls >= goneTimes)
      throw new TileliftError('asset-not-found', { subject: String(state.asset.id) });
    // A refusal only counts with a readable asset, since it may concern a repetition.
    if (asset === 'waits' && !isTransient(error)) throw error;
    const pause = pauseAfter(error, backoffMs(attempts, deps.random));
    job.reportTrouble(error, pause);
    await job.pauses.sleep(pause, signal);
  }
  job.apply({ kind: 'completion-accepted' });
}

async function refusalOf(call: () => Promise<void>, signal: AbortSignal): Promise<TileliftError | null> {
  try {
    await call();
    return null;
  } catch (error) {
    signal.throwIfAborted();
    return toTileliftError(error);
  }
}

async function checkAsset(
  api: ServiceApi,
  assetId: number,
  signal: AbortSignal,
): Promise<'arrived' | 'waits' | 'gone' | 'unread'> {
  try {
    return (await api.readAsset(assetId, signal)).status === 'AWAITING_FILES' ? 'waits' : 'arrived';
  } catch (cause) {
    signal.throwIfAborted();
    const error = toTileliftError(cause);
    if (needsSignIn(error)) throw error;
    return error.code === 'asset-not-found' ? 'gone' : 'unread';
  }
}
