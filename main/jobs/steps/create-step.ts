import type { Amount } from '../../../shared/job.ts';
import type { Phrase } from '../../../strings/phrase.ts';
import { type ErrorCode, TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { backoffMs } from '../../service/backoff.ts';
import { mayHaveArrived } from '../../service/error-answer.ts';
import type { Asset, CreatedAsset, ServiceApi } from '../../service/model.ts';
import { waitLimits } from '../../service/wait-limits.ts';
import { mayPass, pauseAfter } from '../../service/who-answered.ts';
import type { JobEvent } from '../events.ts';
import { mustBeConfirmed } from '../forecast.ts';
import { awaitsConfirmation } from '../state.ts';
import type { JobCollaborators, StepSignals } from './job-collaborators.ts';
import type { LiveJob } from './live-job.ts';
import { planSource } from './plan-source.ts';
import type { UploadGrant } from './upload-credentials.ts';

/**
 * Assets that requests of one job may leave behind, their answers lost, until a person wants another try. A
 * request that made none isn't counted.
 */
const maxUnanswered = 2;
/**
 * How long no other asset is requested after an unanswered request, ms: the service may be overloaded, and
 * may still be creating the one it was asked for.
 */
const unansweredPauseMs = waitLimits.unansweredCreation;
/** Unanswered requests of a run after which another may follow at once, if they have created nothing. */
const quickRequests = 1;
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
  const asked: Asked = { times: 0, answer: null };
  for (let tries = 1; ; tries++) {
    signals.signal.throwIfAborted();
    const { times } = asked;
    try {
      if (await takeUpDoubts(job, api, deps, asked, signals.signal)) return;
      asked.times += 1;
      await request(job, api, deps, signals);
      break;
    } catch (thrown) {
      signals.signal.throwIfAborted();
      const error = toTileliftError(thrown);
      if (asked.times > times) asked.answer = error;
      if (!mayPass(error)) throw error;
      // One pause, not two: *Try now* ends it.
      if (asked.times > Math.max(times, quickRequests) && isInDoubt(job, error)) continue;
      const pause = pauseAfter(error, backoffMs(tries, deps.random));
      job.meet(error, pause);
      await job.pauses.sleep(pause, signals.signal);
    }
  }
  await checkReadable(job, api, signals.signal);
}

/** Whether the last request may have created an asset, so that `takeUpDoubts` waits before another. */
function isInDoubt({ state }: LiveJob, answer: TileliftError): boolean {
  return state.kind === 'creating' && state.requests.length > 0 && !isRefusal(answer);
}

/** What this run has asked the service for. */
interface Asked {
  /** Requests to create. */
  times: number;
  /** How the last one failed; null for none. */
  answer: TileliftError | null;
}

/** Events of this kind since a person last wanted a try. */
function recent({ events }: LiveJob, name: JobEvent['kind']): readonly JobEvent[] {
  const tried = events.findLastIndex(({ kind }) => kind === 'tried-again');
  return events.slice(tried + 1).filter(({ kind }) => kind === name);
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
  if (state.kind !== 'creating' || state.confirmed || state.requests.length > 0 || record.acceptForecast)
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
 * Before a request: settles what earlier ones, whose outcome isn't known, may have created. Where an answer
 * was kept, the job continues with it (true). An asset without its answer is of no use, since that held the
 * upload location: it is named in the history.
 *
 * @throws TileliftError `creation-unanswered` where only a person may ask for another asset; what listing
 *   throws
 */
async function takeUpDoubts(
  job: LiveJob,
  api: ServiceApi,
  deps: JobCollaborators,
  { times, answer }: Readonly<Asked>,
  signal: AbortSignal,
): Promise<boolean> {
  for (let hasWaited = false; ; hasWaited = true) {
    if (job.state.kind !== 'creating') return false;
    const { requests } = job.state;
    const grant = requests.length > 0 && deps.grants.get(job.id);
    if (grant) {
      const { assetId, credentialsEndAt, onComplete } = grant;
      job.apply({ kind: 'asset-created', assetId, credentialsEndAt, onComplete });
      return true;
    }
    const [first] = requests;
    const isListed = first === undefined || (await nameOrphans(job, first, api, deps, signal));
    // An answer about an asset that the list doesn't show is still one about an asset.
    const isSure = isListed && answer?.code !== 'unexpected-answer';
    if (isSure && (hasWaited || isRefusal(answer)))
      for (let left = job.state.requests.length; left > 0; left--) job.apply({ kind: 'create-settled' });
    const isEarly = isSure && times <= quickRequests;
    const pause = pauseBefore(job, isSure, isEarly, deps.clock.now());
    if (pause === null) throw unanswered(answer);
    if (pause <= 0 || hasWaited) return false;
    job.meet(answer ?? unanswered(answer), pause);
    await job.pauses.sleep(pause, signal);
  }
}

/**
 * The service itself said that it could not, or a gateway that it takes no requests (503, RFC 9110 15.6.4):
 * nothing is on its way any more.
 */
function isRefusal(answer: TileliftError | null): boolean {
  const { code, status } = answer?.remote ?? {};
  return answer?.code === 'service-unavailable' && (code !== undefined || status === 503);
}

/**
 * How long to wait before requesting an asset, ms; null for ever. Pure.
 *
 * @param isSure requests in doubt have created nothing that could be seen by now
 * @param isEarly one of them may be followed by another at once
 */
function pauseBefore(job: LiveJob, isSure: boolean, isEarly: boolean, now: number): number | null {
  if (job.state.kind !== 'creating') return 0;
  const orphans = recent(job, 'orphan-left');
  const doubts = Math.min(job.state.requests.length, recent(job, 'create-requested').length);
  if (orphans.length + (isSure ? 0 : doubts) >= maxUnanswered) return null;
  if (orphans.length + doubts >= maxUnanswered || (doubts > 0 && !isEarly)) return unansweredPauseMs;
  const last = orphans.at(-1);
  // A wall clock that was set back makes nobody wait longer.
  return last ? Math.min(unansweredPauseMs, last.at + unansweredPauseMs - now) : 0;
}

function unanswered(answer: TileliftError | null): TileliftError {
  const remote = answer?.remote;
  return new TileliftError('creation-unanswered', { ...(remote ? { remote } : {}), cause: answer });
}

/**
 * Looks for assets that requests since `first` may have created, and names them as left behind. False where
 * the list may not be read.
 */
async function nameOrphans(
  job: LiveJob,
  first: number,
  api: ServiceApi,
  deps: JobCollaborators,
  signal: AbortSignal,
): Promise<boolean> {
  const assets = await listIfAllowed(api, signal);
  // `dateAdded` is of the service's clock, which may be far from ours.
  const since = first + api.clockAheadMs() - clockToleranceMs;
  for (const asset of assets ?? [])
    if (mayBeOurs(asset, job, since) && !deps.isOurAsset(asset.id))
      job.apply({ kind: 'orphan-left', assetId: asset.id });
  return assets !== null;
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
