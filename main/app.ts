import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { accountTitle } from '../shared/accounts.ts';
import { limitAt, localWeekTime } from '../shared/timetable.ts';
import { OAuthAccounts } from './account/account-service.ts';
import type { OpenCallbackReceiver } from './account/loopback-receiver.ts';
import type { AccountService } from './account/model.ts';
import { createProxyLogins, type ProxyLogins } from './account/proxy-logins.ts';
import { createVault } from './account/vault/encrypted-vault.ts';
import type { Cipher, Vault } from './account/vault/vault.ts';
import type { AlertSecrets, NamedSecrets } from './alerts/alert-secrets.ts';
import type { AlertService } from './alerts/alert-service.ts';
import { composeAlerts } from './alerts/compose-alerts.ts';
import { type ErrorRecord, TileliftError, toErrorRecord } from './errors.ts';
import { nothingHangs, within } from './hanging-work.ts';
import { createInspector, type Inspector } from './inspect/session/inspector.ts';
import { openJournalOrRescue } from './jobs/journal/journal-rescue.ts';
import type { JobService } from './jobs/model.ts';
import { Jobs } from './jobs/service/job-service.ts';
import type { Log } from './log.ts';
import { type Clock, directRoute, type Fetch, type NetworkWay, type OpenBrowser } from './outside.ts';
import { plainStorage } from './policy/plain-storage.ts';
import { noPolicy, type PolicyState, policyIn, policyRulesText } from './policy/policy.ts';
import { refuseService } from './policy/refusals.ts';
import { keepPrivate } from './private-files.ts';
import type { SettingsStore } from './settings.ts';
import { readAuthorityFile } from './storage/authorities.ts';
import { ChecksumMemory } from './storage/checksum-memory.ts';
import { OpenStores } from './storage/storage.ts';
import { refuseStorageAddress } from './storage/storage-address.ts';
import { createThrottle } from './storage/throttle.ts';
import { AccountAssets } from './tiling/account-assets.ts';
import { TilingReads } from './tiling/tiling-reads.ts';
import { ToldAssets } from './tiling/told-assets.ts';
import { createAfterEnds } from './watch/after/after-ends.ts';
import { machineOf } from './watch/claims/claim-model.ts';
import { refuseOutside } from './watch/folder/paths.ts';
import { createLedger } from './watch/ledger/ledger.ts';
import type { WatchService } from './watch/model.ts';
import { faultyRules, withPolicyRules } from './watch/policy-rules/policy-watch.ts';
import {
  type FaultyPolicyRule,
  noPolicyRules,
  type PolicyRules,
  readPolicyRules,
} from './watch/policy-rules/read-policy-rules.ts';
import type { WatchTiming } from './watch/timing.ts';
import { createWatchService } from './watch/watch-service.ts';
import { createStorageClient, prepareUpload } from './workers/storage-client.ts';

/** What Tilelift needs from outside. The desktop gives Electron's parts, the terminal plain Node's. */
interface Outside {
  /** Where journal and vault live. Made when missing. */
  readonly folder: string;
  /** This computer's own id, which no settings carry to another one. Default: none is known. */
  readonly machine?: string | null;
  readonly clock: Clock;
  readonly fetch: Fetch;
  /**
   * Proxies on the way to storage; `fetch` follows them by itself. Logins that it does not know come from the
   * person. Default: none.
   */
  readonly way?: Partial<NetworkWay>;
  readonly openBrowser: OpenBrowser;
  /** Where the browser returns to without our scheme. Default: it always returns by the scheme. */
  readonly openReceiver?: OpenCallbackReceiver;
  readonly cipher: Cipher;
  /** Secrets of alerts that lie elsewhere than in the vault. Default: none. */
  readonly namedSecrets?: NamedSecrets;
  /** Where there is a policy, as it governs them. */
  readonly settings: SettingsStore;
  /** What the administrator of this computer allows. Default: everything. */
  readonly policy?: PolicyState;
  readonly log: Log;
  /** The worker that reads, hashes, signs and sends: its source in plain Node, its bundle in Electron. */
  readonly uploadWorker: URL;
  /** The worker that scans folders, likewise. */
  readonly scanWorker: URL;
  /** How often and how long the watching of folders waits. Default: as the design has it. */
  readonly watchTiming?: WatchTiming;
  /** Of this program. */
  readonly version?: string;
  /** How often the status of an asset is asked for, ms. Contract part 8: 10 seconds. */
  readonly pollMs?: number;
  /** Called when much has been thrown away at once: the system may have the memory. Default: nothing. */
  readonly giveMemoryBack?: () => void;
  /** Whether someone sees the window. Default: always. */
  readonly isSeen?: () => boolean;
}

export interface Tilelift {
  /** Looks at what may become an upload. */
  readonly inspector: Inspector;
  readonly accounts: AccountService;
  readonly jobs: JobService;
  /** The assets that someone looks at. */
  readonly assets: AccountAssets;
  /** Those of whose end a person wants to be told. */
  readonly told: ToldAssets;
  readonly watch: WatchService;
  /** Rules of the policy that can’t be used. */
  readonly faultyRules: readonly FaultyPolicyRule[];
  readonly alerts: AlertService;
  readonly alertSecrets: AlertSecrets;
  readonly vault: Vault;
  /** Names and passwords for proxies: what is kept, and what the person is asked for. */
  readonly proxies: ProxyLogins;
  /** What went wrong while it was put together, without keeping it from starting. */
  readonly notices: readonly ErrorRecord[];
  /** Takes up the kept sign-in, before it gives way for the first time, and every unfinished job. */
  start(): Promise<void>;
  /** After sleep, or in another network: connections that nothing uses lead nowhere any more. */
  renewConnections(): void;
  /**
   * Stops all work, keeping everything needed to continue: within five seconds, whatever hangs. False where
   * something still hangs in the system: the process won't end by itself then.
   */
  stop(): Promise<boolean>;
}

/**
 * What is in the folder: the journal and what SQLite puts beside it, damaged ones, settings, vault and the
 * socket’s address, half-written ones too.
 */
const ownFile = /^(?:journal|settings|socket|vault)\b/;

/** How long `stop` waits for its work to end, and at least for threads to do so, ms. */
const stopLimitMs = 4_000;
/** Contract part 8. */
const defaultPollMs = 10_000;
const threadsEndMs = 500;

/** Names in one sentence. */
const maxNamed = 5;

/**
 * Makes each service and hands it collaborators. Throws `journal-unusable`, `journal-held`, `journal-newer`.
 */
export function composeTilelift(outside: Outside): Tilelift {
  const { folder, clock, fetch, openBrowser, cipher, settings, log, policy = noPolicy } = outside;
  const loose = keepPrivate(folder, (name) => ownFile.test(name));
  if (loose.length > 0) log.warn({ loose }, 'others may read what is kept');
  const vault = createVault({ file: join(folder, 'vault.json'), cipher, log: log.child('vault') });
  const proxies = createProxyLogins(vault, clock, log.child('proxy'));
  const accounts = new OAuthAccounts({
    clock,
    fetch,
    openBrowser,
    openReceiver: outside.openReceiver,
    vault,
    settings,
    refuseService: (address) => refuseService(policy, address),
    log: log.child('account'),
  });
  const journalPath = join(folder, 'journal.db');
  // A journal that someone took away has taken with it what the rules had taken.
  const ledgerIsThere = existsSync(journalPath) || settings.get().watchRules.length === 0;
  const { journal, database, damage, ledgerIsWhole, unreadable } = openJournalOrRescue(
    journalPath,
    clock.now(),
  );
  if (damage) log.error({ error: damage }, 'the journal was damaged');
  const { laterKinds } = unreadable;
  if (laterKinds.length > 0)
    log.warn({ laterKinds }, 'the journal has events of a later version, which are left out');
  const leftOut = unreadable.jobs.length > 0 ? jobsUnreadable(unreadable.jobs) : null;
  if (leftOut) log.error({ error: leftOut }, 'rows of the journal can’t be read');
  const limit = () => limitAt(settings.get().bandwidth, localWeekTime(clock.now()));
  const throttle = createThrottle(limit, clock);
  const checksumMemory = new ChecksumMemory();
  const plain = plainStorage(policy, settings);
  const ending = new AbortController();
  const stores = new OpenStores();
  const { pollMs = defaultPollMs } = outside;
  const reads = new TilingReads({ serviceFor: (id) => accounts.serviceFor(id), clock, freshMs: pollMs });
  const assets = new AccountAssets({ reads, clock, pollMs, isSeen: outside.isSeen ?? (() => true) });
  const told = new ToldAssets({ settings, reads, clock, pollMs });
  const jobs = new Jobs({
    reads,
    journal,
    storageFor: (location) =>
      stores.keep(
        createStorageClient(location, {
          now: clock.now,
          worker: outside.uploadWorker,
          throttle,
          memory: checksumMemory,
          way: { ...directRoute, ...proxies, ...outside.way },
          ca: readAuthorityFile(settings.get().network.caFile),
        }),
      ),
    prepareUpload: () => prepareUpload(outside.uploadWorker),
    refuseStorage: (location, accountId) => {
      const account = accounts.accounts().find(({ id }) => id === accountId);
      if (!account) return new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
      const { baseUrl } = account.address;
      return refuseStorageAddress(location, baseUrl, plain.isAllowed(baseUrl));
    },
    vault,
    accounts,
    whyHeld: (jobId) => watch.whyHeld(jobId),
    clock,
    log,
    random: Math.random,
    bandwidth: () => settings.get().bandwidth,
    scanWorker: outside.scanWorker,
    pollMs,
  });
  const ledger = createLedger(database, journalPath);
  const owner = {
    instance: instanceId(settings),
    machine: machineOf(outside.machine ?? null, resolve(journalPath)),
    host: hostname(),
    pid: process.pid,
  };
  const inspector = createInspector(outside.scanWorker, ending.signal);
  const ownWatch = createWatchService({
    inspector,
    settings,
    jobs,
    ledger,
    ledgerIsWhole: ledgerIsWhole && ledgerIsThere,
    accounts: {
      isReady: (id) => accounts.accounts().some((account) => account.id === id),
      nameOf: (id) => {
        const account = accounts.signedOut().find((one) => one.id === id);
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
    scanWorker: outside.scanWorker,
    timing: outside.watchTiming,
    onLooked: outside.giveMemoryBack,
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
  const after = createAfterEnds({
    ...{ database, journalPath, ledger, settings, watch, clock },
    log: log.child('after'),
  });
  const { alerts, secrets: alertSecrets } = composeAlerts({
    ...{ database, journalPath, vault, settings, accounts, watch, clock, fetch },
    log: log.child('alerts'),
    version: outside.version ?? '',
    namedSecrets: outside.namedSecrets,
  });
  const faulty = policyRules?.faulty ?? [];
  const faults = faulty.length > 0 && 'path' in policy ? faultyRules(faulty, policy.path) : null;
  if (faults) log.error({ error: faults }, 'rules of the policy can’t be used');
  const troubles = [policy.kind === 'unusable' ? policy.error : faults, damage, leftOut];
  const stopWaking = accounts.onChange((state) => {
    if (state.kind !== 'signed-in') return jobs.accountsChanged();
    jobs.wake(state.account.id);
    told.wake();
  });
  return {
    accounts,
    jobs,
    assets,
    told,
    watch,
    faultyRules: faulty,
    alerts,
    alertSecrets,
    vault,
    proxies,
    inspector,
    notices: troubles.flatMap((error) => (error ? [toErrorRecord(error)] : [])),
    start: async () => {
      await Promise.all([
        // At once: whoever is signed in never sees the way to sign in, however long folders take.
        accounts.start(),
        // What another computer took over meanwhile is given up before its upload would continue.
        watch.start().then(() => jobs.start()),
      ]);
      after.kick();
      // Only now can be told who is signed in.
      alerts.start();
    },
    renewConnections: () => stores.renewConnections(),
    stop: async () => {
      ending.abort();
      stopWaking();
      assets.stop();
      told.stop();
      accounts.stop();
      const began = performance.now();
      const stopped = Promise.allSettled([watch.stop(), jobs.stop(), alerts.stop(), after.stop()]);
      await within(stopped, stopLimitMs);
      inspector.close();
      journal.close();
      return nothingHangs(Math.max(threadsEndMs, stopLimitMs - (performance.now() - began)));
    },
  };
}

function jobsUnreadable(names: readonly string[]): TileliftError {
  const more = names.length - maxNamed;
  const subject = { names: names.slice(0, maxNamed), ...(more > 0 ? { more } : {}) };
  return new TileliftError('job-unreadable', { subject });
}

/** None where there is no policy; null where nobody can say what it wants. */
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

/** By what this Tilelift is known in folders that several watch; made at its first start. */
function instanceId(settings: SettingsStore): string {
  const known = settings.get().instanceId;
  if (known !== null) return known;
  const made = randomUUID();
  settings.update({ instanceId: made });
  return made;
}
