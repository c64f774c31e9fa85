import type { HoldWhy } from '../../../shared/watch.ts';
import type { PhraseValue, Said } from '../../../strings/phrase.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import type { Key } from '../../../strings/say.ts';
import { type ErrorRecord, type TileliftError, toErrorRecord } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { foundPhrase } from '../findings/noted-findings.ts';
import type { HeldSource } from '../held/held-sources.ts';
import type { Named, WhatChanged } from '../held/what-changed.ts';
import { isUntoldElsewhere } from '../ledger/second-asset.ts';
import type { LedgerEntry, SourceSnapshot } from '../model.ts';
import { isWaiting, type Pending } from '../settle/pending-sources.ts';
import type { Comparison } from '../verify/comparisons.ts';

/**
 * A source that is not taken yet, as a person sees it.
 *
 * @param elapsed the watch's own clock, ms
 * @param percentRead how much of it has been read, to be compared with what another computer made of it; null
 *   while it isn't
 */
export function pendingSnapshot(
  ruleId: string,
  pending: Pending,
  elapsed: number,
  percentRead: number | null = null,
): SourceSnapshot {
  const { found, settled, firstSeenAt } = pending;
  return {
    ruleId,
    path: found.path,
    files: found.files.length,
    bytes: found.bytes,
    state: isWaiting(pending) ? 'waiting' : 'settling',
    why: [
      percentRead === null
        ? pendingWhy(pending, elapsed)
        : { key: 'sources.why.comparing', values: { percent: percentRead } },
    ],
    at: firstSeenAt,
    jobId: null,
    assetId: null,
    error: null,
    actions: settled ? [] : ['take-now'],
  };
}

/** A source of which something can't be read. `why`: names that. */
export function unreadableSnapshot(
  ruleId: string,
  source: string,
  why: TileliftError,
  at: number,
): SourceSnapshot {
  const error = toErrorRecord(why);
  return {
    ruleId,
    path: source,
    files: 0,
    bytes: 0,
    state: 'settling',
    why: [errorPhrase(error)],
    at,
    jobId: null,
    assetId: null,
    error,
    actions: [],
  };
}

function pendingWhy({ settled, elsewhere, doubt, samples, settleTime }: Pending, elapsed: number): Said {
  if (elsewhere) return { key: 'sources.why.elsewhere' };
  if (settled) return { key: 'sources.why.turn' };
  if (doubt) return doubt.reason;
  const time = { duration: elapsed - (samples[0]?.at ?? elapsed) };
  const of = { duration: settleTime.ms };
  return settleTime.pauseMs === null
    ? { key: 'sources.why.quiet', values: { time, of } }
    : { key: 'sources.why.quietLonger', values: { time, of, pause: { duration: settleTime.pauseMs } } };
}

/** A source that is being compared, as a person sees it. `known`: the ledger's row of its path. */
export function comparingSnapshot(
  ruleId: string,
  { found, since, bytesRead, error }: Comparison,
  known: LedgerEntry | undefined,
): SourceSnapshot {
  const percent = Math.floor((100 * bytesRead) / Math.max(1, found.bytes));
  return {
    ruleId,
    path: found.path,
    files: found.files.length,
    bytes: found.bytes,
    state: 'waiting',
    why: [error ? errorPhrase(error) : { key: 'sources.why.comparing', values: { percent } }],
    at: since,
    jobId: null,
    assetId: known?.assetId ?? null,
    error,
    actions: [],
  };
}

const fileWords = {
  changed: 'sources.held.filesChanged',
  added: 'sources.held.filesAdded',
  removed: 'sources.held.filesRemoved',
} as const satisfies Readonly<Record<keyof WhatChanged, Key>>;

const reasonWords: Readonly<Record<HoldWhy, Key>> = {
  changed: 'sources.held.changed',
  'cannot-compare': 'sources.held.cannotCompare',
  'many-changed': 'sources.held.manyChanged',
  restored: 'sources.held.restored',
  'kind-undecided': 'sources.held.kindUndecided',
  findings: 'sources.held.isFound',
};

function heldReason(
  why: HoldWhy,
  changed: WhatChanged | null,
  known: LedgerEntry | undefined,
): readonly Said[] {
  if (changed && why !== 'cannot-compare')
    return (['changed', 'added', 'removed'] as const)
      .filter((kind) => changed[kind].count > 0)
      .map((kind) => ({
        key: fileWords[kind],
        values: { count: changed[kind].count, names: listed(changed[kind]) },
      }));
  if (known?.error && isUntoldElsewhere(known)) return [errorPhrase(known.error)];
  const isUnwanted = why === 'changed' && known?.state === 'skipped';
  return [{ key: isUnwanted ? 'sources.held.unwanted' : reasonWords[why] }];
}

function listed({ count, names }: Named): PhraseValue {
  return { names, more: count - names.length };
}

/** A held source, as a person sees it. `known`: the ledger's row of its path. */
export function heldSnapshot(
  ruleId: string,
  { found, why, since, changed, error, findings }: HeldSource,
  known: LedgerEntry | undefined,
): SourceSnapshot {
  return {
    ruleId,
    path: found.path,
    files: found.files.length,
    bytes: found.bytes,
    state: 'held',
    why: [
      ...(findings.length > 0 ? findings.map(foundPhrase) : heldReason(why, changed, known)),
      { key: 'sources.held.nothing' },
    ],
    at: since,
    ...(known ? { takenAt: known.takenAt } : {}),
    jobId: null,
    assetId: known?.assetId ?? null,
    error,
    ...(findings.some(({ id }) => id === 'rule-kind') ? { otherKind: true } : {}),
    actions: ['leave-it', why === 'findings' ? 'take-anyway' : error ? 'try-again' : 'make-asset'],
  };
}

/** A source that the ledger knows. `now`: ms since the epoch. */
export function knownSnapshot(entry: LedgerEntry, job: JobSnapshot | undefined, now: number): SourceSnapshot {
  const { ruleId, path, files, bytes, takenAt, jobId, assetId, error } = entry;
  const at = entry.endedAt ?? takenAt;
  const known = {
    ruleId,
    path,
    files,
    bytes,
    takenAt,
    jobId,
    at,
    error,
    assetId: assetId ?? job?.assetId ?? null,
  };
  const failedWhy = { why: reason(error) };
  switch (entry.state) {
    case 'skipped':
      return {
        ...known,
        state: 'skipped',
        why: [{ key: 'sources.why.unwanted' }],
        at: takenAt,
        actions: ['try-again'],
      };
    case 'taken':
      return {
        ...known,
        state: 'under-way',
        why: [underWayWhy(job)],
        at: takenAt,
        error: job?.error ?? null,
        actions: [],
      };
    case 'complete':
      return {
        ...known,
        state: 'complete',
        why: [{ key: 'sources.why.complete' }],
        ...(entry.movedTo === null ? {} : { movedTo: entry.movedTo }),
        actions: [],
      };
    case 'waits-for-retry': {
      const time = { duration: Math.max(0, (entry.retryAt ?? now) - now) };
      const why: Said = { key: 'sources.why.retryIn', values: { ...failedWhy, time } };
      return { ...known, state: 'waiting', why: [why], actions: ['try-again'] };
    }
    case 'waits-for-change':
    case 'waits-for-person': {
      const key = entry.state === 'waits-for-change' ? 'sources.why.change' : 'sources.why.person';
      return {
        ...known,
        state: 'failed',
        why: [{ key, values: failedWhy }],
        actions: ['try-again', 'dismiss'],
      };
    }
  }
}

function reason(error: ErrorRecord | null): Said {
  return error ? errorPhrase(error) : { key: 'sources.why.givenUp' };
}

const unanswered: Partial<Record<ErrorRecord['code'], Key>> = {
  'storage-unreachable': 'sources.why.noStorage',
  'service-unreachable': 'sources.why.noService',
  'proxy-unreachable': 'sources.why.noProxy',
};

/** Who does not answer, where that is known. */
function networkWhy({ error }: JobSnapshot): Said {
  return { key: (error && unanswered[error.code]) ?? 'sources.why.network' };
}

function underWayWhy(job: JobSnapshot | undefined): Said {
  if (!job) return { key: 'sources.why.underWay' };
  if (job.waitingFor === 'sign-in') return { key: 'sources.why.signIn' };
  if (job.waitingFor === 'network') return networkWhy(job);
  if (job.waitingFor === 'source') return { key: 'sources.why.source' };
  if (job.waitingFor === 'terrain') return { key: 'sources.why.terrain' };
  if (job.waitingFor === 'confirmation') return { key: 'sources.why.confirmation' };
  if (job.waitingFor === 'turn') return { key: 'sources.why.line' };
  if (job.status === 'uploading' && job.bytesTotal) {
    return {
      key: 'sources.why.uploading',
      values: { percent: Math.floor((job.bytesDone / job.bytesTotal) * 100) },
    };
  }
  if (job.status === 'tiling')
    return job.percentComplete === null
      ? { key: 'sources.why.tiling' }
      : { key: 'sources.why.tilingAt', values: { percent: job.percentComplete } };
  return { key: job.status === 'completing' ? 'sources.why.completing' : 'sources.why.prepared' };
}
