import { hasTilingEnded } from '../../../shared/assets.ts';
import { TileliftError, toErrorRecord } from '../../errors.ts';
import { redactedStart } from '../../redact.ts';
import type { Asset } from '../../service/model.ts';
import { pollUntilEnded } from '../../tiling/poller.ts';
import type { JobCollaborators, StepSignals } from '../job-collaborators.ts';
import type { LiveJob } from '../live-job.ts';
import type { Tiling } from '../state.ts';

/** The contract's word for an asset to which nobody has said that its files are all there. */
const awaitsFiles = 'AWAITING_FILES';

/**
 * Watches the asset until tiling ends. One that still awaits its files has not heard that they are there,
 * whoever said that it had: it is told once more, which is safe to repeat.
 */
export async function tileStep(
  job: LiveJob,
  state: Tiling,
  deps: JobCollaborators,
  { signal }: StepSignals,
): Promise<void> {
  const { accountId } = job.record;
  const api = deps.serviceFor(accountId);
  const followed = deps.reads.follow(accountId, state.asset.id);
  const asset = await pollUntilEnded({
    read: async (until) => {
      const asset = await followed.read(until);
      if (asset.status === awaitsFiles && job.asset?.status === awaitsFiles)
        await api.completeUpload(state.asset.onComplete, until);
      return asset;
    },
    clock: job.pauses,
    intervalMs: deps.pollMs,
    signal,
    onStatus: (read) => show(job, read),
    onTrouble: (error, pauseMs) => job.meet(error, pauseMs),
  }).finally(followed.end);
  const { status } = asset;
  if (status === 'COMPLETE') {
    job.apply({ kind: 'tiled', status });
    deps.journal.noteMade(job.id, state.asset.id, deps.clock.now());
  } else job.apply({ kind: 'tiling-failed', status, error: toErrorRecord(tilingError(asset)) });
}

/** A changed status is an event, and each quarter once; all other progress is only shown. */
function show(job: LiveJob, asset: Asset): void {
  const { state } = job;
  job.showAsset(asset);
  const ended = hasTilingEnded(asset.status);
  if (ended || state.kind !== 'tiling') return;
  const { status, percentComplete: percent, progressMessage } = asset;
  if (state.assetStatus === status && quartersOf(percent) <= quartersOf(state.percent)) return;
  const message = progressMessage ? { message: redactedStart(progressMessage) } : {};
  job.apply({ kind: 'asset-status', status, percent, ...message });
}

/** How many quarters of a tiling are behind it, 0 to 3: the fourth is its end. */
function quartersOf(percent: number): number {
  return Math.min(3, Math.floor(percent / 25));
}

function tilingError(asset: Asset): TileliftError {
  const words = asset.error ?? asset.progressMessage;
  return new TileliftError(asset.status === 'DATA_ERROR' ? 'data-error' : 'tiling-error', {
    remote: { code: asset.status, ...(words ? { message: redactedStart(words) } : {}) },
  });
}
