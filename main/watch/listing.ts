import { type HoldWhy, maxSourcesListed } from '../../shared/watch.ts';
import type { PhraseValue, Said } from '../../strings/phrase.ts';
import { errorPhrase } from '../../strings/said-error.ts';
import type { Key } from '../../strings/say.ts';
import { type ErrorRecord, isJournalTrouble, TileliftError, toErrorRecord } from '../errors.ts';
import type { JobSnapshot } from '../jobs/model.ts';
import type { Refusals } from './finish/refusals.ts';
import type { LedgerEntry, RuleSnapshot, SourceSnapshot } from './model/model.ts';
import { foundPhrase } from './model/noted-findings.ts';
import type { WatchRule } from './model/rule.ts';
import type { Runners } from './runner.ts';
import type { AloneReason } from './scan/skipped-files.ts';
import type { Pending } from './settle/settle-source.ts';
import type { Contents } from './state/contents.ts';
import { isUnverifiableElsewhere } from './state/ledger/asset-rules.ts';
import type { Ledger } from './state/ledger/ledger.ts';
import type { LedgerPorts, WatchAccounts } from './state/ports.ts';
import type { ListedSource } from './state/source-list.ts';
import type { SourceState } from './state/source-state.ts';
import type { Named, WhatChanged } from './state/what-changed.ts';

interface ListingOptions {
  readonly parts: LedgerPorts;
  readonly accounts: Pick<WatchAccounts, 'isReady' | 'nameOf'>;
  readonly contents: Pick<Contents, 'percentRead'>;
  readonly runners: Runners;
  readonly refusals: Pick<Refusals, 'reason'>;
}

/**
 * The snapshot of a listed source.
 *
 * @param entry the ledger row of its path
 * @param elapsed monotonic, ms
 * @param percentRead progress of a comparison of its content, or null
 */
function listedSnapshot(
  ruleId: string,
  source: ListedSource,
  entry: LedgerEntry | undefined,
  elapsed: number,
  percentRead: number | null,
): SourceSnapshot {
  const { path, source: foundSource, startedAt, error } = source;
  const isHeld = source.state.kind === 'held';
  const assetId = entry && (isHeld || source.stopping) ? entry.assetId : null;
  return {
    ruleId,
    path,
    files: foundSource?.files.length ?? 0,
    bytes: foundSource?.bytes ?? 0,
    ...linksOf(foundSource),
    at: startedAt,
    jobId: null,
    assetId,
    error,
    ...(isHeld && entry && entry.state !== 'seen' && { takenAt: entry.takenAt }),
    ...displayState(source, entry, elapsed, percentRead),
  };
}

const linksOf = (counted: { readonly links?: number } | null | undefined) =>
  counted?.links ? { links: counted.links } : {};

function displayState(
  { state, error, source, pending, question, stopping, skipReason }: ListedSource,
  entry: LedgerEntry | undefined,
  elapsed: number,
  percentRead: number | null,
): Pick<SourceSnapshot, 'state' | 'why' | 'actions' | 'otherKind'> {
  if (state.kind === 'held') {
    const { why } = state;
    const findings = question?.findings ?? [];
    return {
      state: 'held',
      why: [
        ...(findings.length > 0
          ? findings.map(foundPhrase)
          : heldReason(why, question?.changed ?? null, entry)),
        { key: 'sources.held.nothing' },
      ],
      ...(findings.some(({ id }) => id === 'rule-kind') ? { otherKind: true as const } : {}),
      actions: ['leave-it', why === 'findings' ? 'take-anyway' : error ? 'try-again' : 'make-asset'],
    };
  }
  if (skipReason) {
    const actions = source ? (['take-anyway'] as const) : [];
    return { state: 'left-alone', why: [{ key: aloneWords[skipReason] }], actions };
  }
  const comparing: Said = { key: 'sources.why.comparing', values: { percent: percentRead ?? 0 } };
  if (pending) {
    return {
      state: state.kind === 'settling' ? 'settling' : 'waiting',
      why: [percentRead === null ? pendingWhy(state, pending, elapsed) : comparing],
      actions: state.kind === 'queued' ? [] : ['take-now'],
    };
  }
  const isUnreadable = state.kind === 'waiting' && state.why === 'unreadable';
  if (error) return { state: isUnreadable ? 'settling' : 'waiting', why: [errorPhrase(error)], actions: [] };
  return { state: 'waiting', why: [stopping ? comparing : { key: 'sources.why.sameSource' }], actions: [] };
}

const aloneWords = {
  'no-data': 'sources.leftAlone.noData',
  'other-kind': 'sources.leftAlone.otherKind',
  'nothing-inside': 'sources.leftAlone.nothingInside',
  link: 'sources.leftAlone.link',
} as const satisfies Readonly<Record<AloneReason, Key>>;

function pendingWhy(state: SourceState, { notReady, samples, settleMs }: Pending, elapsed: number): Said {
  if (state.kind === 'waiting' && state.why === 'elsewhere') return { key: 'sources.why.elsewhere' };
  if (state.kind === 'queued') return { key: 'sources.why.turn' };
  if (notReady) return notReady.reason;
  const time = { duration: elapsed - (samples[0]?.sampledAt ?? elapsed) };
  return { key: 'sources.why.quiet', values: { time, of: { duration: settleMs } } };
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
  entry: LedgerEntry | undefined,
): readonly Said[] {
  if (changed && why !== 'cannot-compare')
    return (['changed', 'added', 'removed'] as const)
      .filter((kind) => changed[kind].count > 0)
      .map((kind) => ({
        key: fileWords[kind],
        values: { count: changed[kind].count, names: listed(changed[kind]) },
      }));
  if (entry?.error && isUnverifiableElsewhere(entry)) return [errorPhrase(entry.error)];
  const isUnwanted = why === 'changed' && entry?.state === 'skipped';
  return [{ key: isUnwanted ? 'sources.held.unwanted' : reasonWords[why] }];
}

function listed({ count, names }: Named): PhraseValue {
  return { names, more: count - names.length };
}

/** The snapshot of a source in the ledger. `currentTime`: ms since the epoch. */
export function knownSnapshot(
  entry: LedgerEntry,
  job: JobSnapshot | undefined,
  currentTime: number,
): SourceSnapshot {
  const { ruleId, path, files, bytes, takenAt, jobId, error } = entry;
  const assetId = entry.assetId ?? job?.assetId ?? null;
  const at = entry.endedAt ?? takenAt;
  const commonFields = { ruleId, path, files, bytes, ...linksOf(job), takenAt, jobId, assetId, at, error };
  const failedWhy = { why: error ? errorPhrase(error) : ({ key: 'sources.why.givenUp' } as const) };
  switch (entry.state) {
    case 'seen':
    case 'skipped': {
      const key = assetId === null ? 'sources.why.unwanted' : 'sources.why.madeElsewhere';
      return { ...commonFields, state: 'skipped', why: [{ key }], at: takenAt, actions: ['try-again'] };
    }
    case 'taken': {
      const why = [underWayWhy(job)];
      return {
        ...{ ...commonFields, state: 'under-way', why, at: takenAt, actions: [] },
        error: job?.error ?? null,
      };
    }
    case 'complete': {
      const moved = entry.movedTo === null ? {} : { movedTo: entry.movedTo };
      const why = [{ key: 'sources.why.complete' }] as const;
      return { ...commonFields, state: 'complete', why, ...moved, actions: [] };
    }
    case 'waits-for-retry': {
      const time = { duration: Math.max(0, (entry.retryAt ?? currentTime) - currentTime) };
      const why: Said = { key: 'sources.why.retryIn', values: { ...failedWhy, time } };
      return { ...commonFields, state: 'waiting', why: [why], actions: ['try-again'] };
    }
    case 'waits-for-change':
    case 'waits-for-person': {
      const key = entry.state === 'waits-for-change' ? 'sources.why.change' : 'sources.why.person';
      const why = [{ key, values: failedWhy }] as const;
      return { ...commonFields, state: 'failed', why, actions: ['try-again', 'dismiss'] };
    }
  }
}

const unanswered: Partial<Record<ErrorRecord['code'], Key>> = {
  'storage-unreachable': 'sources.why.noStorage',
  'service-unreachable': 'sources.why.noService',
  'proxy-unreachable': 'sources.why.noProxy',
};

const waitWords = {
  'sign-in': 'sources.why.signIn',
  network: 'sources.why.network',
  source: 'sources.why.source',
  terrain: 'sources.why.terrain',
  confirmation: 'sources.why.confirmation',
  turn: 'sources.why.line',
} as const satisfies Readonly<Record<NonNullable<JobSnapshot['waitingFor']>, Key>>;

function underWayWhy(job: JobSnapshot | undefined): Said {
  if (!job) return { key: 'sources.why.underWay' };
  const { waitingFor, error } = job;
  if (error && isJournalTrouble(error)) return errorPhrase(error);
  const unreached = waitingFor === 'network' && error ? unanswered[error.code] : undefined;
  if (waitingFor) return { key: unreached ?? waitWords[waitingFor] };
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

const never = Number.POSITIVE_INFINITY;

/** Rules and their sources as displayed. */
export class Listing {
  readonly #options: ListingOptions;
  readonly #counts = new Map<string, ReturnType<Ledger['counts']>>();

  constructor(options: ListingOptions) {
    this.#options = options;
  }

  forget(ruleId: string): void {
    this.#counts.delete(ruleId);
  }

  /** `isLost`: switched off by a loss of ledger rows. */
  rule(rule: WatchRule, isLost: boolean): RuleSnapshot {
    const { parts, runners, refusals } = this.#options;
    const runner = runners.get(rule.id);
    const ledgerCounts = this.#countsOf(rule.id);
    const list = runner?.sources.list;
    const listed = list?.counts() ?? { settling: 0, waiting: 0, held: 0, leftAlone: 0 };
    const stuck = list?.stuck ?? [];
    const earliest = Math.min(ledgerCounts.retryingSince, list?.waitingSince() ?? never);
    const notice = isLost
      ? toErrorRecord(new TileliftError('watch-ledger-lost', { subject: rule.name }))
      : null;
    const runnerState = runner?.state ?? {
      state: 'paused' as const,
      notice,
      isNetworkDrive: false,
      lastLookAt: null,
    };
    return {
      rule,
      ...runnerState,
      notice: runnerState.notice ?? this.#accountMissing(rule) ?? refusals.reason(rule.id),
      counts: {
        ...listed,
        waiting: listed.waiting + ledgerCounts['waits-for-retry'],
        underWay: ledgerCounts.taken,
        complete: ledgerCounts.complete,
        failed: ledgerCounts['waits-for-change'] + ledgerCounts['waits-for-person'],
        skipped: ledgerCounts.skipped,
      },
      question: list?.question ?? null,
      ...(stuck.length > 0 && { stuck }),
      lastTakenAt: parts.ledger.lastTakenAt(rule.id),
      waitingSince: earliest === never ? null : earliest,
    };
  }

  #countsOf(ruleId: string): ReturnType<Ledger['counts']> {
    const counts = this.#counts.get(ruleId) ?? this.#options.parts.ledger.counts(ruleId);
    this.#counts.set(ruleId, counts);
    return counts;
  }

  /** The account is signed out, unknown or mistyped; no other one replaces it. */
  #accountMissing({ on: isOn, accountId }: WatchRule): ErrorRecord | null {
    const { accounts } = this.#options;
    if (!isOn || accounts.isReady(accountId)) return null;
    const subject = accounts.nameOf(accountId);
    return toErrorRecord(new TileliftError('watch-account-missing', { subject }));
  }

  sources(ruleId: string): readonly SourceSnapshot[] {
    const { parts, contents, runners } = this.#options;
    const { ledger, jobs, clock } = parts;
    const [currentTime, elapsed] = [clock.now(), clock.elapsed()];
    const runner = runners.get(ruleId);
    const listed: SourceSnapshot[] = [];
    const skipped: SourceSnapshot[] = [];
    for (const source of runner?.sources.list.all ?? []) {
      const { path, state } = source;
      const group = state.kind === 'skipped' ? skipped : listed;
      if (group.length >= maxSourcesListed) continue;
      const percentRead = contents.percentRead(ruleId, path);
      group.push(listedSnapshot(ruleId, source, ledger.find(ruleId, path), elapsed, percentRead));
    }
    listed.sort((a, b) => rank(a) - rank(b));
    const ledgerSnapshots = ledger
      .list(ruleId, maxSourcesListed)
      .filter(({ path }) => !runner?.sources.list.get(path))
      .map((entry) =>
        knownSnapshot(entry, entry.jobId === null ? undefined : jobs.get(entry.jobId), currentTime),
      );
    const snapshots = [...listed, ...ledgerSnapshots].slice(0, maxSourcesListed);
    return [...snapshots, ...skipped];
  }
}

const rank = ({ state, error }: SourceSnapshot): number => {
  if (error) return 0;
  return state === 'held' ? 1 : 2;
};
