import type { Amount } from '../../../shared/job.ts';
import type { Phrase } from '../../../strings/phrase.ts';
import { type ErrorCode, TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { mayHaveArrived } from '../../service/error-answer.ts';
import type { Asset, CreatedAsset, ServiceApi } from '../../service/model.ts';
import { mayPass, pauseAfter } from '../../service/who-answered.ts';
import { backoffMs } from '../../transfer/backoff.ts';
import { mustBeConfirmed } from '../forecast.ts';
import type { JobCollaborators, StepSignals } from '../job-collaborators.ts';
import type { LiveJob } from '../live-job.ts';
import { awaitsConfirmation } from '../state.ts';
import { planSource } from './plan-source.ts';
import type { UploadGrant } from './upload-credentials.ts';

/**
 * Requests that left an asset behind, or may have where nobody can look. Waiting any longer, each further one
 * may leave another: then a person decides. A request that provably made nothing is not counted, and repeated
 * for ever.
 */
const maxLeftBehind = 4;
/** Answers with an asset in them that can't be understood. */
const maxUnexpected = 2;
/** What the service's clock may have been moved by, or its answers delayed, since the request. */
const clockToleranceMs = 2 * 60_000;

/**
 * Scans the source and creates the asset, in this order: credentials live from the creation on, and none of
 * their life is for scanning. Where they will probably not live long enough, it stops before creating and
 * asks.
 */
export async function createStep(job: LiveJob, deps: JobCollaborators, signals: StepSignals): Promise<void> {
  deps.prepareUpload();
  const found = await planSource(job, deps, signals.signal);
  askFirst(job, found, deps);
  if (awaitsConfirmation(job.state)) return;
  const api = deps.serviceFor(job.record.accountId);
  const doubts: Doubts = { unexpected: 0, unseen: 0 };
  for (let tries = 1; ; tries++) {
    signals.signal.throwIfAborted();
    let asked = false;
    try {
      if (await takeUpDoubt(job, api, deps, doubts, signals.signal)) return;
      asked = true;
      await request(job, api, deps, signals);
      break;
    } catch (thrown) {
      signals.signal.throwIfAborted();
      const error = toTileliftError(thrown);
      if (asked && error.code === 'unexpected-answer') doubts.unexpected += 1;
      if (!mayPass(error) || (asked && isEnough(job, doubts, error))) throw error;
      const pause = pauseAfter(error, backoffMs(tries, deps.random));
      job.meet(error, pause);
      await job.pauses.sleep(pause, signals.signal);
    }
  }
  await checkReadable(job, api, signals.signal);
}

/** What happened to the requests of this run whose outcome was not told. */
interface Doubts {
  unexpected: number;
  /** After which nobody could look for what they made. */
  unseen: number;
}

/** Whether another request could leave one asset too many. */
function isEnough(job: LiveJob, doubts: Doubts, error: TileliftError): boolean {
  if (doubts.unexpected >= maxUnexpected) return true;
  return mayHaveArrived(error) && leftBehind(job) + doubts.unseen >= maxLeftBehind;
}

/** Since a person last wanted it. */
function leftBehind({ events }: LiveJob): number {
  const since = events.findLastIndex(({ kind }) => kind === 'tried-again');
  return events.slice(since + 1).filter(({ kind }) => kind === 'orphan-left').length;
}

/**
 * Reads the new asset once: a sign-in that may write but not read could send everything and never learn what
 * became of it. Nothing but the service's own "no" counts.
 *
 * @throws TileliftError `scope-missing`, through which the job waits for another sign-in, before a byte is
 *   sent
 */
async function checkReadable(job: LiveJob, api: ServiceApi, signal: AbortSignal): Promise<void> {
  const { state } = job;
  if (state.kind !== 'uploading') return;
  try {
    await api.readAsset(state.asset.id, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof TileliftError && thrown.code === 'scope-missing') throw thrown;
  }
}

function askFirst(job: LiveJob, { bytes, files }: Amount, { forecast }: JobCollaborators): void {
  const { state, record } = job;
  if (state.kind !== 'creating' || state.confirmed || state.requestedAt !== null || record.acceptForecast)
    return;
  const told = forecast(record.accountId, bytes, files);
  if (told === null || !mustBeConfirmed(told)) return;
  const { seconds, bytesPerSecond, filesPerSecond } = told;
  const rate = filesPerSecond === null ? { bytesPerSecond } : { filesPerSecond };
  const subject: Phrase = {
    key: 'history.needs',
    values: { time: { duration: seconds * 1000 }, rate },
  };
  job.apply({
    kind: 'confirmation-asked',
    error: toErrorRecord(new TileliftError('forecast-too-long', { subject })),
  });
}

/** Its answer is waited for through pause and cancel: giving it up would leave an orphan. */
async function request(
  job: LiveJob,
  api: ServiceApi,
  deps: JobCollaborators,
  { signal, lastSignal }: StepSignals,
): Promise<void> {
  signal.throwIfAborted();
  // Again, since a large source takes longer than they wait.
  deps.prepareUpload();
  job.apply({ kind: 'create-requested' });
  const requestedAt = deps.clock.now();
  let created: CreatedAsset;
  try {
    created = await api.createAsset(job.record.body, lastSignal);
  } catch (thrown) {
    if (isUnusable(thrown)) job.apply({ kind: 'orphan-left', assetId: Number(thrown.subject) });
    else if (!mayHaveArrived(thrown)) job.apply({ kind: 'create-settled' });
    throw thrown;
  }
  const { asset, uploadLocation: location, onComplete } = created;
  if (job.state.kind === 'cancelled') {
    job.apply({ kind: 'orphan-left', assetId: asset.id });
    return;
  }
  const credentialsEndAt = requestedAt + deps.credentialLifeMs;
  // First the vault: should the journal not learn of the asset any more, the next start finds it there.
  keepGrant(job, { assetId: asset.id, location, onComplete, credentialsEndAt }, deps);
  job.apply({ kind: 'asset-created', assetId: asset.id, credentialsEndAt, onComplete });
}

/** The asset was made, and its answer is of no use. */
function isUnusable(thrown: unknown): thrown is TileliftError {
  return thrown instanceof TileliftError && thrown.code === 'creation-unusable';
}

/**
 * A vault that can't write to its disk still keeps what it was given until Tilelift quits: enough for an
 * upload without a restart.
 */
function keepGrant(job: LiveJob, grant: UploadGrant, { grants, log }: JobCollaborators): void {
  try {
    grants.set(job.id, grant);
  } catch (error) {
    log.warn({ jobId: job.id, error }, 'upload credentials are kept in memory only');
  }
}

/**
 * A request left and its outcome is not known. Where its answer was kept, the job continues with it (true).
 * Otherwise what it may have made is looked for: without its upload location such an asset is of no use, so
 * it is named in the history and another is made.
 */
async function takeUpDoubt(
  job: LiveJob,
  api: ServiceApi,
  deps: JobCollaborators,
  doubts: Doubts,
  signal: AbortSignal,
): Promise<boolean> {
  const { state } = job;
  if (state.kind !== 'creating' || state.requestedAt === null) return false;
  const grant = deps.grants.get(job.id);
  if (grant) {
    const { assetId, credentialsEndAt, onComplete } = grant;
    job.apply({ kind: 'asset-created', assetId, credentialsEndAt, onComplete });
    return true;
  }
  const { requestedAt } = state;
  const assets = await listIfAllowed(api, signal);
  if (assets === null) doubts.unseen += 1;
  // `dateAdded` is of the service's clock, which may be far from ours.
  const since = requestedAt + api.clockAheadMs() - clockToleranceMs;
  const orphans = (assets ?? []).filter(
    (asset) => mayBeOurs(asset, job, since) && !deps.isOurAsset(asset.id),
  );
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

/** Refusals by the service itself: this sign-in has no `assets:list`, or there is no such list. */
const unlisted: ReadonlySet<ErrorCode> = new Set(['list-not-allowed', 'request-refused']);

/**
 * Assets can be created anyway where none can be listed (null); the service was heard again then, so that
 * another request is no shot in the dark.
 */
async function listIfAllowed(api: ServiceApi, signal: AbortSignal): Promise<readonly Asset[] | null> {
  try {
    return await api.listAssets(signal);
  } catch (thrown) {
    if (thrown instanceof TileliftError && unlisted.has(thrown.code)) return null;
    throw thrown;
  }
}
