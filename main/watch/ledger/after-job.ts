import type { Phrase } from '../../../strings/phrase.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { Random } from '../../service/backoff.ts';
import type { LedgerEntry } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { batchPhrase } from '../words.ts';
import { failureClassOf } from './failure-class.ts';
import type { LedgerChange } from './ledger-model.ts';
import { retryDelayMs } from './retry-delay.ts';
import { mayRestart } from './second-asset.ts';

/** What follows for a source from the end of its job (design, "Watch rules"). Pure. */

interface AfterJob {
  readonly change: LedgerChange;
  /**
   * `try-again-later`: at the change's `retryAt`; the same job where it can be tried again, so that its asset
   * and what storage has are not lost. `start-again-now`: as another asset.
   */
  readonly next: 'nothing' | 'try-again-later' | 'start-again-now';
  /** Sentences for the rule's activity log. */
  readonly words: readonly Phrase[];
}

export interface AfterJobContext {
  /** Undefined when the rule was removed meanwhile. */
  readonly rule: Pick<WatchRule, 'whenExpired'> | undefined;
  /** ms since the epoch. */
  readonly now: number;
  /** The upload would probably end before its credentials do. */
  readonly forecastFits: boolean;
  readonly random: Random;
}

type Known = Pick<LedgerEntry, 'path' | 'retries' | 'restarts'>;

/** Of a row whose job continues. */
export const underWay: LedgerChange = {
  state: 'taken',
  retryAt: null,
  endedAt: null,
  error: null,
  standing: null,
};

/** Tries after failures that may be the source's own fault. */
const maxDoubtfulTries = 3;

/**
 * `job`: as it ended; undefined when a person removed it from the list. An unfinished one changes nothing.
 */
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

/**
 * Where all bytes are in storage, what failed came after. Whatever it was is no fault of the source: the job
 * is tried again as itself. One that has an asset and can't be continued costs another asset.
 */
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
    // Should Tilelift end before the new job is there, the next start finds it due.
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
