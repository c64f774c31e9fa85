import { maxSourcesListed } from '../../shared/watch.ts';
import { type ErrorRecord, TileliftError, toErrorRecord } from '../errors.ts';
import type { Refusals } from './finish/refusals.ts';
import type { RuleSnapshot, SourceSnapshot } from './model/model.ts';
import type { WatchRule } from './model/rule.ts';
import type { Runners } from './runners.ts';
import { knownSnapshot, listedSnapshot } from './source-snapshots.ts';
import type { Ledger } from './state/ledger/ledger-model.ts';
import type { WatchParts } from './state/watch-parts.ts';

const never = Number.POSITIVE_INFINITY;

interface Counted {
  readonly counts: ReturnType<Ledger['counts']>;
  /** The earliest upload of a waiting source, ms since the epoch; infinite for none. */
  readonly retryingSince: number;
}

/** Rules and their sources as displayed. */
export class Listing {
  readonly #parts: WatchParts;
  readonly #runners: Runners;
  readonly #refusals: Pick<Refusals, 'reason'>;
  readonly #counts = new Map<string, Counted>();

  constructor(parts: WatchParts, runners: Runners, refusals: Pick<Refusals, 'reason'>) {
    this.#parts = parts;
    this.#runners = runners;
    this.#refusals = refusals;
  }

  forget(ruleId: string): void {
    this.#counts.delete(ruleId);
  }

  /** `isLost`: switched off by a loss of ledger rows. */
  rule(rule: WatchRule, isLost: boolean): RuleSnapshot {
    const { ledger } = this.#parts;
    const runner = this.#runners.get(rule.id);
    const { counts: ledgerCounts, retryingSince } = this.#countsOf(rule.id);
    const list = runner?.sources.list;
    const listed = list?.counts() ?? { settling: 0, waiting: 0, held: 0, leftAlone: 0 };
    const earliest = Math.min(retryingSince, list?.waitingSince() ?? never);
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
      notice: runnerState.notice ?? this.#accountMissing(rule) ?? this.#refusals.reason(rule.id),
      counts: {
        ...listed,
        waiting: listed.waiting + ledgerCounts['waits-for-retry'],
        underWay: ledgerCounts.taken,
        complete: ledgerCounts.complete,
        failed: ledgerCounts['waits-for-change'] + ledgerCounts['waits-for-person'],
        leftAlone: listed.leftAlone + (runner?.links.besideSources ?? 0),
      },
      question: list?.question ?? null,
      lastTakenAt: ledger.lastTakenAt(rule.id),
      waitingSince: earliest === never ? null : earliest,
    };
  }

  #countsOf(ruleId: string): Counted {
    const cached = this.#counts.get(ruleId);
    if (cached) return cached;
    const { ledger } = this.#parts;
    const counts = ledger.counts(ruleId);
    const retryEntries = counts['waits-for-retry'] > 0 ? ledger.waitingForRetry(ruleId) : [];
    const retryingSince = retryEntries.reduce((earliest, { takenAt }) => Math.min(earliest, takenAt), never);
    const counted = { counts, retryingSince };
    this.#counts.set(ruleId, counted);
    return counted;
  }

  /** The account is signed out, unknown or mistyped; no other one replaces it. */
  #accountMissing({ on: isOn, accountId }: WatchRule): ErrorRecord | null {
    const { accounts } = this.#parts;
    if (!isOn || accounts.isReady(accountId)) return null;
    const subject = accounts.nameOf(accountId);
    return toErrorRecord(new TileliftError('watch-account-missing', { subject }));
  }

  sources(ruleId: string): readonly SourceSnapshot[] {
    const { ledger, jobs, clock, elapsed, contents } = this.#parts;
    const currentTime = clock.now();
    const runner = this.#runners.get(ruleId);
    const listed: SourceSnapshot[] = [];
    const skipped: SourceSnapshot[] = [];
    for (const source of runner?.sources.list.all ?? []) {
      const { path, state } = source;
      const group = state.kind === 'skipped' ? skipped : listed;
      if (group.length >= maxSourcesListed) continue;
      const percentRead = source.pending ? contents.percentRead(ruleId, path) : null;
      group.push(listedSnapshot(ruleId, source, ledger.find(ruleId, path), elapsed(), percentRead));
    }
    listed.sort((a, b) => rank(a) - rank(b));
    const ledgerSnapshots = ledger
      .list(ruleId, maxSourcesListed)
      .filter(({ path }) => !runner?.sources.list.get(path))
      .map((entry) =>
        knownSnapshot(entry, entry.jobId === null ? undefined : jobs.get(entry.jobId), currentTime),
      );
    const snapshots = [...listed, ...ledgerSnapshots].slice(0, maxSourcesListed);
    return [...snapshots, ...skipped, ...(runner?.links.snapshots(ruleId) ?? [])].map((source) => {
      const links = runner?.links.countIn(source.path) ?? 0;
      return links === 0 ? source : { ...source, links };
    });
  }
}

const rank = ({ state, error }: SourceSnapshot): number => {
  if (error) return 0;
  return state === 'held' ? 1 : 2;
};
