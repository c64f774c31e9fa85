import { TileliftError, toTileliftError } from '../../errors.ts';
import { backoffMs } from '../../service/backoff.ts';
import type { ServiceApi } from '../../service/model.ts';
import { mayPass, pauseAfter } from '../../service/who-answered.ts';
import { needsSignIn } from '../needs-sign-in.ts';
import type { Completing } from '../state.ts';
import type { JobCollaborators, StepSignals } from './job-collaborators.ts';
import type { LiveJob } from './live-job.ts';

/** So often in a row the service itself must say that it does not know the asset. */
const goneTimes = 3;

/**
 * Says that the upload is complete (contract 4.8), again if need be: repeating is safe. Whenever the answer
 * is lost, a refusal or someone else's, the asset is read: any status but AWAITING_FILES means that an
 * earlier try arrived. Everything is in storage by now, so what may pass is waited out for ever.
 */
export async function completeStep(
  job: LiveJob,
  state: Completing,
  deps: JobCollaborators,
  { signal }: StepSignals,
): Promise<void> {
  const api = deps.serviceFor(job.record.accountId);
  let gone = 0;
  for (let tries = 1; ; tries++) {
    const error = await refusalOf(() => api.completeUpload(state.asset.onComplete, signal), signal);
    if (!error) break;
    if (needsSignIn(error)) throw error;
    const asset = await lookAt(api, state.asset.id, signal);
    if (asset === 'arrived') break;
    // A read that is refused otherwise than by "no such asset" says nothing of it.
    gone = asset === 'gone' ? gone + 1 : asset === 'unread' ? gone : 0;
    if (gone >= goneTimes) throw new TileliftError('asset-not-found', { subject: String(state.asset.id) });
    // A refusal counts only where the asset could be read: it may be the answer to a repetition.
    if (asset === 'waits' && !mayPass(error)) throw error;
    const pause = pauseAfter(error, backoffMs(tries, deps.random));
    job.meet(error, pause);
    await job.pauses.sleep(pause, signal);
  }
  job.apply({ kind: 'completion-accepted' });
}

async function refusalOf(call: () => Promise<void>, signal: AbortSignal): Promise<TileliftError | null> {
  try {
    await call();
    return null;
  } catch (thrown) {
    signal.throwIfAborted();
    return toTileliftError(thrown);
  }
}

/** `waits`: for files, as before. `gone`: the service knows no such asset. `unread`: it can't be read now. */
async function lookAt(
  api: ServiceApi,
  assetId: number,
  signal: AbortSignal,
): Promise<'arrived' | 'waits' | 'gone' | 'unread'> {
  try {
    return (await api.readAsset(assetId, signal)).status === 'AWAITING_FILES' ? 'waits' : 'arrived';
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toTileliftError(thrown);
    if (needsSignIn(error)) throw error;
    return error.code === 'asset-not-found' ? 'gone' : 'unread';
  }
}
