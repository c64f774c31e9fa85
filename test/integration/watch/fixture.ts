import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import type { Journal } from '../../../main/jobs/journal/journal-model.ts';
import { openJournalOrRescue } from '../../../main/jobs/journal/journal-rescue.ts';
import type { JobService } from '../../../main/jobs/model.ts';
import type { JobServiceOptions } from '../../../main/jobs/service/job-options.ts';
import { Jobs } from '../../../main/jobs/service/job-service.ts';
import { silentLog } from '../../../main/log.ts';
import { type Clock, systemClock } from '../../../main/ports.ts';
import type { SettingsStore } from '../../../main/settings.ts';
import type { WatchOwner } from '../../../main/watch/model/lease-model.ts';
import type { WatchService } from '../../../main/watch/model/model.ts';
import { defaultTiming, type WatchRule, type WatchTiming } from '../../../main/watch/model/rule.ts';
import { createLedger, type Ledger } from '../../../main/watch/state/ledger/ledger.ts';
import type { WatchAccounts } from '../../../main/watch/state/ports.ts';
import { createWatchService, type WatchServiceOptions } from '../../../main/watch/watch-service.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import { anyFile } from '../../deliveries/data.ts';
import { type SaidSource, saidSource } from '../../said.ts';
import type { EmbeddedService, ServiceSettings } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { memoryVault, settingsInMemory } from '../../unit/account/stand-ins.ts';
import { withWaitCheck } from '../../wait-check.ts';
import { serviceApi } from '../jobs/house.ts';

export { settingsInMemory };

const patienceMs = 20_000;
export const fastTiming: WatchTiming = {
  ...defaultTiming,
  settleMs: { local: 150, network: 150 },
  gatherMs: 10,
  // Scans take long on a busy computer, so proportional rests would dominate a test.
  restAfterScan: 1,
  presenceMs: 100,
  renewLeaseMs: 100,
};
const hurriedClock: Clock = {
  now: () => Date.now(),
  elapsed: systemClock.elapsed,
  sleep: (ms, signal) => systemClock.sleep(ms >= 30_000 ? ms : Math.min(ms, 20), signal),
};

/** A fast clock that a test can move forward: its time of day, optionally its monotonic time too. */
export function movableClock({ movesElapsed = false } = {}): Clock & { move(ms: number): void } {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    elapsed: () => systemClock.elapsed() + (movesElapsed ? ahead : 0),
    sleep: hurriedClock.sleep,
    move: (ms) => {
      ahead += ms;
    },
  };
}

export interface FixtureOptions {
  readonly service?: EmbeddedService;
  readonly serviceSettings?: Partial<ServiceSettings>;
  readonly timing?: Partial<WatchTiming>;
  readonly clock?: Clock;
  readonly incoming?: string;
  readonly jobOptions?: Partial<JobServiceOptions>;
  readonly settings?: SettingsStore;
  readonly owner?: Partial<WatchOwner>;
  /** Default: signed in, with the service's settings. */
  readonly accounts?: Partial<WatchAccounts>;
  /** Rejects folders for watching. Default: none. */
  readonly refuseFolder?: WatchServiceOptions['refuseFolder'];
  readonly wrapLedger?: (ledger: Ledger) => Ledger;
}

/** The embedded service and watched folders that restart on the same journal. */
export interface WatchFixture {
  readonly service: EmbeddedService;
  readonly folder: string;
  readonly incoming: string;
  readonly journalPath: string;
  journal(): Journal;
  ledger(): Ledger;
  watch: WatchService;
  jobs: JobService;
  /** Creates a rule for `incoming`; resolves when it is stored and running. */
  rule(change?: Partial<WatchRule>, takeExisting?: boolean): Promise<WatchRule>;
  /** Writes files by name relative to `incoming`; a number is the size of a random but complete file. */
  write(files: Readonly<Record<string, string | Uint8Array | number>>): Promise<void>;
  untilSource(rule: WatchRule, path: string, fits: (source: SaidSource) => boolean): Promise<SaidSource>;
  untilComplete(rule: WatchRule, path: string): Promise<SaidSource>;
  /** "name STATUS" of every asset, in order of creation. */
  statuses(): readonly string[];
  assets(): readonly Readonly<Record<string, unknown>>[];
  restart(): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

export async function openWatchFixture(options: FixtureOptions = {}): Promise<WatchFixture> {
  const service =
    options.service ?? (await startEmbeddedService({ tilingMs: 30, ...options.serviceSettings }));
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-watch-'));
  const incoming = options.incoming ?? join(folder, 'incoming');
  await mkdir(incoming, { recursive: true });
  const journalPath = join(folder, 'journal.db');
  const settings = options.settings ?? settingsInMemory();
  const vault = memoryVault();
  const owner = {
    instance: randomUUID(),
    machine: randomUUID(),
    host: 'office-1',
    pid: process.pid,
    ...options.owner,
  };
  const accounts: WatchAccounts = {
    isReady: () => true,
    nameOf: (id) => id,
    serviceOf: () => service.baseUrl,
    readAsset: (_, id) => serviceApi(service).readAsset(id),
    ...options.accounts,
  };
  const clock = withWaitCheck(options.clock ?? hurriedClock);

  const build = () => {
    const { journal, database, ledgerIsWhole } = openJournalOrRescue(journalPath, Date.now());
    const ledger = createLedger(database, journalPath);
    const jobs = new Jobs({
      journal,
      whyHeld: (jobId) => watch.whyHeld(jobId),
      vault,
      clock,
      random: Math.random,
      accounts: { serviceFor: () => serviceApi(service) },
      log: silentLog,
      pollMs: 10,
      ...options.jobOptions,
    });
    const watch: WatchService = createWatchService({
      settings,
      jobs,
      accounts,
      ledger: options.wrapLedger?.(ledger) ?? ledger,
      ledgerIsWhole,
      owner,
      clock,
      random: Math.random,
      log: silentLog,
      timing: { ...fastTiming, ...options.timing },
      refuseFolder: options.refuseFolder,
      journalPath,
    });
    return { journal, ledger, jobs, watch };
  };
  let built = build();
  const start = async () => {
    await built.watch.start();
    built.jobs.start();
  };
  let isOpen = true;
  const stop = async () => {
    if (!isOpen) return;
    isOpen = false;
    await built.watch.stop();
    await built.jobs.stop();
    built.journal.close();
  };

  const fixture: WatchFixture = {
    service,
    folder,
    incoming,
    journalPath,
    journal: () => built.journal,
    ledger: () => built.ledger,
    watch: built.watch,
    jobs: built.jobs,
    rule: async (change = {}, takeExisting = true) => {
      const rule = ruleOn(incoming, change);
      await fixture.watch.save(rule, takeExisting);
      return rule;
    },
    write: async (files) => {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(incoming, name)), { recursive: true });
        await writeFile(join(incoming, name), typeof content === 'number' ? anyFile(name, content) : content);
      }
    },
    untilSource: (rule, path, fits) =>
      vi.waitFor(
        () => {
          const sources = fixture.watch.sources(rule.id).map(saidSource);
          const source = sources.find((one) => one.path === path);
          if (!source || !fits(source))
            throw new Error(`not in time: ${path} ${JSON.stringify(source ?? sources)}`);
          return source;
        },
        { timeout: patienceMs, interval: 20 },
      ),
    untilComplete: (rule, path) => fixture.untilSource(rule, path, ({ state }) => state === 'complete'),
    statuses: () => service.control.assets().map(({ name, status }) => `${name} ${status}`),
    assets: () => service.control.assets(),
    restart: async () => {
      await stop();
      built = build();
      isOpen = true;
      fixture.watch = built.watch;
      fixture.jobs = built.jobs;
      await start();
    },
    stop,
    close: async () => {
      await stop();
      if (!options.service) await service.stop();
      // Another computer may still write its lease there.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await start();
  return fixture;
}

export function ruleOn(folder: string, change: Partial<WatchRule> = {}): WatchRule {
  return aWatchRule({ id: randomUUID(), accountId: 'me', folder, ...change });
}
