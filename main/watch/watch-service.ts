import { setImmediate } from 'node:timers/promises';
import { errorPhrase, TileliftError, toErrorRecord } from '../errors.ts';
import type { JobService } from '../jobs/model.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../outside.ts';
import type { SettingsStore } from '../settings.ts';
import type { Random } from '../upload/backoff.ts';
import { createLookThread } from '../upload/heads/look-thread.ts';
import { activityEntry } from './activity.ts';
import { checkRule, targetsOf } from './check-rule.ts';
import { claimSource } from './claims/claim-keeper.ts';
import { type ClaimOwner, createClaims } from './claims/claims.ts';
import { SharedFolders } from './claims/shared-folders.ts';
import { dryRunOf } from './dry-run.ts';
import { finishSource, moveAway } from './finish-source.ts';
import { driveOf } from './folder/drive.ts';
import { JobFollower } from './job-follower.ts';
import type { Ledger } from './ledger/ledger-model.ts';
import type {
  FoundSource,
  LedgerEntry,
  RuleSnapshot,
  SourceSnapshot,
  WatchEnd,
  WatchService,
} from './model.ts';
import { ownJobOf, type RetryHooks, retryDue, startAgain } from './retries.ts';
import type { WatchRule } from './rule.ts';
import { RuleRunner } from './rule-runner.ts';
import { Runners } from './runners.ts';
import { surveyRule } from './source/survey.ts';
import { knownSnapshot, pendingSnapshot, unreadableSnapshot } from './source-snapshots.ts';
import { takeSource } from './take-source.ts';
import { usualTiming, type WatchTiming } from './timing.ts';
import { createTurns, isAhead } from './turns.ts';
import { note, type WatchParts } from './watch-parts.ts';

export interface WatchServiceOptions {
  readonly settings: SettingsStore;
  readonly jobs: JobService;
  readonly ledger: Ledger;
  /** False: rows of the ledger were lost with a damaged journal, so no rule may go on by itself. */
  readonly ledgerIsWhole: boolean;
  /** By what other computers know this one's claims. */
  readonly owner: ClaimOwner;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly scanWorker?: URL | undefined;
  readonly timing?: WatchTiming | undefined;
  /** As in `WatchParts`. Default: all may be watched. */
  readonly refuseFolder?: ((folder: string) => Promise<TileliftError | null>) | undefined;
  /** ms from any beginning, never set back. Default: the machine's. */
  readonly elapsed?: () => number;
}

/** Rows that one transaction takes: a few milliseconds' worth. */
const skipSlice = 500;
/** Sources and lines of activity given out at once. */
const mostListed = 500;

/** Watched folders: every source that arrives becomes one asset, with nobody there. */
export function createWatchService(options: WatchServiceOptions): WatchService {
  const { settings, jobs, ledger, clock, timing = usualTiming } = options;
  const refuseFolder = options.refuseFolder ?? (async () => null);
  const elapsed = options.elapsed ?? (() => performance.now());
  const counts = new Map<string, ReturnType<Ledger['counts']>>();
  const listeners = new Set<(ruleId: string) => void>();
  const endListeners = new Set<(end: WatchEnd) => void>();
  const lost = new Set<string>();

  const rules = () => settings.get().watchRules;
  const ruleOf = (id: string) => rules().find((rule) => rule.id === id);
  const looks = createLookThread(options.scanWorker);
  const parts: WatchParts = {
    ledger,
    jobs,
    clock,
    elapsed,
    random: options.random,
    timing,
    scanWorker: options.scanWorker,
    looks,
    log: options.log,
    instance: options.owner.instance,
    refuseFolder,
    claimsOf: (rule) => shared.claimsOf(rule),
    onChange: (ruleId) => {
      counts.delete(ruleId);
      for (const listener of listeners) listener(ruleId);
    },
    onEnd: (end) => {
      for (const listener of endListeners) listener(end);
    },
  };
  const turns = createTurns((accountId) => {
    let ahead = 0;
    for (const id of follower.followed) {
      const job = jobs.get(id);
      if (job?.accountId === accountId && isAhead(job)) ahead += 1;
    }
    return ahead;
  });
  const follower: JobFollower = new JobFollower(parts, {
    ruleOf,
    finish: (rule, entry, job) => finishSource(rule, entry, job, parts),
    startAgain: (rule, entry) => startAgain(rule, entry, parts, hooksOf(rule)),
    lookAt: ({ ruleId, path }) => runners.get(ruleId)?.lookAt(path),
    onMoved: turns.tell,
  });

  const shared = new SharedFolders({
    rules,
    parts: () => parts,
    makeClaims: ({ id, folder }) =>
      createClaims({
        folder,
        owner: options.owner,
        clock,
        staleMs: timing.staleClaimMs,
        onForeign: (error) => note(parts, id, errorPhrase(toErrorRecord(error))),
      }),
  });
  const runners = new Runners({ ruleOf, make: makeRunner });

  function hooksOf(rule: WatchRule): RetryHooks {
    return {
      turnIsFree: () => turns.free(rule.accountId),
      isAwaited: (path) => runners.get(rule.id)?.isAwaited(path) ?? false,
      lookAt: (path) => runners.get(rule.id)?.lookAt(path),
      follow: (jobId) => follower.follow(jobId, rule.id),
    };
  }

  async function take(rule: WatchRule, source: FoundSource, again: boolean): Promise<boolean> {
    const claims = parts.claimsOf(rule);
    const answer = claims ? await claimSource(rule, source, claims, parts) : 'ours';
    if (answer !== 'ours') return answer === 'done';
    try {
      follower.follow(takeSource(rule, source, again, parts), rule.id);
      return true;
    } catch (thrown) {
      await claims?.release(source.path);
      throw thrown;
    }
  }

  /** What a kill, or a target that was full, kept from being done when it ended. */
  async function finish(rule: WatchRule, { path }: FoundSource): Promise<void> {
    if (targetsOf(rule).length === 0) return;
    const entry = ledger.find(rule.id, path);
    if (!entry || entry.movedTo !== null) return;
    const movedTo = await moveAway(rule, entry, parts);
    if (movedTo !== null) ledger.change(rule.id, path, { movedTo });
  }

  function makeRunner(rule: WatchRule): RuleRunner {
    return new RuleRunner(rule, parts, {
      turns,
      take: (source, again) => take(rule, source, again),
      finish: (source) => finish(rule, source),
      hasOwnJob: (path) => ownJobOf(ledger.find(rule.id, path), jobs) !== undefined,
      retry: () => retryDue(rule, parts, hooksOf(rule)),
    });
  }

  /** Throws what `checkRule` throws, and why the folder may not be watched. */
  async function check(rule: WatchRule): Promise<void> {
    const refusal = await refuseFolder(rule.folder);
    if (refusal) throw refusal;
    await checkRule(rule, rules());
  }

  /** In slices: 100,000 rows in one transaction would hold up everything. The rule is kept afterwards only, so that half of them do no harm. */
  async function skipAll(ruleId: string, sources: readonly FoundSource[]): Promise<void> {
    for (let at = 0; at < sources.length; at += skipSlice) {
      ledger.skip(ruleId, sources.slice(at, at + skipSlice), clock.now());
      await setImmediate();
    }
  }

  function keep(changed: readonly WatchRule[]): void {
    settings.update({ watchRules: changed });
  }

  function snapshot(rule: WatchRule): RuleSnapshot {
    const runner = runners.get(rule.id);
    const known = counts.get(rule.id) ?? ledger.counts(rule.id);
    counts.set(rule.id, known);
    let [waiting, settling] = [0, runner?.unreadable.size ?? 0];
    for (const one of runner?.pending ?? []) {
      if (one.settled || one.elsewhere) waiting += 1;
      else settling += 1;
    }
    const notice = lost.has(rule.id)
      ? toErrorRecord(new TileliftError('watch-ledger-lost', { subject: rule.name }))
      : null;
    return {
      rule,
      ...(runner?.state ?? { state: 'paused', notice, isNetworkDrive: false, lastLookAt: null }),
      counts: {
        settling,
        waiting: waiting + known['waits-for-retry'],
        underWay: known.taken,
        complete: known.complete,
        failed: known['waits-for-change'] + known['waits-for-person'],
      },
      lastTakenAt: ledger.lastTakenAt(rule.id),
    };
  }

  /** Those that are not taken yet, in the order in which they came. */
  function* waitingIn(ruleId: string): Iterable<SourceSnapshot> {
    const runner = runners.get(ruleId);
    for (const [source, path] of runner?.unreadable ?? [])
      yield unreadableSnapshot(ruleId, source, path, runner?.state.lastLookAt ?? clock.now());
    for (const one of runner?.pending ?? []) yield pendingSnapshot(ruleId, one, elapsed());
  }

  return {
    start: async () => {
      if (!options.ledgerIsWhole) {
        for (const { id } of rules()) lost.add(id);
        keep(rules().map((rule) => ({ ...rule, on: false })));
      }
      await shared.start();
      follower.start();
      await Promise.all(rules().map(({ id }) => runners.renew(id)));
    },
    stop: async () => {
      shared.stop();
      await runners.stop();
      await follower.stop();
      looks.close();
    },
    rules: () => rules().map(snapshot),
    save: async (rule, takeExisting) => {
      await check(rule);
      const before = ruleOf(rule.id);
      if (!before && !takeExisting) {
        const { sources } = await surveyRule(rule, { worker: options.scanWorker });
        await skipAll(rule.id, sources);
      }
      // No earlier version has left plans of this rule.
      if (!before) ledger.seePlans(rule.id);
      lost.delete(rule.id);
      keep(before ? rules().map((one) => (one.id === rule.id ? rule : one)) : [...rules(), rule]);
      note(parts, rule.id, { key: before ? 'sources.ruleChanged' : 'sources.ruleMade' });
      if (before && (before.folder !== rule.folder || !rule.shared)) shared.leave(before);
      void shared.renew(rule);
      await runners.renew(rule.id);
      parts.onChange(rule.id);
    },
    remove: (ruleId) => {
      const rule = ruleOf(ruleId);
      if (!rule) return;
      shared.leave(rule);
      keep(rules().filter(({ id }) => id !== ruleId));
      void runners.renew(ruleId);
      parts.onChange(ruleId);
    },
    setOn: (ruleId, on) => {
      const rule = ruleOf(ruleId);
      if (!rule) throw new TileliftError('watch-rule-unknown');
      if (rule.on === on) return;
      const changed = { ...rule, on };
      keep(rules().map((one) => (one.id === ruleId ? changed : one)));
      note(parts, ruleId, { key: on ? 'sources.switchedOn' : 'sources.switchedOff' });
      if (on) lost.delete(ruleId);
      void runners.renew(ruleId);
      parts.onChange(ruleId);
    },
    dryRun: async (rule) => {
      await check(rule);
      const { sources } = await surveyRule(rule, { worker: options.scanWorker });
      return dryRunOf(rule, sources, ledger, clock.now());
    },
    sources: (ruleId) => {
      const now = clock.now();
      const waiting: SourceSnapshot[] = [];
      for (const source of waitingIn(ruleId)) if (waiting.push(source) >= mostListed) break;
      const runner = runners.get(ruleId);
      const known = ledger
        .list(ruleId, mostListed)
        .filter(({ path }) => !runner?.isPending(path) && !runner?.unreadable.has(path))
        .map((entry) => knownSnapshot(entry, entry.jobId === null ? undefined : jobs.get(entry.jobId), now));
      return [...waiting, ...known].slice(0, mostListed);
    },
    act: async (ruleId, path, action) => {
      if (!ruleOf(ruleId)) throw new TileliftError('watch-rule-unknown');
      const runner = runners.get(ruleId);
      if (action === 'take-now') return runner?.takeNow(path);
      const entry: LedgerEntry | undefined = ledger.find(ruleId, path);
      // What is complete would be doubled.
      if (!entry || entry.state === 'taken' || entry.state === 'complete') return;
      const now = clock.now();
      ledger.change(ruleId, path, { state: 'waits-for-retry', retryAt: now, wantedAt: now });
      runner?.ring();
      parts.onChange(ruleId);
    },
    activity: (ruleId) => ledger.activity(ruleId, mostListed).map(activityEntry),
    receipts: (ruleId) => ledger.receipts(ruleId),
    isNetworkDrive: async (folder) => (await driveOf(folder)).kind === 'network',
    lookAgain: (reason) => {
      options.log.info({ reason }, 'all watched folders are looked through');
      for (const runner of runners.all()) runner.look();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onEnd: (listener) => {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },
  };
}
