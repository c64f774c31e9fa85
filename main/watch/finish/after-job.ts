import type { Phrase } from '../../../strings/phrase.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { Random } from '../../service/backoff.ts';
import type { LedgerEntry } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { batchPhrase } from '../model/source-names.ts';
import { failureClassOf, mayRestart, retryDelayMs } from '../state/ledger/asset-rules.ts';
import type { LedgerChange } from '../state/ledger/ledger.ts';
import { type JobEnd, ledgerFieldsAfter, refusedAtAfter } from '../state/source-state.ts';

/** Decides about a source after its job's end. Pure. */

interface AfterJob {
  readonly change: LedgerChange;
  readonly phrases: readonly Phrase[];
}

export interface AfterJobContext {
  readonly rule: Pick<WatchRule, 'whenExpired'> | undefined;
  readonly currentTime: number;
  /** The upload would probably end before its credentials expire. */
  readonly forecastFits: boolean;
  /** A user removed the source before it was uploaded. */
  readonly isGone: boolean;
  readonly random: Random;
}

type Known = Pick<LedgerEntry, 'path' | 'retries' | 'restarts' | 'refusedAt'>;

/** The change of a row whose job continues. A refusal remains the reason of its rule's pause. */
export function underWay({ refusedAt, error: previousError }: LedgerEntry): LedgerChange {
  const error = refusedAt ? previousError : null;
  return { state: 'taken', retryAt: null, endedAt: null, error, standing: null };
}

const untried = { retries: 0, restarts: 0, refusedAt: null };

const maxUncertainTries = 3;

const retryAfter = (retryAt: number): JobEnd => ({ kind: 'failed', retry: 'time', retryAt });
const forChange: JobEnd = { kind: 'failed', retry: 'change', retryAt: null };
const forUser: JobEnd = { kind: 'failed', retry: 'user', retryAt: null };

/** Decides by the ended `job`; undefined if the user removed it. An unfinished one changes nothing. */
export function afterJob(entry: Known, job: JobSnapshot | undefined, context: AfterJobContext): AfterJob {
  const name = nameOf(entry.path);
  const jobEnd = {
    endedAt: job?.endedAt ?? context.currentTime,
    assetId: job?.assetId ?? null,
    error: job?.error ?? null,
  };
  const waitForPerson = (key: Phrase['key']): AfterJob => ({
    change: { ...jobEnd, ...ledgerFieldsAfter(forUser) },
    phrases: [{ key, values: { name } }],
  });
  if (!job) return waitForPerson('sources.offList');
  switch (job.status) {
    case 'complete':
      return {
        change: {
          ...jobEnd,
          ...ledgerFieldsAfter({ kind: 'done' }),
          error: null,
          ...untried,
          standing: null,
        },
        phrases: [{ key: 'sources.complete', values: { name, id: String(job.assetId) } }],
      };
    case 'cancelled':
      return waitForPerson('sources.cancelled');
    case 'expired':
      return afterExpiry(entry, jobEnd, context);
    case 'data-error':
    case 'error':
    case 'failed':
      return afterFailure(entry, jobEnd, context, job);
    default:
      return { change: {}, phrases: [] };
  }
}

interface Ended {
  readonly endedAt: number;
  readonly assetId: number | null;
  readonly error: ErrorRecord | null;
}

/** If all bytes are in storage, the source can't be the cause, and the same job is retried. */
function afterFailure(
  entry: Known,
  jobEnd: Ended,
  { currentTime, isGone, random }: AfterJobContext,
  job: JobSnapshot,
): AfterJob {
  const { path, retries, restarts } = entry;
  const isInStorage = job.status === 'failed' && job.uploadedAt !== null;
  const canContinue = job.actions.includes('try-again') || mayRestart({ ...jobEnd, restarts });
  const failureClass = failureClassOf(jobEnd.error?.code ?? 'internal');
  const kind =
    failureClass === 'own' || canContinue
      ? isInStorage && failureClass !== 'person'
        ? 'others'
        : failureClass
      : 'person';
  const failure = failurePhrase(path, jobEnd.error);
  const hasHope = kind === 'others' || (kind === 'perhaps-own' && retries < maxUncertainTries);
  if (hasHope) {
    const failures = retries + 1;
    const retryAt = currentTime + retryDelayMs(failures, random);
    const refusedAt = refusedAtAfter(entry, jobEnd.error, currentTime);
    return {
      change: { ...jobEnd, ...ledgerFieldsAfter(retryAfter(retryAt)), retries: failures, refusedAt },
      phrases: [failure, { key: isGone ? 'sources.isGone' : 'sources.triesAgain' }],
    };
  }
  const end = kind === 'person' ? forUser : forChange;
  const waits: Phrase = { key: kind === 'person' ? 'sources.waitsForWord' : 'sources.waitsForChange' };
  return { change: { ...jobEnd, ...ledgerFieldsAfter(end) }, phrases: [failure, waits] };
}

function afterExpiry(
  entry: Known,
  jobEnd: Ended,
  { rule, currentTime, forecastFits }: AfterJobContext,
): AfterJob {
  const failure = failurePhrase(entry.path, jobEnd.error);
  const mayStart = rule?.whenExpired === 'start-again' && mayRestart({ ...jobEnd, ...entry }) && forecastFits;
  if (!mayStart) {
    const change = { ...jobEnd, ...ledgerFieldsAfter(forUser) };
    return { change, phrases: [failure, { key: 'sources.waitsForWord' }] };
  }
  return {
    // Its job can't continue, so it settles again and becomes another asset.
    change: { ...jobEnd, ...ledgerFieldsAfter(retryAfter(currentTime)) },
    phrases: [failure, { key: 'sources.startsAgain' }],
  };
}

function failurePhrase(path: string, error: ErrorRecord | null): Phrase {
  const remote = error?.remote?.message;
  const why = error ? errorPhrase(error) : { key: 'sources.nobodySaid' as const };
  return remote
    ? { key: 'sources.failedSaying', values: { name: nameOf(path), why, remote } }
    : { key: 'sources.failed', values: { name: nameOf(path), why } };
}

function nameOf(path: string): string | Phrase {
  return batchPhrase(path) ?? (path === '.' ? { key: 'sources.theFolder' } : path);
}
