import { formatFileRate, formatRate } from '../../strings/format/bytes.ts';
import { formatDuration } from '../../strings/format/time.ts';
import { say } from '../../strings/say.ts';
import { type ErrorCode, TileliftError, toErrorRecord, toTileliftError } from '../errors.ts';
import { mayHaveArrived } from '../service/error-answer.ts';
import type { Asset, CreatedAsset, ServiceApi } from '../service/model.ts';
import { backoffMs } from '../upload/backoff.ts';
import { checkExact } from './exact-source.ts';
import { type Amount, mustBeConfirmed } from './forecast.ts';
import type { JobCollaborators, StepSignals } from './job-collaborators.ts';
import type { LiveJob } from './live-job.ts';
import { awaitsConfirmation } from './state.ts';
import type { UploadGrant } from './upload-credentials.ts';
import { writePlan } from './write-plan.ts';

/** Requests to create one asset. After an answer that was not understood, one more: each may leave an orphan. */
const mostTries = 5;
const mostUnexpected = 2;
/** What the service's clock may have been moved by, or its answers delayed, since the request. */
const clockToleranceMs = 2 * 60_000;

const passing: ReadonlySet<ErrorCode> = new Set([
  'service-unreachable',
  'proxy-unreachable',
  'service-unavailable',
  'service-busy',
  'unexpected-answer',
]);

/**
 * Scans the source and creates the asset, in this order: credentials live from the creation on, and none of their life is for scanning. Where they will
 * probably not live long enough, it stops before creating and asks.
 */
export async function createStep(job: LiveJob, with_: JobCollaborators, signals: StepSignals): Promise<void> {
  const scan = await with_.scan(job.record, signals.signal);
  await checkExact(job.record, scan.files, signals.signal);
  await writePlan(job, scan.files, with_.journal, signals.signal);
  askFirst(job, { bytes: scan.bytes, files: scan.files.length }, with_);
  if (awaitsConfirmation(job.state)) return;
  const api = with_.serviceFor(job.record.accountId);
  let unexpected = 0;
  for (let tries = 1; ; tries++) {
    signals.signal.throwIfAborted();
    try {
      if (await takeUpDoubt(job, api, with_, signals.signal)) return;
      await request(job, api, with_, signals);
      return;
    } catch (thrown) {
      signals.signal.throwIfAborted();
      const error = toTileliftError(thrown);
      if (error.code === 'unexpected-answer') unexpected += 1;
      // Without a way to the service nothing can have been made: waiting costs nothing, and giving up would need a person.
      const noWay = error.code === 'service-unreachable' || error.code === 'proxy-unreachable';
      if (noWay && !mayHaveArrived(error)) tries = Math.min(tries, mostTries - 1);
      if (!passing.has(error.code) || tries >= mostTries || unexpected >= mostUnexpected) throw error;
      job.meet(error);
      const wait = Math.max(backoffMs(tries, with_.random), error.remote?.retryAfterMs ?? 0);
      await with_.clock.sleep(wait, signals.signal);
    }
  }
}

function askFirst(job: LiveJob, { bytes, files }: Amount, { forecast }: JobCollaborators): void {
  const { state, record } = job;
  if (state.kind !== 'creating' || state.confirmed || state.requestedAt !== null || record.acceptForecast)
    return;
  const told = forecast(record.accountId, bytes, files);
  if (told === null || !mustBeConfirmed(told)) return;
  const subject = say('history.needs', {
    time: formatDuration(told.seconds * 1000),
    rate:
      told.filesPerSecond === null ? formatRate(told.bytesPerSecond) : formatFileRate(told.filesPerSecond),
  });
  job.apply({
    kind: 'confirmation-asked',
    error: toErrorRecord(new TileliftError('forecast-too-long', { subject })),
  });
}

/** Its answer is waited for through pause and cancel: giving it up would leave an orphan. */
async function request(
  job: LiveJob,
  api: ServiceApi,
  with_: JobCollaborators,
  { signal, lastSignal }: StepSignals,
): Promise<void> {
  signal.throwIfAborted();
  job.apply({ kind: 'create-requested' });
  const requestedAt = with_.clock.now();
  let created: CreatedAsset;
  try {
    created = await api.createAsset(job.record.body, lastSignal);
  } catch (thrown) {
    if (!mayHaveArrived(thrown)) job.apply({ kind: 'create-settled' });
    throw thrown;
  }
  const { asset, uploadLocation: location, onComplete } = created;
  if (job.state.kind === 'cancelled') {
    job.apply({ kind: 'orphan-left', assetId: asset.id });
    return;
  }
  const credentialsEndAt = requestedAt + with_.credentialLifeMs;
  // First the vault: should the journal not learn of the asset any more, the next start finds it there.
  keepGrant(job, { assetId: asset.id, location, onComplete, credentialsEndAt }, with_);
  job.apply({ kind: 'asset-created', assetId: asset.id, credentialsEndAt, onComplete });
}

/** A vault that can't write to its disk still keeps what it was given until Tilelift quits: enough for an upload without a restart. */
function keepGrant(job: LiveJob, grant: UploadGrant, { grants, log }: JobCollaborators): void {
  try {
    grants.set(job.id, grant);
  } catch (error) {
    log.warn({ jobId: job.id, error }, 'upload credentials are kept in memory only');
  }
}

/**
 * A request left and its outcome is not known. Where its answer was kept, the job goes on with it (true). Otherwise what it may have made is
 * looked for: without its upload location such an asset is of no use, so it is named in the history and another is made.
 */
async function takeUpDoubt(
  job: LiveJob,
  api: ServiceApi,
  with_: JobCollaborators,
  signal: AbortSignal,
): Promise<boolean> {
  const { state } = job;
  if (state.kind !== 'creating' || state.requestedAt === null) return false;
  const grant = with_.grants.get(job.id);
  if (grant) {
    const { assetId, credentialsEndAt, onComplete } = grant;
    job.apply({ kind: 'asset-created', assetId, credentialsEndAt, onComplete });
    return true;
  }
  const { requestedAt } = state;
  const known = with_.knownAssetIds();
  const assets = await listIfAllowed(api, signal);
  // `dateAdded` is of the service's clock, which may be far from ours.
  const since = requestedAt + api.clockAheadMs() - clockToleranceMs;
  const orphans = assets.filter((asset) => !known.has(asset.id) && mayBeOurs(asset, job, since));
  for (const { id } of orphans) job.apply({ kind: 'orphan-left', assetId: id });
  if (orphans.length === 0) job.apply({ kind: 'create-settled' });
  return false;
}

/** `since`: ms of the service's clock. */
function mayBeOurs(asset: Asset, job: LiveJob, since: number): boolean {
  const { name, type } = job.record.body;
  const added = Date.parse(asset.dateAdded);
  const isRecent = Number.isNaN(added) || added >= since;
  return asset.name === name && asset.type === type && asset.status === 'AWAITING_FILES' && isRecent;
}

/** A sign-in without `assets:list` can create assets all the same; nothing can be found then. */
async function listIfAllowed(api: ServiceApi, signal: AbortSignal): Promise<readonly Asset[]> {
  try {
    return await api.listAssets(signal);
  } catch (thrown) {
    if (thrown instanceof TileliftError && thrown.code === 'scope-missing') return [];
    throw thrown;
  }
}
