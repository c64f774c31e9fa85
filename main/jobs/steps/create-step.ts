import type { AmountOfData } from '../../../shared/job.ts';
import type { Phrase } from '../../../strings/phrase.ts';
import { type ErrorCode, TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { backoffMs } from '../../service/backoff.ts';
import { mayHaveArrived } from '../../service/error-answer.ts';
import type { Asset, CreatedAsset, ServiceApi } from '../../service/model.ts';
import { waitLimits } from '../../service/wait-limits.ts';
import { isTransient, pauseAfter } from '../../service/who-answered.ts';
import type { JobEvent } from '../events.ts';
import { mustBeConfirmed } from '../forecast.ts';
import { awaitsConfirmation } from '../state.ts';
import type { JobCollaborators, StepSignals } from './job-collaborators.ts';
import type { LiveJob } from './live-job.ts';
import { planSource } from './plan-source.ts';
import type { UploadGrant } from './upload-credentials.ts';

const maxUnanswered = 2;
/** The overloaded service may still be creating the asset. */
const unansweredPauseMs = waitLimits.unansweredCreation;
const quickRequests = 1;
/** Allowance for clock changes and delayed responses. */
const clockToleranceMs = 2 * 60_000;

/**
 * Scans first: scanning takes none of the credentials' life. Asks before creating if they probably won't
 * last.
 */
export async function createStep(job: LiveJob, deps: JobCollaborators, signals: StepSignals): Promise<void> {
  deps.prepareUpload();
  const amount = await planSource(job, deps, signals.signal);
  askFirst(job, amount, deps);
  if (awaitsConfirmation(job.state)) return;
  const api = deps.serviceFor(job.record.accountId);
  const requestLog: RequestLog = { times: 0, answer: null };
  for (let attempts = 1; ; attempts++) {
    signals.signal.throwIfAborted();
    const { times } = requestLog;
    try {
      if (await resolveUnanswered(job, api, deps, requestLog, signals.signal)) return;
      requestLog.times += 1;
      await request(job, api, deps, signals);
      break;
    } catch (cause) {
      signals.signal.throwIfAborted();
      const error = toTileliftError(cause);
      if (requestLog.times > times) requestLog.answer = error;
      if (!isTransient(error)) throw error;
      // *Try now* ends a single pause.
      if (requestLog.times > Math.max(times, quickRequests) && isUnanswered(job, error)) continue;
      const pause = pauseAfter(error, backoffMs(attempts, deps.random));
      job.reportTrouble(error, pause);
      await job.pauses.sleep(pause, signals.signal);
    }
  }
  await checkReadable(job, api, signals.signal);
}

function isUnanswered({ state }: LiveJob, answer: TileliftError): boolean {
  return state.kind === 'creating' && state.requests.length > 0 && !isRefusal(answer);
}

interface RequestLog {
  times: number;
  answer: TileliftError | null;
}

/** Since the user's last retry. */
function recentEvents({ events }: LiveJob, name: JobEvent['kind']): readonly JobEvent[] {
  const retryIndex = events.findLastIndex(({ kind }) => kind === 'tried-again');
  return events.slice(retryIndex + 1).filter(({ kind }) => kind === name);
}

/**
 * A sign-in without read permission could never follow the asset. Only the service's own refusal counts.
 *
 * @throws TileliftError `scope-missing` before any byte is sent
 */
async function checkReadable(job: LiveJob, api: ServiceApi, signal: AbortSignal): Promise<void> {
  const { state } = job;
  if (state.kind !== 'uploading') return;
  try {
    await api.readAsset(state.asset.id, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TileliftError && error.code === 'scope-missing') throw error;
  }
}

function askFirst(job: LiveJob, { bytes, files }: AmountOfData, { forecast }: JobCollaborators): void {
  const { state, record } = job;
  if (state.kind !== 'creating' || state.confirmed || state.requests.length > 0 || record.acceptForecast)
    return;
  const estimate = forecast(record.accountId, bytes, files);
  if (estimate === null || !mustBeConfirmed(estimate)) return;
  const { seconds, bytesPerSecond, filesPerSecond } = estimate;
  const rate = filesPerSecond === null ? { bytesPerSecond } : { filesPerSecond };
  const subject: Phrase = { key: 'history.needs', values: { time: { duration: seconds * 1000 }, rate } };
  job.apply({
    kind: 'confirmation-asked',
    error: toErrorRecord(new TileliftError('forecast-too-long', { subject })),
  });
}

/** Pause and cancel wait for the response, since aborting would orphan an asset. */
async function request(
  job: LiveJob,
  api: ServiceApi,
  deps: JobCollaborators,
  { signal, lastSignal }: StepSignals,
): Promise<void> {
  signal.throwIfAborted();
  // Idle threads end during a long scan.
  deps.prepareUpload();
  job.apply({ kind: 'create-requested' });
  const requestedAt = deps.clock.now();
  let created: CreatedAsset;
  try {
    created = await api.createAsset(job.record.body, lastSignal);
  } catch (error) {
    if (isUnusable(error)) job.apply({ kind: 'orphan-left', assetId: Number(error.subject) });
    else if (!mayHaveArrived(error)) job.apply({ kind: 'create-settled' });
    throw error;
  }
  const { asset, uploadLocation: location, onComplete } = created;
  if (job.state.kind === 'cancelled') {
    job.apply({ kind: 'orphan-left', assetId: asset.id });
    return;
  }
  const credentialsEndAt = requestedAt + deps.credentialLifeMs;
  // The vault first: if the journal fails, the next start finds the asset there.
  keepGrant(job, { assetId: asset.id, location, onComplete, credentialsEndAt }, deps);
  job.apply({ kind: 'asset-created', assetId: asset.id, credentialsEndAt, onComplete });
}

function isUnusable(error: unknown): error is TileliftError {
  return error instanceof TileliftError && error.code === 'creation-unusable';
}

/** Memory is enough for an upload without a restart. */
function keepGrant(job: LiveJob, grant: UploadGrant, { grants, log }: JobCollaborators): void {
  try {
    grants.set(job.id, grant);
  } catch (error) {
    log.warn({ jobId: job.id, error }, 'upload credentials are kept in memory only');
  }
}

/**
 * Resolves unanswered requests. Returns true if a stored response lets the job continue; other assets lack
 * the upload location.
 *
 * @throws TileliftError `creation-unanswered` if only the user may request another asset; errors of listing
 */
async function resolveUnanswered(
  job: LiveJob,
  api: ServiceApi,
  deps: JobCollaborators,
  { times, answer }: Readonly<RequestLog>,
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
    const [firstRequest] = requests;
    const isListed = firstRequest === undefined || (await nameOrphans(job, firstRequest, api, deps, signal));
    // After an unexpected answer an asset may exist that the list doesn't show.
    const isSure = isListed && answer?.code !== 'unexpected-answer';
    if (isSure && (hasWaited || isRefusal(answer)))
      for (let doubts = job.state.requests.length; doubts > 0; doubts--)
        job.apply({ kind: 'create-settled' });
    const isEarly = isSure && times <= quickRequests;
    const pause = pauseBefore(job, isSure, isEarly, deps.clock.now());
    if (pause === null) throw unansweredError(answer);
    if (pause <= 0 || hasWaited) return false;
    job.reportTrouble(answer ?? unansweredError(answer), pause);
    await job.pauses.sleep(pause, signal);
  }
}

/** Nothing is pending after the service's own refusal or a gateway's 503 (RFC 9110 15.6.4). */
function isRefusal(answer: TileliftError | null): boolean {
  const { code, status } = answer?.remote ?? {};
  return answer?.code === 'service-unavailable' && (code !== undefined || status === 503);
}

/**
 * Delay before requesting an asset, ms; null: never. Pure.
 *
 * @param isSure unanswered requests created nothing
 * @param isEarly an unanswered request may be repeated at once
 */
function pauseBefore(job: LiveJob, isSure: boolean, isEarly: boolean, nowMs: number): number | null {
  if (job.state.kind !== 'creating') return 0;
  const orphans = recentEvents(job, 'orphan-left');
  const doubts = Math.min(job.state.requests.length, recentEvents(job, 'create-requested').length);
  if (orphans.length + (isSure ? 0 : doubts) >= maxUnanswered) return null;
  if (orphans.length + doubts >= maxUnanswered || (doubts > 0 && !isEarly)) return unansweredPauseMs;
  const lastOrphan = orphans.at(-1);
  // The wait doesn't grow if the wall clock was set back.
  return lastOrphan ? Math.min(unansweredPauseMs, lastOrphan.at + unansweredPauseMs - nowMs) : 0;
}

function unansweredError(answer: TileliftError | null): TileliftError {
  const remote = answer?.remote;
  return new TileliftError('creation-unanswered', { ...(remote ? { remote } : {}), cause: answer });
}

/** Returns false if the list can't be read. */
async function nameOrphans(
  job: LiveJob,
  firstRequest: number,
  api: ServiceApi,
  deps: JobCollaborators,
  signal: AbortSignal,
): Promise<boolean> {
  const assets = await listIfAllowed(api, signal);
  // `dateAdded` uses the service's clock.
  const sinceMs = firstRequest + api.clockAheadMs() - clockToleranceMs;
  for (const asset of assets ?? [])
    if (mayBeOurs(asset, job, sinceMs) && !deps.isOurAsset(asset.id))
      job.apply({ kind: 'orphan-left', assetId: asset.id });
  return assets !== null;
}

function mayBeOurs(asset: Asset, job: LiveJob, sinceMs: number): boolean {
  const { name, type } = job.record.body;
  const added = Date.parse(asset.dateAdded);
  const isRecent = Number.isNaN(added) || added >= sinceMs;
  return asset.name === name && asset.type === type && asset.status === 'AWAITING_FILES' && isRecent;
}

const listRefusals: ReadonlySet<ErrorCode> = new Set(['list-not-allowed', 'request-refused']);

/** Assets can be created without permission to list (null). */
async function listIfAllowed(api: ServiceApi, signal: AbortSignal): Promise<readonly Asset[] | null> {
  try {
    return await api.listAssets(signal);
  } catch (error) {
    if (error instanceof TileliftError && listRefusals.has(error.code)) return null;
    throw error;
  }
}
