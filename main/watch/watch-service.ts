import { TileliftError, toErrorRecord } from '../errors.ts';
import type { JobService } from '../jobs/model.ts';
import { createListeners } from '../listeners.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../outside.ts';
import type { SettingsPort } from '../settings-port.ts';
import { createLookThread } from '../source/heads/look-thread.ts';
import type { Random } from '../transfer/backoff.ts';
import { activityEntry } from './activity.ts';
import { checkRule, targetsOf } from './check-rule.ts';
import type { WatchAccounts } from './claims/accounts.ts';
import { claimSource } from './claims/claim-keeper.ts';
import { type ClaimOwner, createClaims } from './claims/claims.ts';
import { turnsOf } from './claims/no-hoarding.ts';
import { claimWords, SharedFolders } from './claims/shared-folders.ts';
import { dryRunOf } from './dry-run.ts';
import { driveOf } from './folder/drive.ts';
import { concernedByEdit, decideEdit, keepUnderWay } from './held/edited-rule.ts';
import { ruleFor, withKinds } from './kind/decide-kind.ts';
import type { Ledger } from './ledger/ledger-model.ts';
import { skipAll } from './ledger/skip-all.ts';
import { finishSource, moveAway } from './life/finish-source.ts';
import { JobFollower } from './life/job-follower.ts';
import { ownJobOf, type RetryHooks, retryDue, startAgain } from './life/retries.ts';
import { takeSource } from './life/take-source.ts';
import { waitingSources } from './listing/waiting-sources.ts';
import type {
  FoundSource,
  LedgerEntry,
  RuleSnapshot,
  SourceSnapshot,
  WatchEnd,
  WatchService,
} from './model.ts';
import { Outages } from './outage/outages.ts';
import type { AgePlace } from './restored/age-place.ts';
import { Restored } from './restored/restored.ts';
import type { WatchRule } from './rule.ts';
import { RuleRunner } from './rule-runner.ts';
import { Runners } from './runners.ts';
import { createFindWriter } from './settle/open-for-writing.ts';
import { isWaiting } from './settle/pending-sources.ts';
import { knownSnapshot } from './source-snapshots.ts';
import { surveyRule } from './survey/survey.ts';
import { surveyFor } from './survey/survey-for.ts';
import { defaultTiming, type WatchTiming } from './timing.ts';
import { createTurns, isAhead } from './turns.ts';
import { Contents } from './verify/contents.ts';
import { note, type WatchParts } from './watch-parts.ts';

export interface WatchServiceOptions {
  readonly settings: SettingsPort<{ readonly watchRules: readonly WatchRule[] }>;
  readonly jobs: JobService;
  readonly accounts: WatchAccounts;
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
  /** monotonic ms. Default: the machine's. */
  readonly elapsed?: () => number;
  /** Places on this computer in which the journal's age is kept (`restored/own-ages.ts`). Default: none. */
  readonly ages?: readonly AgePlace[];
}

/** Sources and lines of activity given out at once. */
const mostListed = 500;

/** Watched folders: every source that arrives becomes one asset, with nobody there. */
export function createWatchService(options: WatchServiceOptions): WatchService {
  const { settings, jobs, ledger, clock, timing = defaultTiming } = options;
  const refuseFolder = options.refuseFolder ?? (async () => null);
  const elapsed = options.elapsed ?? (() => performance.now());
  const counts = new Map<string, ReturnType<Ledger['counts']>>();
  const listeners = createListeners<[ruleId: string]>();
  const endListeners = createListeners<[end: WatchEnd]>();
  const lost = new Set<string>();

  const rules = () => settings.get().watchRules;
  const ruleOf = (id: string) => rules().find((rule) => rule.id === id);
  const looks = createLookThread(options.scanWorker);
  const parts: WatchParts = {
    ledger,
    jobs,
    accounts: options.accounts,
    clock,
    elapsed,
    random: options.random,
    timing,
    scanWorker: options.scanWorker,
    looks,
    findWriter: createFindWriter(),
    contents: new Contents({
      ...{ ledger, jobs, worker: options.scanWorker },
      onProgress: (ruleId) => parts.onChange(ruleId),
    }),
    log: options.log,
    instance: options.owner.instance,
    refuseFolder,
    claimsOf: (rule) => shared.claimsOf(rule),
    rules,
    onChange: (ruleId) => {
      counts.delete(ruleId);
      listeners.tell(ruleId);
    },
    onEnd: (end) => {
      endListeners.tell(end);
    },
  };
  const turns = createTurns((accountId) => {
    let ahead = 0;
    for (const [id] of follower.followed) {
      const job = jobs.get(id);
      if (job?.accountId === accountId && isAhead(job)) ahead += 1;
    }
    return ahead;
  });
  const outages = new Outages({ rules, parts, ring: (ruleId) => runners.get(ruleId)?.ring() });
  const follower: JobFollower = new JobFollower(parts, {
    ruleOf,
    finish: (rule, entry, job) => finishSource(rule, entry, job, parts),
    startAgain: (rule, entry) => startAgain(rule, entry, parts, hooksOf(rule)),
    lookAt: ({ ruleId, path }) => runners.get(ruleId)?.lookAt(path),
    outages,
    onMoved: turns.tell,
  });

  const followedJobs = function* () {
    for (const [id, ruleId] of follower.followed) {
      const job = jobs.get(id);
      if (job) yield { job, ruleId };
    }
  };
  const turnsFor = (rule: WatchRule) => turnsOf(rule, turns, options.accounts, followedJobs);

  const shared = new SharedFolders({
    rules,
    parts: () => parts,
    makeClaims: (rule) =>
      createClaims({
        folder: rule.folder,
        owner: options.owner,
        clock,
        elapsed,
        staleMs: timing.staleClaimMs,
        ...claimWords(rule, parts),
      }),
  });
  const restored = new Restored(
    () => parts,
    options,
    rules,
    (ruleId) => runners.get(ruleId),
  );
  const runners = new Runners({ ruleOf, make: makeRunner });

  function hooksOf(rule: WatchRule): RetryHooks {
    return {
      turnIsFree: () => turnsFor(rule).free(rule.accountId),
      isAwaited: (path) => runners.get(rule.id)?.isAwaited(path) ?? false,
      lookAt: (path) => runners.get(rule.id)?.lookAt(path),
      follow: (jobId) => follower.follow(jobId, rule.id),
    };
  }

  async function take(kept: WatchRule, source: FoundSource, again: boolean): Promise<boolean> {
    const rule = await ruleFor(kept, source, parts);
    const claims = parts.claimsOf(rule);
    const answer = claims ? await claimSource(rule, source, claims, parts) : 'ours';
    // What the ledger has of it now may be a question.
    if (answer === 'done') runners.get(rule.id)?.lookAt(source.path);
    if (answer !== 'ours') return answer === 'done';
    try {
      follower.follow(await takeSource(rule, source, again, parts), rule.id);
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

  const surveying = (rule: WatchRule) => surveyFor(rule, parts);

  function makeRunner(rule: WatchRule): RuleRunner {
    return new RuleRunner(rule, parts, {
      turns: turnsFor(rule),
      take: (source, again) => take(rule, source, again),
      finish: (source) => finish(rule, source),
      refine: async (found, decision, now) => {
        const isAgain = decision.kind === 'take' && decision.again;
        const refined = restored.hold(rule, found, decision);
        if (!isAgain || refined.kind === 'hold') return refined;
        return (await ownJobOf(ledger.find(rule.id, found.path), jobs))
          ? { kind: 'later', at: now }
          : refined;
      },
      retry: async () => {
        await restored.meet(rule);
        return retryDue(rule, parts, hooksOf(rule));
      },
    });
  }

  async function checkAllowed(folder: string): Promise<void> {
    const refusal = await refuseFolder(folder);
    if (refusal) throw refusal;
  }

  /** Throws what `checkRule` throws, and why the folder may not be watched. */
  async function check(rule: WatchRule): Promise<void> {
    await checkAllowed(rule.folder);
    await checkRule(rule, rules());
  }

  const foundBy = async (rule: WatchRule) => (await surveyRule(rule, surveying(rule))).sources;

  function keep(changed: readonly WatchRule[]): void {
    settings.update({ watchRules: changed });
  }

  function snapshot(rule: WatchRule): RuleSnapshot {
    const runner = runners.get(rule.id);
    const known = counts.get(rule.id) ?? ledger.counts(rule.id);
    counts.set(rule.id, known);
    let [waiting, settling] = [0, runner?.unreadable.size ?? 0];
    for (const one of runner?.pending ?? []) {
      if (isWaiting(one)) waiting += 1;
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
        waiting: waiting + known['waits-for-retry'] + (runner?.comparisons.size ?? 0),
        underWay: known.taken,
        complete: known.complete,
        failed: known['waits-for-change'] + known['waits-for-person'],
        held: runner?.held.size ?? 0,
        leftAlone: runner?.leftAlone.size ?? 0,
      },
      question: runner?.held.question ?? null,
      lastTakenAt: ledger.lastTakenAt(rule.id),
    };
  }

  return {
    start: async () => {
      if (!options.ledgerIsWhole) {
        for (const { id } of rules()) lost.add(id);
        keep(rules().map((rule) => ({ ...rule, on: false })));
      }
      await restored.start();
      await shared.start();
      follower.start();
      await Promise.all(rules().map(({ id }) => runners.renew(id)));
    },
    stop: async () => {
      shared.stop();
      outages.stop();
      await runners.stop();
      await follower.stop();
      looks.close();
      parts.contents.close();
    },
    rules: () => rules().map(snapshot),
    checkAllowed,
    save: async (rule, takeExisting) => {
      await check(rule);
      const before = ruleOf(rule.id);
      const edit = before && (await concernedByEdit(before, rule, foundBy, ledger, clock.now()));
      if (edit) await decideEdit(rule.id, edit, takeExisting, ledger, clock.now());
      else ledger.adopt(rule.id, ledger.rulesBefore(rule));
      if (!before && !takeExisting) {
        const { sources } = await surveyRule(rule, surveying(rule));
        await skipAll(ledger, rule.id, sources, clock.now());
      }
      // No earlier version has left plans of this rule.
      if (!before) ledger.seePlans(rule.id);
      lost.delete(rule.id);
      keep(before ? rules().map((one) => (one.id === rule.id ? rule : one)) : [...rules(), rule]);
      note(parts, rule.id, { key: before ? 'sources.ruleChanged' : 'sources.ruleMade' });
      if (before && (before.folder !== rule.folder || !rule.shared)) shared.leave(before);
      void shared.renew(rule);
      await runners.renew(rule.id);
      if (edit && !takeExisting) keepUnderWay(rule.id, edit, ledger);
      parts.onChange(rule.id);
    },
    remove: (ruleId) => {
      const rule = ruleOf(ruleId);
      if (!rule) return;
      shared.leave(rule);
      ledger.leaveRule(rule, clock.now());
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
      const { sources } = await surveyRule(rule, surveying(rule));
      const before = ruleOf(rule.id);
      // A new rule will know what those knew that were there before.
      const known = before ? rule : { ...rule, id: ledger.rulesBefore(rule)[0] ?? rule.id };
      const found = await dryRunOf(known, sources, ledger, clock.now());
      const run = await withKinds(rule, found, sources, parts);
      if (!before) return run;
      const { concerned } = await concernedByEdit(before, rule, foundBy, ledger, clock.now());
      return { ...run, newlyTaken: concerned.length };
    },
    sources: (ruleId) => {
      const now = clock.now();
      const waiting: SourceSnapshot[] = [];
      const runner = runners.get(ruleId);
      for (const source of waitingSources(ruleId, runner, parts))
        if (waiting.push(source) >= mostListed) break;
      const known = ledger
        .list(ruleId, mostListed)
        .filter(({ path }) => !runner?.isListed(path))
        .map((entry) => knownSnapshot(entry, entry.jobId === null ? undefined : jobs.get(entry.jobId), now));
      const all = [...waiting, ...known].slice(0, mostListed);
      return runner?.leftAlone.withThese(ruleId, all) ?? all;
    },
    act: async (ruleId, path, action) => {
      if (!ruleOf(ruleId)) throw new TileliftError('watch-rule-unknown');
      const runner = runners.get(ruleId);
      if (action === 'take-now') return runner?.takeNow(path);
      if (await runner?.held.act(path, action)) return;
      if (action === 'take-anyway') {
        if (runner?.leftAlone.take(ruleId, path, ledger, clock.now())) runner.lookAt(path);
        return;
      }
      const entry: LedgerEntry | undefined = ledger.find(ruleId, path);
      // What is complete would be doubled.
      if (!entry || entry.state === 'taken' || entry.state === 'complete') return;
      const now = clock.now();
      ledger.change(ruleId, path, { state: 'waits-for-retry', retryAt: now, wantedAt: now });
      runner?.ring();
      parts.onChange(ruleId);
    },
    answer: async (ruleId, answer) => runners.get(ruleId)?.held.answer(answer),
    activity: (ruleId) => ledger.activity(ruleId, mostListed).map(activityEntry),
    receipts: (ruleId) => ledger.receipts(ruleId),
    isNetworkDrive: async (folder) => (await driveOf(folder)).kind === 'network',
    lookAgain: (reason) => {
      options.log.info({ reason }, 'all watched folders are looked through');
      for (const runner of runners.all()) runner.look();
    },
    note: (ruleId, ...said) => {
      note(parts, ruleId, ...said);
      parts.onChange(ruleId);
    },
    onChange: listeners.add,
    onOutage: outages.onOutage,
    onEnd: endListeners.add,
  };
}
