import { toTileliftError } from '../errors.ts';
import type { ServiceApi } from '../service/model.ts';
import { backoffMs } from '../upload/backoff.ts';
import type { JobCollaborators, StepSignals } from './job-collaborators.ts';
import type { LiveJob } from './live-job.ts';
import { needsSignIn } from './needs-sign-in.ts';
import type { Completing } from './state.ts';

/** About ten minutes with the usual backoff. */
const mostTries = 40;

/**
 * Says that the upload is complete (contract 4.8), again if need be: repeating is safe. Whenever the answer is lost or a refusal, the asset is
 * read: any status but AWAITING_FILES means that an earlier try arrived.
 */
export async function completeStep(
  job: LiveJob,
  state: Completing,
  with_: JobCollaborators,
  { signal }: StepSignals,
): Promise<void> {
  const api = with_.serviceFor(job.record.accountId);
  for (let tries = 1; ; tries++) {
    try {
      await api.completeUpload(state.asset.onComplete, signal);
      break;
    } catch (thrown) {
      signal.throwIfAborted();
      const error = toTileliftError(thrown);
      if (needsSignIn(error)) throw error;
      const arrived = await hasArrived(api, state.asset.id, signal);
      if (arrived) break;
      // Offline for a night is no reason to give up what is all there.
      if (error.code === 'service-unreachable' || error.code === 'proxy-unreachable')
        tries = Math.min(tries, mostTries - 1);
      // A refusal counts only where the asset could be read: it may be the answer to a repetition.
      const mayStillEndWell = error.retryable || arrived === undefined;
      if (!mayStillEndWell || tries >= mostTries) throw error;
      job.meet(error);
      const wait = Math.max(backoffMs(tries, with_.random), error.remote?.retryAfterMs ?? 0);
      await with_.clock.sleep(wait, signal);
    }
  }
  job.apply({ kind: 'completion-accepted' });
}

/** Undefined when the asset can't be read just now. */
async function hasArrived(
  api: ServiceApi,
  assetId: number,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  try {
    return (await api.readAsset(assetId, signal)).status !== 'AWAITING_FILES';
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toTileliftError(thrown);
    if (needsSignIn(error) || error.code === 'asset-not-found') throw error;
    return undefined;
  }
}
