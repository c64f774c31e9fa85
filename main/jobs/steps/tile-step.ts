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
 * An asset that still awaits its files may not have heard that they are there, whoever answered. The upload
 * is completed again after this many polls (a minute, five minutes, a quarter of an hour, an hour), and no
 * more: a service may take each time as a new beginning.
 */
const repeatAfterPolls = [6, 30, 90, 360];

/** Watches the asset until tiling ends. */
export async function tileStep(
  job: LiveJob,
  state: Tiling,
  deps: JobCollaborators,
  { signal }: StepSignals,
): Promise<void> {
  const { accountId } = job.record;
  const api = deps.serviceFor(accountId);
  const followed = deps.reads.follow(accountId, state.asset.id);
  let polls = 0;
  let repeats = 0;
  const asset = await pollUntilEnded({
    read: async (until) => {
      const asset = await followed.read(until);
      polls = asset.status === awaitsFiles ? polls + 1 : 0;
      if (polls > (repeatAfterPolls[repeats] ?? Number.POSITIVE_INFINITY)) {
        polls = 0;
        repeats += 1;
        await api.completeUpload(state.asset.onComplete, until);
      }
      return asset;
    },
    clock: job.pauses,
    intervalMs: deps.pollMs,
    signal,
    onStatus: (read) => show(job, read, repeats > 0, deps.clock.now()),
    onTrouble: (error, pauseMs) => job.meet(error, pauseMs),
  }).finally(followed.end);
  const { status } = asset;
  if (status === 'COMPLETE') {
    job.apply({ kind: 'tiled', status });
    deps.journal.noteMade(job.id, state.asset.id, deps.clock.now());
  } else job.apply({ kind: 'tiling-failed', status, error: toErrorRecord(tilingError(asset)) });
}

/** A changed status is an event, and each quarter once; all other progress is only shown. */
function show(job: LiveJob, asset: Asset, isRepeated: boolean, now: number): void {
  const { status, percentComplete: percent, progressMessage } = asset;
  const { state } = job;
  const isNew =
    state.kind === 'tiling' &&
    (state.assetStatus !== status || quartersOf(percent) > quartersOf(state.percent));
  if (isNew && !hasTilingEnded(status)) {
    const message = progressMessage ? { message: redactedStart(progressMessage) } : {};
    job.apply({ kind: 'asset-status', status, percent, ...message });
  }
  job.showAsset(asset, troubleIn(job.state, status, isRepeated, now));
}

/** Why nobody knows whether the tiling ends; null where it is under way, or has ended. */
function troubleIn(state: JobState, status: string, isRepeated: boolean, now: number): TileliftError | null {
  if (status === awaitsFiles) return isRepeated ? new TileliftError('files-awaited') : null;
  if (state.kind !== 'tiling' || isContractStatus(status)) return null;
  return now - state.statusAt >= waitLimits.unknownStatus
    ? new TileliftError('status-unknown', { subject: status })
    : null;
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
