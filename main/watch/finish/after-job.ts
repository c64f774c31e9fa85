import type { Phrase } from '../../../strings/phrase.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { Random } from '../../service/backoff.ts';
import type { LedgerEntry } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { batchPhrase } from '../model/words.ts';
import { failureClassOf } from '../state/ledger/failure-class.ts';
import type { LedgerChange } from '../state/ledger/ledger-model.ts';
import { retryDelayMs } from '../state/ledger/retry-delay.ts';
import { mayRestart } from '../state/ledger/second-asset.ts';

/** Decides about a source after its job's end (design, "Watch rules"). Pure. */

interface AfterJob {
  readonly change: LedgerChange;
  /**
   * `try-again-later`: at `retryAt`, if possible with the same job, which keeps its asset and parts.
   * `start-again-now`: as another asset.
   */
  readonly next: 'nothing' | 'try-again-later' | 'start-again-now';
  readonly words: readonly Phrase[];
}

export interface AfterJobContext {
  readonly rule: Pick<WatchRule, 'whenExpired'> | undefined;
  readonly now: number;
  /** The upload would probably end before its credentials expire. */
  readonly forecastFits: boolean;
  readonly random: Random;
}

type Known = Pick<LedgerEntry, 'path' | 'retries' | 'restarts'>;

/** The change of a row whose job continues. */
export const underWay: LedgerChange = {
  state: 'taken',
  retryAt: null,
  endedAt: null,
  error: null,
  standing: null,
};

const maxDoubtfulTries = 3;

/** Decides by the ended `job`; undefined if the user removed it. An unfinished one changes nothing. */
export function afterJob(entry: Known, job: JobSnapshot | undefined, context: AfterJobContext): AfterJob {
  const name = nameOf(entry.path);
  const ended = {
    endedAt: job?.endedAt ?? context.now,
    assetId: job?.assetId ?? null,
    error: job?.error ?? null,
  };
  const waitForPerson = (key: Phrase['key']): AfterJob => ({
    change: { ...ended, state: 'waits-for-person', retryAt: null },
    next: 'nothing',
    words: [{ key, values: { name } }],
  });
  if (!job) return waitForPerson('sources.offList');
  switch (job.status) {
    case 'complete':
      return {
        change: {
          ...ended,
          state: 'complete',
          error: null,
          retries: 0,
          restarts: 0,
          retryAt: null,
          standing: null,
        },
        next: 'nothing',
        words: [{ key: 'sources.complete', values: { name, id: String(job.assetId) } }],
      };
    case 'cancelled':
      return waitForPerson('sources.cancelled');
    case 'expired':
      return afterExpiry(entry, ended, context);
    case 'data-error':
    case 'error':
    case 'failed':
      return afterFailure(entry, ended, context, job);
    default:
      return { change: {}, next: 'nothing', words: [] };
  }
}

interface Ended {
  readonly endedAt: number;
  readonly assetId: number | null;
  readonly error: ErrorRecord | null;
}

/** If all bytes are in storage, the source can't be the cause, and the same job is retried. */
function afterFailure(
  { path, retries, restarts }: Known,
  ended: Ended,
  { now, random }: AfterJobContext,
  job: JobSnapshot,
): AfterJob {
  const isInStorage = job.status === 'failed' && job.uploadedAt !== null;
  const mayGoOn = job.actions.includes('try-again') || mayRestart({ ...ended, restarts });
  const own = failureClassOf(ended.error?.code ?? 'internal');
  const kind = own === 'own' || mayGoOn ? (isInStorage && own !== 'person' ? 'others' : own) : 'person';
  const failure = failurePhrase(path, ended.error);
  const hasHope = kind === 'others' || (kind === 'perhaps-own' && retries < maxDoubtfulTries);
  if (hasHope) {
    const failures = retries + 1;
    const retryAt = now + retryDelayMs(failures, random);
    return {
      change: { ...ended, state: 'waits-for-retry', retries: failures, retryAt },
      next: 'try-again-later',
      words: [failure, { key: 'sources.triesAgain' }],
    };
  }
  const state = kind === 'person' ? 'waits-for-person' : 'waits-for-change';
  const waits: Phrase = { key: kind === 'person' ? 'sources.waitsForWord' : 'sources.waitsForChange' };
  return { change: { ...ended, state, retryAt: null }, next: 'nothing', words: [failure, waits] };
}

function afterExpiry(entry: Known, ended: Ended, { rule, now, forecastFits }: AfterJobContext): AfterJob {
  const failure = failurePhrase(entry.path, ended.error);
  const mayStart = rule?.whenExpired === 'start-again' && mayRestart({ ...ended, ...entry }) && forecastFits;
  if (!mayStart) {
    const change = { ...ended, state: 'waits-for-person', retryAt: null } as const;
    return { change, next: 'nothing', words: [failure, { key: 'sources.waitsForWord' }] };
  }
  return {
    // If Tilelift quits before the new job exists, the next start finds the row due.
    change: { ...ended, state: 'waits-for-retry', retryAt: now },
    next: 'start-again-now',
    words: [failure, { key: 'sources.startsAgain' }],
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
