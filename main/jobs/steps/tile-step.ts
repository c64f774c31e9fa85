import { awaitsFiles, hasTilingEnded, isContractStatus } from '../../../shared/assets.ts';
import { TileliftError, toErrorRecord } from '../../errors.ts';
import { redactedStart } from '../../redact.ts';
import type { Asset } from '../../service/model.ts';
import { waitLimits } from '../../service/wait-limits.ts';
import { pollUntilEnded } from '../../tiling/poller.ts';
import type { JobState, Tiling } from '../state.ts';
import type { JobCollaborators, StepSignals } from './job-collaborators.ts';
import type { LiveJob } from './live-job.ts';

/**
 * Polls (1, 5, 15, 60 minutes) after which an asset awaiting files is completed again. The number is limited,
 * since a service may restart each time.
 */
const repeatAfterPolls = [6, 30, 90, 360];

/** Polls the asset until tiling ends. */
export async function tileStep(
  job: LiveJob,
  state: Tiling,
  deps: JobCollaborators,
  { signal }: StepSignals,
): Promise<void> {
  const { accountId } = job.record;
  const api = deps.serviceFor(accountId);
  const followedAsset = deps.reads.follow(accountId, state.asset.id);
  let polls = 0;
  let repeats = 0;
  const asset = await pollUntilEnded({
    read: async (pollSignal) => {
      const asset = await followedAsset.read(pollSignal);
      polls = asset.status === awaitsFiles ? polls + 1 : 0;
      if (polls > (repeatAfterPolls[repeats] ?? Number.POSITIVE_INFINITY)) {
        polls = 0;
        repeats += 1;
        await api.completeUpload(state.asset.onComplete, pollSignal);
      }
      return asset;
    },
    clock: job.pauses,
    intervalMs: deps.pollMs,
    signal,
    onStatus: (read) => show(job, read, repeats > 0, deps.clock.now()),
    onTrouble: (error, pauseMs) => job.reportTrouble(error, pauseMs),
  }).finally(followedAsset.end);
  const { status } = asset;
  if (status === 'COMPLETE') {
    job.apply({ kind: 'tiled', status });
    deps.journal.noteMade(job.id, state.asset.id, deps.clock.now());
  } else job.apply({ kind: 'tiling-failed', status, error: toErrorRecord(tilingError(asset)) });
}

function show(job: LiveJob, asset: Asset, isRepeated: boolean, nowMs: number): void {
  const { status, percentComplete: percent, progressMessage } = asset;
  const { state } = job;
  const isNew =
    state.kind === 'tiling' &&
    (state.assetStatus !== status || quartersOf(percent) > quartersOf(state.percent));
  if (isNew && !hasTilingEnded(status)) {
    const message = progressMessage ? { message: redactedStart(progressMessage) } : {};
    job.apply({ kind: 'asset-status', status, percent, ...message });
  }
  job.showAsset(asset, troubleIn(job.state, status, isRepeated, nowMs));
}

function troubleIn(
  state: JobState,
  status: string,
  isRepeated: boolean,
  nowMs: number,
): TileliftError | null {
  if (status === awaitsFiles) return isRepeated ? new TileliftError('files-awaited') : null;
  if (state.kind !== 'tiling' || isContractStatus(status)) return null;
  return nowMs - state.statusAt >= waitLimits.unknownStatus
    ? new TileliftError('status-unknown', { subject: status })
    : null;
}

/** 0 to 3: the fourth is the end. */
function quartersOf(percent: number): number {
  return Math.min(3, Math.floor(percent / 25));
}

function tilingError(asset: Asset): TileliftError {
  const words = asset.error ?? asset.progressMessage;
  return new TileliftError(asset.status === 'DATA_ERROR' ? 'data-error' : 'tiling-error', {
    remote: { code: asset.status, ...(words ? { message: redactedStart(words) } : {}) },
  });
}
