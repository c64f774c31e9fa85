import { maxSourcesListed } from '../../shared/watch.ts';
import { TileliftError } from '../errors.ts';
import { createFindWriter } from '../files/open-for-writing.ts';
import { createInspectionThread } from '../inspect/headers/inspection-thread.ts';
import { createInspector, type Inspector } from '../inspect/session/inspector.ts';
import type { JobService } from '../jobs/model.ts';
import { createListeners } from '../listeners.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../ports.ts';
import type { Random } from '../service/backoff.ts';
import type { SettingsPort } from '../settings-port.ts';
import { JobFollower } from './finish/job-follower.ts';
import { JobMaker } from './finish/make-job.ts';
import { Outages } from './finish/outages.ts';
import { Refusals } from './finish/refusals.ts';
import { SourceEnds } from './finish/source-ends.ts';
import { SourceRetries } from './finish/source-retries.ts';
import { Leases } from './lease/leases.ts';
import { SourceMarks } from './lease/takeover.ts';
import { Listing } from './listing.ts';
import type { WatchOwner } from './model/lease-model.ts';
import type { WatchEnd, WatchService } from './model/model.ts';
import { defaultTiming, type WatchRule, type WatchTiming } from './model/rule.ts';
import { ScanQueue } from './model/scheduling.ts';
import { StoredRules } from './rules/stored-rules.ts';
import { RuleRunner, Runners } from './runner.ts';
import { leftOutBy } from './settle/kind.ts';
import { SourceFindings } from './settle/source-findings.ts';
import { Contents } from './state/contents.ts';
import type { Ledger } from './state/ledger/ledger.ts';
import { ruleAssetsOf, ruleUploadsOf } from './state/ledger/receipts.ts';
import { type LedgerPorts, type WatchAccounts, writeActivity } from './state/ports.ts';
import { dismissSource } from './state/questions.ts';
import { RestoredJournal } from './state/restored-journal.ts';

export interface WatchServiceOptions {
  readonly settings: SettingsPort<{ readonly watchRules: readonly WatchRule[] }>;
  readonly jobs: JobService;
  readonly accounts: WatchAccounts;
  readonly ledger: Ledger;
  /** False: a damaged journal lost ledger rows, so no rule may continue by itself. */
  readonly ledgerIsWhole: boolean;
  /** Identifies this computer to others. */
  readonly owner: WatchOwner;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly scanWorker?: URL | undefined;
  readonly inspector?: Inspector;
  readonly timing?: WatchTiming | undefined;
  /** Default: all may be watched. */
  readonly refuseFolder?: ((folder: string) => Promise<TileliftError | null>) | undefined;
  /** Called when a scan of many files has ended and its memory is free. */
  readonly onScanned?: (() => void) | undefined;
  /** Its age is stored next to it (`state/restored-journal.ts`). Default: not stored. */
  readonly journalPath?: string;
}

/** Every arriving source becomes one asset, unattended. */
export function createWatchService(options: WatchServiceOptions): WatchService {
  const { settings, jobs, ledger, clock, log, accounts, owner, random } = options;
  const { scanWorker: worker, timing = defaultTiming, refuseFolder = async () => null } = options;
  const listeners = createListeners<[ruleId: string]>();
  const endListeners = createListeners<[end: WatchEnd]>();
  const inspectionThread = createInspectionThread(worker);
  const inspector = options.inspector ?? createInspector(worker);
  const rules = () => settings.get().watchRules;
  const ruleOf = (id: string) => rules().find((rule) => rule.id === id);
  const onChange = (ruleId: string) => {
    listing.forget(ruleId);
    listeners.emit(ruleId);
  };
  const runnerOf = (ruleId: string) => runners.get(ruleId);
  const ring = (ruleId: string) => runnerOf(ruleId)?.ring();
  const rescan = (ruleId: string, path: string) => runnerOf(ruleId)?.rescan(path);
  const parts: LedgerPorts = { ledger, jobs, clock, log, rules, ruleOf, onChange };
  const findings = new SourceFindings({
    inspector,
    onDone: (ruleId, path) => runnerOf(ruleId)?.wasInspected(path),
  });
  const contents = new Contents({
    ...{ ledger, jobs, worker, onProgress: onChange },
    leftOut: async (ruleId, source) => {
      const rule = ruleOf(ruleId);
      return rule ? leftOutBy(rule, source, { inspector }) : new Set();
    },
  });
  const marks = new SourceMarks(parts, accounts, contents, owner);
  const leases = new Leases({ parts, accounts, marks, owner, timing, onLost: ring });
  const ends = new SourceEnds({
    ...{ parts, accounts, contents, leases, marks, worker },
    onEnd: endListeners.emit,
  });
  const outages = new Outages({ parts, ring, followed: () => follower.followed });
  const refusals = new Refusals({ parts, ring, jobs: () => follower.jobs() });
  const follower: JobFollower = new JobFollower({
    parts,
    outages,
    refusals,
    leases,
    marks,
    ends,
    rescan,
    random,
  });
  const restored = new RestoredJournal(parts, options, (ruleId) => runnerOf(ruleId)?.scan());
  const retries = new SourceRetries({ parts, follower, leases, restored, runnerOf, random, worker });
  const maker = new JobMaker({ parts, inspector, findings, follower, refusals, leases, marks, rescan });
  const checks = { inspector, findings, findWriter: createFindWriter(), contents };
  const { onScanned = () => {} } = options;
  const scanning = { worker, inspectionThread, queue: new ScanQueue(), onScanned };
  const life = { maker, retries, ends };
  const runners: Runners = new Runners({
    ruleOf,
    make: (rule) => new RuleRunner({ rule, parts, timing, scanning, checks, life, leases, refuseFolder }),
  });
  follower.onSlot(() => {
    for (const runner of runners.values()) runner.ring();
  });
  const listing = new Listing({ parts, accounts, contents, runners, refusals });
  const keptRules = new StoredRules({
    ...{ settings, parts, inspector, findings, refuseFolder, worker },
    renew: (ruleId) => runners.renew(ruleId),
  });

  return {
    start: async () => {
      if (!options.ledgerIsWhole) keptRules.switchAllOff();
      await restored.check();
      await leases.start();
      follower.start();
      await Promise.all(rules().map(({ id }) => runners.renew(id)));
    },
    stop: async () => {
      outages.stop();
      await runners.stop();
      await follower.stop();
      await leases.stop();
      findings.dispose();
      if (!options.inspector) inspector.close();
      inspectionThread.close();
      contents.dispose();
    },
    rules: () => rules().map((rule) => listing.rule(rule, keptRules.isLost(rule.id))),
    checkAllowed: (folder) => keptRules.checkAllowed(folder),
    save: (rule, takeExisting) => keptRules.save(rule, takeExisting),
    remove: (ruleId) => keptRules.remove(ruleId),
    setOn: (ruleId, isOn) => keptRules.setOn(ruleId, isOn),
    dryRun: (rule, follow) => keptRules.dryRun(rule, follow),
    sources: (ruleId) => listing.sources(ruleId),
    act: async (ruleId, path, action) => {
      if (!ruleOf(ruleId)) throw new TileliftError('watch-rule-unknown');
      const runner = runnerOf(ruleId);
      if (action === 'take-now') return runner?.uploadNow(path);
      if (action === 'dismiss') {
        dismissSource(ledger, ruleId, path);
        return onChange(ruleId);
      }
      if (await runner?.sources.questions.act(path, action)) return;
      if (action === 'take-anyway') runner?.sources.takeAnyway(path);
      else if (action === 'try-again' && retries.request(ruleId, path)) runner?.ring();
    },
    answer: async (ruleId, answer) => runnerOf(ruleId)?.sources.questions.answer(answer),
    activity: (ruleId) => ledger.activity(ruleId, maxSourcesListed),
    uploadsOf: (accountId, assetId) => ruleUploadsOf(ledger, rules(), accountId, assetId),
    madeAssets: (accountId) => ruleAssetsOf(ledger, accountId),
    receipts: (ruleId) => ledger.receipts(ruleId),
    rescanAll: (reason) => {
      log.info({ reason }, 'all watched folders are scanned');
      leases.renewAll();
      for (const runner of runners.values()) runner.scan();
    },
    writeActivity: (ruleId, ...phrases) => {
      writeActivity(parts, ruleId, ...phrases);
      onChange(ruleId);
    },
    onChange: listeners.add,
    whyHeld: (jobId) => refusals.whyHeld(jobId),
    onOutage: outages.onOutage,
    onEnd: endListeners.add,
  };
}
