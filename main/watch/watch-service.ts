import { setImmediate } from 'node:timers/promises';
import { TileliftError, toErrorRecord } from '../errors.ts';
import type { JobService } from '../jobs/model.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../outside.ts';
import type { SettingsStore } from '../settings.ts';
import type { Random } from '../upload/backoff.ts';
import { checkRule } from './check-rule.ts';
import { claimSource, confirmClaims, renewClaims } from './claim-keeper.ts';
import { type ClaimOwner, type Claims, createClaims } from './claims.ts';
import { driveOf } from './drive.ts';
import { dryRunOf } from './dry-run.ts';
import { finishSource, moveAway } from './finish-source.ts';
import { JobFollower } from './job-follower.ts';
import type { Ledger } from './ledger-model.ts';
import type { FoundSource, LedgerEntry, RuleSnapshot, WatchEnd, WatchService } from './model.ts';
import { type RetryHooks, retryDue, startAgain } from './retries.ts';
import type { WatchRule } from './rule.ts';
import { RuleRunner } from './rule-runner.ts';
import { knownSnapshot, pendingSnapshot } from './source-snapshots.ts';
import { surveyRule } from './survey.ts';
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
  /** ms from any beginning, never set back. Default: the machine's. */
  readonly elapsed?: () => number;
}

/** Sources and lines of activity given out at once. */
const mostListed = 500;

/** Watched folders: every source that arrives becomes one asset, with nobody there. */
export function createWatchService(options: WatchServiceOptions): WatchService {
  const { settings, jobs, ledger, clock, timing = usualTiming } = options;
  const elapsed = options.elapsed ?? (() => performance.now());
  const runners = new Map<string, RuleRunner>();
  const claims = new Map<string, Claims>();
  const counts = new Map<string, ReturnType<Ledger['counts']>>();
  const listeners = new Set<(ruleId: string) => void>();
  const endListeners = new Set<(end: WatchEnd) => void>();
  const lost = new Set<string>();
  let renewing: NodeJS.Timeout | undefined;

  const rules = () => settings.get().watchRules;
  const ruleOf = (id: string) => rules().find((rule) => rule.id === id);
  const parts: WatchParts = {
    ledger,
    jobs,
    clock,
    elapsed,
    random: options.random,
    timing,
    scanWorker: options.scanWorker,
    log: options.log,
    instance: options.owner.instance,
    claimsOf: (rule) => (rule.shared ? claimsIn(rule) : null),
    onChange: (ruleId) => {
      counts.delete(ruleId);
      for (const listener of listeners) listener(ruleId);
    },
    onEnd: (end) => {
      for (const listener of endListeners) listener(end);
    },
  };
  const turns = createTurns(() => {
    let ahead = 0;
    for (const id of follower.followed) {
      const job = jobs.get(id);
      if (job && isAhead(job)) ahead += 1;
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

  function claimsIn(rule: WatchRule): Claims {
    const known = claims.get(rule.id);
    if (known) return known;
    const { owner } = options;
    const made = createClaims({ folder: rule.folder, owner, clock, staleMs: timing.staleClaimMs });
    claims.set(rule.id, made);
    return made;
  }

  function hooksOf(rule: WatchRule): RetryHooks {
    return {
      turnIsFree: turns.free,
      isPending: (path) => runners.get(rule.id)?.isPending(path) ?? false,
      lookAt: (path) => runners.get(rule.id)?.lookAt(path),
      follow: (jobId) => follower.follow(jobId),
    };
  }

  async function take(rule: WatchRule, source: FoundSource, again: boolean): Promise<boolean> {
    const shared = parts.claimsOf(rule);
    const answer = shared ? await claimSource(rule, source, shared, parts) : 'ours';
    if (answer !== 'ours') return answer === 'done';
    try {
      follower.follow(takeSource(rule, source, again, parts));
      return true;
    } catch (thrown) {
      await shared?.release(source.path);
      throw thrown;
    }
  }

  /** What a kill, or a target that was full, kept from being done when it ended. */
  async function finish(rule: WatchRule, { path }: FoundSource): Promise<void> {
    const entry = ledger.find(rule.id, path);
    if (!entry || entry.movedTo !== null) return;
    const movedTo = await moveAway(rule, entry, parts);
    if (movedTo !== null) ledger.change(rule.id, path, { movedTo });
  }

  function run(rule: WatchRule): void {
    const runner = new RuleRunner(rule, parts, {
      turns,
      take: (source, again) => take(rule, source, again),
      finish: (source) => finish(rule, source),
      retry: () => retryDue(rule, parts, hooksOf(rule)),
    });
    runners.set(rule.id, runner);
    runner.start();
  }

  async function halt(ruleId: string): Promise<void> {
    const runner = runners.get(ruleId);
    runners.delete(ruleId);
    await runner?.stop();
  }

  /** A transaction of so many takes a few milliseconds. */
  async function skipAll(ruleId: string, sources: readonly FoundSource[]): Promise<void> {
    const page = 500;
    for (let at = 0; at < sources.length; at += page) {
      ledger.skip(ruleId, sources.slice(at, at + page), clock.now());
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
    const pending = [...(runner?.pending ?? [])];
    const settling = pending.filter((one) => !one.settled && !one.elsewhere).length;
    const notice = lost.has(rule.id)
      ? toErrorRecord(new TileliftError('watch-ledger-lost', { subject: rule.name }))
      : null;
    return {
      rule,
      ...(runner?.state ?? { state: 'paused', notice, isNetworkDrive: false, lastLookAt: null }),
      counts: {
        settling,
        waiting: pending.length - settling + known['waits-for-retry'],
        underWay: known.taken,
        complete: known.complete,
        failed: known['waits-for-change'] + known['waits-for-person'],
      },
      lastTakenAt: ledger.lastTakenAt(rule.id),
    };
  }

  async function confirmAll(): Promise<void> {
    for (const rule of rules()) {
      const shared = parts.claimsOf(rule);
      if (shared) await confirmClaims(rule, shared, parts);
    }
  }

  async function renewAll(): Promise<void> {
    for (const rule of rules()) {
      const shared = parts.claimsOf(rule);
      if (shared)
        await renewClaims(rule, shared, parts).catch((error) => parts.log.warn({ error }, 'claims'));
    }
  }

  return {
    start: async () => {
      if (!options.ledgerIsWhole) {
        for (const { id } of rules()) lost.add(id);
        keep(rules().map((rule) => ({ ...rule, on: false })));
      }
      await confirmAll();
      follower.start();
      for (const rule of rules()) if (rule.on) run(rule);
      renewing = setInterval(() => void renewAll(), timing.renewClaimsMs);
    },
    stop: async () => {
      clearInterval(renewing);
      await Promise.all([...runners.keys()].map(halt));
      await follower.stop();
    },
    rules: () => rules().map(snapshot),
    save: async (rule, takeExisting) => {
      await checkRule(rule, rules());
      const before = ruleOf(rule.id);
      if (!before && !takeExisting) {
        const { sources } = await surveyRule(rule, { worker: options.scanWorker });
        await skipAll(rule.id, sources);
      }
      await halt(rule.id);
      claims.delete(rule.id);
      lost.delete(rule.id);
      keep(before ? rules().map((one) => (one.id === rule.id ? rule : one)) : [...rules(), rule]);
      note(parts, rule.id, before ? 'The rule was changed.' : 'The rule was made.');
      if (rule.on) run(rule);
      parts.onChange(rule.id);
    },
    remove: (ruleId) => {
      void halt(ruleId);
      claims.delete(ruleId);
      keep(rules().filter((rule) => rule.id !== ruleId));
      parts.onChange(ruleId);
    },
    setOn: (ruleId, on) => {
      const rule = ruleOf(ruleId);
      if (!rule) throw new TileliftError('watch-rule-unknown');
      if (rule.on === on) return;
      const changed = { ...rule, on };
      keep(rules().map((one) => (one.id === ruleId ? changed : one)));
      note(parts, ruleId, on ? 'Switched on.' : 'Paused.');
      const halted = halt(ruleId);
      if (on) {
        lost.delete(ruleId);
        void halted.then(() => run(changed));
      }
      parts.onChange(ruleId);
    },
    dryRun: async (rule) => {
      await checkRule(rule, rules());
      const { sources } = await surveyRule(rule, { worker: options.scanWorker });
      return dryRunOf(rule, sources, ledger, clock.now());
    },
    sources: (ruleId) => {
      const now = clock.now();
      const pending = [...(runners.get(ruleId)?.pending ?? [])].map((one) =>
        pendingSnapshot(ruleId, one, elapsed()),
      );
      const waiting = new Set(pending.map(({ path }) => path));
      const known = ledger
        .list(ruleId, mostListed)
        .filter(({ path }) => !waiting.has(path))
        .map((entry) => knownSnapshot(entry, entry.jobId === null ? undefined : jobs.get(entry.jobId), now));
      return [...pending, ...known].slice(0, mostListed);
    },
    act: async (ruleId, path, action) => {
      if (!ruleOf(ruleId)) throw new TileliftError('watch-rule-unknown');
      const runner = runners.get(ruleId);
      if (action === 'take-now') return runner?.takeNow(path);
      const entry: LedgerEntry | undefined = ledger.find(ruleId, path);
      if (!entry || entry.state === 'taken') return;
      ledger.change(ruleId, path, { state: 'waits-for-retry', retryAt: clock.now() });
      runner?.ring();
      parts.onChange(ruleId);
    },
    activity: (ruleId) => ledger.activity(ruleId, mostListed),
    receipts: (ruleId) => ledger.receipts(ruleId),
    isNetworkDrive: async (folder) => (await driveOf(folder)).kind === 'network',
    lookAgain: (reason) => {
      options.log.info({ reason }, 'all watched folders are looked through');
      for (const runner of runners.values()) runner.look();
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
