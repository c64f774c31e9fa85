import { maxSourcesListed } from '../../../shared/watch.ts';
import { type ErrorRecord, TileliftError, toErrorRecord } from '../../errors.ts';
import type { Ledger } from '../ledger/ledger-model.ts';
import type { RuleSnapshot, SourceSnapshot } from '../model.ts';
import type { Refusals } from '../outage/refusals.ts';
import type { WatchRule } from '../rule.ts';
import type { RuleRunner } from '../rule-runner.ts';
import type { Runners } from '../runners.ts';
import { isWaiting } from '../settle/pending-sources.ts';
import type { WatchParts } from '../watch-parts.ts';
import {
  comparingSnapshot,
  heldSnapshot,
  knownSnapshot,
  pendingSnapshot,
  unreadableSnapshot,
} from './source-snapshots.ts';

const never = Number.POSITIVE_INFINITY;

interface Counted {
  readonly counts: ReturnType<Ledger['counts']>;
  /** When the first of those that wait for another try was taken, ms since the epoch; infinite for none. */
  readonly retryingSince: number;
}

/** A rule that has not begun: nothing is known of its folder. */
export const untriedRule = (rule: WatchRule): RuleSnapshot => ({
  rule,
  state: 'looking',
  notice: null,
  isNetworkDrive: false,
  counts: { settling: 0, waiting: 0, underWay: 0, complete: 0, failed: 0, held: 0, leftAlone: 0 },
  question: null,
  lastTakenAt: null,
  waitingSince: null,
  lastLookAt: null,
});

/** Rules and their sources, as people see them. */
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

  /** Something of the rule has changed: its rows are counted again. */
  forget(ruleId: string): void {
    this.#counts.delete(ruleId);
  }

  /** `isLost`: it was switched off since rows of the ledger were lost. */
  rule(rule: WatchRule, isLost: boolean): RuleSnapshot {
    const { ledger } = this.#parts;
    const runner = this.#runners.get(rule.id);
    const { counts: known, retryingSince } = this.#countsOf(rule.id);
    let since = retryingSince;
    for (const at of runner?.waitingSince() ?? []) since = Math.min(since, at);
    let [waiting, settling] = [0, runner?.unreadable.size ?? 0];
    for (const one of runner?.pending ?? []) {
      if (isWaiting(one)) waiting += 1;
      else settling += 1;
    }
    const notice = isLost
      ? toErrorRecord(new TileliftError('watch-ledger-lost', { subject: rule.name }))
      : null;
    const shown = runner?.state ?? {
      state: 'paused' as const,
      notice,
      isNetworkDrive: false,
      lastLookAt: null,
    };
    return {
      rule,
      ...shown,
      notice: shown.notice ?? this.#accountMissing(rule) ?? this.#refusals.reason(rule.id),
      counts: {
        settling,
        waiting: waiting + known['waits-for-retry'] + (runner?.comparisons.size ?? 0),
        underWay: known.taken,
        complete: known.complete,
        failed: known['waits-for-change'] + known['waits-for-person'],
        held: runner?.held.size ?? 0,
        leftAlone: runner?.leftAlone.size ?? 0,
      },
      question: runner?.held.question ?? null,
      lastTakenAt: ledger.lastTakenAt(rule.id),
      waitingSince: since === never ? null : since,
    };
  }

  /** As counted when something of the rule last changed. */
  #countsOf(ruleId: string): Counted {
    const before = this.#counts.get(ruleId);
    if (before) return before;
    const { ledger } = this.#parts;
    const counts = ledger.counts(ruleId);
    const waiting = counts['waits-for-retry'] > 0 ? ledger.waitingForRetry(ruleId) : [];
    const retryingSince = waiting.reduce((first, { takenAt }) => Math.min(first, takenAt), never);
    const counted = { counts, retryingSince };
    this.#counts.set(ruleId, counted);
    return counted;
  }

  /** Its account is signed out, unknown or mistyped: no other one takes its place. */
  #accountMissing({ on, accountId }: WatchRule): ErrorRecord | null {
    const { accounts } = this.#parts;
    if (!on || accounts.isReady(accountId)) return null;
    const subject = accounts.nameOf(accountId);
    return toErrorRecord(new TileliftError('watch-account-missing', { subject }));
  }

  /** What waits, and what the ledger knows. */
  sources(ruleId: string): readonly SourceSnapshot[] {
    const { ledger, jobs, clock } = this.#parts;
    const now = clock.now();
    const waiting: SourceSnapshot[] = [];
    const runner = this.#runners.get(ruleId);
    for (const source of runner ? this.#waiting(ruleId, runner) : [])
      if (waiting.push(source) >= maxSourcesListed) break;
    const known = ledger
      .list(ruleId, maxSourcesListed)
      .filter(({ path }) => !runner?.isListed(path))
      .map((entry) => knownSnapshot(entry, entry.jobId === null ? undefined : jobs.get(entry.jobId), now));
    const all = [...waiting, ...known].slice(0, maxSourcesListed);
    return runner?.leftAlone.withThese(ruleId, all) ?? all;
  }

  /** Those that are not taken yet, in the order in which they came. */
  *#waiting(ruleId: string, runner: RuleRunner): Iterable<SourceSnapshot> {
    const { ledger, clock, elapsed, contents } = this.#parts;
    for (const [source, error] of runner.unreadable)
      yield unreadableSnapshot(ruleId, source, error, runner.state.lastLookAt ?? clock.now());
    for (const one of runner.held.all) yield heldSnapshot(ruleId, one, ledger.find(ruleId, one.found.path));
    for (const one of runner.comparisons.all)
      yield comparingSnapshot(ruleId, one, ledger.find(ruleId, one.found.path));
    for (const one of runner.pending)
      yield pendingSnapshot(ruleId, one, elapsed(), contents.percentRead(ruleId, one.found.path));
  }
}
