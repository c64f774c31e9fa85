import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { accountTitle } from '../shared/accounts.ts';
import { limitAt, localWeekTime } from '../shared/timetable.ts';
import { settleAbandoned, within } from './abandoned-work.ts';
import { OAuthAccounts } from './account/account-service.ts';
import type { OpenCallbackReceiver } from './account/loopback-receiver.ts';
import type { AccountService } from './account/model/model.ts';
import { createProxyLogins, type ProxyLogins } from './account/proxy-logins.ts';
import { createVault } from './account/vault/encrypted-vault.ts';
import type { Cipher, Vault } from './account/vault/vault.ts';
import type { AlertSecrets, NamedSecrets } from './alerts/alert-secrets.ts';
import type { AlertService } from './alerts/alert-service.ts';
import { composeAlerts } from './alerts/compose-alerts.ts';
import { type ErrorRecord, TileliftError, toErrorRecord } from './errors.ts';
import { createInspector, type Inspector } from './inspect/session/inspector.ts';
import { openJournalOrRescue } from './jobs/journal/journal-rescue.ts';
import type { JobService } from './jobs/model.ts';
import { Jobs } from './jobs/service/job-service.ts';
import { createThumbnailFiles, type ThumbnailFiles } from './jobs/thumbnail-files.ts';
import type { Log } from './log.ts';
import { plainStorage } from './policy/plain-storage.ts';
import { noPolicy, type PolicyState, policyIn, policyRulesText } from './policy/policy.ts';
import { refusePlainService, refuseService } from './policy/refusals.ts';
import { type Clock, directRoute, type Fetch, type NetworkWay, type OpenBrowser } from './ports.ts';
import { keepPrivate } from './private-files.ts';
import { checkPlainAddresses, fetchPrivately } from './service/plain-http.ts';
import type { SettingsStore } from './settings.ts';
import { readAuthorityFile } from './storage/authorities.ts';
import { ChecksumMemory } from './storage/checksum-memory.ts';
import { OpenStores } from './storage/storage.ts';
import { refuseStorageAddress } from './storage/storage-address.ts';
import { createThrottle } from './storage/throttle.ts';
import { AccountAssets } from './tiling/account-assets.ts';
import { SubscribedAssets } from './tiling/subscribed-assets.ts';
import { TilingReads } from './tiling/tiling-reads.ts';
import { createAfterEnds } from './watch/finish/after-ends.ts';
import { machineOf } from './watch/model/lease-model.ts';
import type { WatchService } from './watch/model/model.ts';
import type { WatchTiming } from './watch/model/rule.ts';
import { refuseOutside } from './watch/rules/check-rule.ts';
import {
  type FaultyPolicyRule,
  noPolicyRules,
  type PolicyRules,
  readPolicyRules,
} from './watch/rules/policy-rules.ts';
import { faultyRules, withPolicyRules } from './watch/rules/policy-watch.ts';
import { createLedger } from './watch/state/ledger/ledger.ts';
import { createWatchService } from './watch/watch-service.ts';
import { createStorageClient, prepareUpload } from './workers/storage-client.ts';

/** From Electron on the desktop, plain Node in the terminal. */
interface ExternalPorts {
  readonly folder: string;
  /** Settings don't carry it to other computers. Default: unknown. */
  readonly machine?: string | null;
  readonly clock: Clock;
  readonly fetch: Fetch;
  /** For storage; `fetch` has its own. Default: none. */
  readonly way?: Partial<NetworkWay>;
  readonly openBrowser: OpenBrowser;
  /** Receives the callback without our scheme. Default: none. */
  readonly openReceiver?: OpenCallbackReceiver;
  readonly cipher: Cipher;
  /** From outside the vault. Default: none. */
  readonly namedSecrets?: NamedSecrets;
  /** Already governed by the policy. */
  readonly settings: SettingsStore;
  /** Default: none. */
  readonly policy?: PolicyState;
  readonly log: Log;
  /** A source in plain Node, a bundle in Electron. */
  readonly uploadWorker: URL;
  readonly scanWorker: URL;
  /** Default: the designed intervals. */
  readonly watchTiming?: WatchTiming;
  /** The program's version. */
  readonly version?: string;
  /** Contract part 8: 10 seconds. */
  readonly pollMs?: number;
  /** Default: nothing. */
  readonly giveMemoryBack?: () => void;
  /** Default: always. */
  readonly isSeen?: () => boolean;
}

export interface Tilelift {
  /** Looks at what may become an upload. */
  readonly inspector: Inspector;
  readonly accounts: AccountService;
  readonly jobs: JobService;
  readonly thumbnailFiles: ThumbnailFiles;
  /** Assets in view. */
  readonly assets: AccountAssets;
  /** Assets whose completion the user subscribed to. */
  readonly subscribedAssets: SubscribedAssets;
  readonly watch: WatchService;
  /** The policy's unusable rules. */
  readonly faultyRules: readonly FaultyPolicyRule[];
  readonly alerts: AlertService;
  readonly alertSecrets: AlertSecrets;
  readonly vault: Vault;
  readonly proxies: ProxyLogins;
  readonly notices: readonly ErrorRecord[];
  /** Restores the sign-in before the first await, then the unfinished jobs. */
  start(): Promise<void>;
  /** After sleep or a network change. */
  renewConnections(): void;
  /**
   * Takes at most five seconds and keeps everything needed to continue. False if a system call hangs: the
   * process won't exit by itself.
   */
  stop(): Promise<boolean>;
}

/** With SQLite's side files and damaged or temporary versions. */
const dataFile = /^(?:journal|settings|socket|vault)\b/;

/** Limits of waiting for work and for threads, ms. */
const stopLimitMs = 4_000;
/** Contract part 8. */
const defaultPollMs = 10_000;
const threadsEndMs = 500;

const maxNamed = 5;

/** Throws `journal-unusable`, `journal-held`, `journal-newer`. */
export function composeTilelift(external: ExternalPorts): Tilelift {
  const { folder, clock, fetch, openBrowser, cipher, settings, log, policy = noPolicy } = external;
  const unprotected = keepPrivate(folder, (name) => dataFile.test(name));
  if (unprotected.length > 0) log.warn({ loose: unprotected }, 'others may read what is kept');
  const vault = createVault({ file: join(folder, 'vault.json'), cipher, log: log.child('vault') });
  const proxies = createProxyLogins(vault, clock, log.child('proxy'));
  const accounts = new OAuthAccounts({
    clock,
    fetch: fetchPrivately(fetch),
    openBrowser,
    openReceiver: external.openReceiver,
    vault,
    settings,
    refuseService: (address) =>
      refuseService(policy, address) ?? refusePlainService(policy, settings.get(), address),
    checkAddress: checkPlainAddresses,
    log: log.child('account'),
  });
  const journalPath = join(folder, 'journal.db');
  // A deleted journal takes the ledger with it.
  const ledgerIsThere = existsSync(journalPath) || settings.get().watchRules.length === 0;
  const {
    journal,
    database,
    damage,
    ledgerIsWhole,
    unreadable: unreadableRows,
  } = openJournalOrRescue(journalPath, clock.now());
  if (damage) log.error({ error: damage }, 'the journal was damaged');
  const { laterKinds } = unreadableRows;
  if (laterKinds.length > 0)
    log.warn({ laterKinds }, 'the journal has events of a later version, which are left out');
  const leftOut = unreadableRows.jobs.length > 0 ? jobsUnreadable(unreadableRows.jobs) : null;
  if (leftOut) log.error({ error: leftOut }, 'rows of the journal can’t be read');
  const limit = () => limitAt(settings.get().bandwidth, localWeekTime(clock.now()));
  const throttle = createThrottle(limit, clock);
  const checksumMemory = new ChecksumMemory();
  const plainStorageRules = plainStorage(policy, settings);
  const lifetime = new AbortController();
  const stores = new OpenStores();
  const { pollMs = defaultPollMs } = external;
  const reads = new TilingReads({ serviceFor: (id) => accounts.serviceFor(id), clock, freshMs: pollMs });
  const assets = new AccountAssets({ reads, clock, pollMs, isSeen: external.isSeen ?? (() => true) });
  const subscribedAssets = new SubscribedAssets({ settings, reads, clock, pollMs });
  const thumbnailFiles = createThumbnailFiles(join(folder, 'thumbnails'));
  const jobs = new Jobs({
    reads,
    journal,
    storageFor: (location) =>
      stores.rememberStorage(
        createStorageClient(location, {
          currentTime: clock.now,
          worker: external.uploadWorker,
          throttle,
          memory: checksumMemory,
          way: { ...directRoute, ...proxies, ...external.way },
          ca: readAuthorityFile(settings.get().network.caFile),
        }),
      ),
    prepareUpload: () => prepareUpload(external.uploadWorker),
    refuseStorage: (location, accountId) => {
      const account = accounts.accounts().find(({ id }) => id === accountId);
      if (!account) return new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
      const { baseUrl } = account.address;
      return refuseStorageAddress(location, baseUrl, plainStorageRules.isAllowed(baseUrl));
    },
    vault,
    accounts,
    whyHeld: (jobId) => watch.whyHeld(jobId),
    clock,
    log,
    random: Math.random,
    bandwidth: () => settings.get().bandwidth,
    scanWorker: external.scanWorker,
    pollMs,
    onRemoved: thumbnailFiles.remove,
  });
  const ledger = createLedger(database, journalPath);
  const owner = {
    instance: instanceId(settings),
    machine: machineOf(external.machine ?? null, resolve(journalPath)),
    host: hostname(),
    pid: process.pid,
  };
  const inspector = createInspector(external.scanWorker, lifetime.signal);
  const ownWatch = createWatchService({
    inspector,
    settings,
    jobs,
    ledger,
    ledgerIsWhole: ledgerIsWhole && ledgerIsThere,
    accounts: {
      isReady: (id) => accounts.accounts().some((account) => account.id === id),
      nameOf: (id) => {
        const account = accounts.signedOutAccounts().find((candidate) => candidate.id === id);
        return account ? accountTitle(account, new URL(account.baseUrl).host) : id;
      },
      serviceOf: (id) => accounts.accounts().find((account) => account.id === id)?.address.baseUrl ?? null,
      readAsset: (id, assetId) => accounts.serviceFor(id).readAsset(assetId),
    },
    owner,
    journalPath,
    clock,
    random: Math.random,
    log: log.child('watch'),
    scanWorker: external.scanWorker,
    timing: external.watchTiming,
    onScanned: external.giveMemoryBack,
    refuseFolder: (folder) => refuseFolder(policy, folder),
  });
  const policyRules = policyRulesIn(policy);
  const watch = withPolicyRules({
    watch: ownWatch,
    settings,
    rules: policyRules,
    path: 'path' in policy ? policy.path : '',
    accounts: {
      of: (baseUrl, previous) => accounts.firstAt(baseUrl, previous),
      current: () => accounts.current(),
      onSignIn: (listener) => accounts.onChange(({ kind }) => kind === 'signed-in' && listener()),
    },
    ledgerIsWhole: ledgerIsWhole && ledgerIsThere,
    clock,
    log: log.child('watch'),
  });
  const afterEnds = createAfterEnds({
    ...{ database, journalPath, ledger, settings, watch, clock },
    log: log.child('after'),
  });
  const { alerts, secrets: alertSecrets } = composeAlerts({
    ...{ database, journalPath, vault, settings, accounts, watch, clock, fetch },
    log: log.child('alerts'),
    version: external.version ?? '',
    namedSecrets: external.namedSecrets,
  });
  const faulty = policyRules?.faulty ?? [];
  const faults = faulty.length > 0 && 'path' in policy ? faultyRules(faulty, policy.path) : null;
  if (faults) log.error({ error: faults }, 'rules of the policy can’t be used');
  const startupErrors = [policy.kind === 'unusable' ? policy.error : faults, damage, leftOut];
  const stopWaking = accounts.onChange((state) => {
    if (state.kind !== 'signed-in') return jobs.accountsChanged();
    jobs.wake(state.account.id);
    subscribedAssets.wakePolling();
  });
  return {
    accounts,
    jobs,
    thumbnailFiles,
    assets,
    subscribedAssets: subscribedAssets,
    watch,
    faultyRules: faulty,
    alerts,
    alertSecrets,
    vault,
    proxies,
    inspector,
    notices: startupErrors.flatMap((error) => (error ? [toErrorRecord(error)] : [])),
    start: async () => {
      await Promise.all([
        // Signed-in users never see the sign-in page while folders load.
        accounts.start(),
        // Release what another computer took over before uploads continue.
        watch.start().then(() => jobs.start()),
      ]);
      afterEnds.kick();
      // The signed-in accounts are known now.
      alerts.start();
    },
    renewConnections: () => stores.renewConnections(),
    stop: async () => {
      lifetime.abort();
      stopWaking();
      assets.stop();
      subscribedAssets.stop();
      accounts.stop();
      const startedAt = performance.now();
      const allStopped = Promise.allSettled([watch.stop(), jobs.stop(), alerts.stop(), afterEnds.stop()]);
      await within(allStopped, stopLimitMs);
      inspector.close();
      journal.close();
      return settleAbandoned(Math.max(threadsEndMs, stopLimitMs - (performance.now() - startedAt)));
    },
  };
}

function jobsUnreadable(names: readonly string[]): TileliftError {
  const furtherCount = names.length - maxNamed;
  const subject = { names: names.slice(0, maxNamed), ...(furtherCount > 0 ? { more: furtherCount } : {}) };
  return new TileliftError('job-unreadable', { subject });
}

/** Null if the policy is unusable. */
function policyRulesIn(policy: PolicyState): PolicyRules | null {
  if (policy.kind === 'unusable') return null;
  const text = policyRulesText(policy);
  return text === null ? noPolicyRules : readPolicyRules(text);
}

async function refuseFolder(policy: PolicyState, folder: string): Promise<TileliftError | null> {
  if (policy.kind === 'unusable') return policy.error;
  const roots = policyIn(policy).watch?.roots;
  return roots ? refuseOutside(folder, roots) : null;
}

/** Created at the first launch. */
function instanceId(settings: SettingsStore): string {
  const storedId = settings.get().instanceId;
  if (storedId !== null) return storedId;
  const newId = randomUUID();
  settings.update({ instanceId: newId });
  return newId;
}
