import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createAccountService } from './account/account-service.ts';
import { createVault } from './account/encrypted-vault.ts';
import type { AccountService } from './account/model.ts';
import type { Cipher, Vault } from './account/vault.ts';
import { createJobService } from './jobs/job-service.ts';
import { openJournal } from './jobs/journal.ts';
import type { JobService } from './jobs/model.ts';
import type { Log } from './log.ts';
import type { Clock, Fetch, OpenBrowser } from './outside.ts';
import type { SettingsStore } from './settings.ts';

/** Everything that Tilelift needs from outside. The desktop gives Electron's parts, the terminal plain Node's. */
export interface Outside {
  /** Where journal and vault live. Made when missing. */
  readonly folder: string;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly openBrowser: OpenBrowser;
  readonly cipher: Cipher;
  readonly settings: SettingsStore;
  readonly log: Log;
  /** How often the status of an asset is asked for, ms. Contract part 8: 10 seconds. */
  readonly pollMs?: number;
}

export interface Tilelift {
  readonly accounts: AccountService;
  readonly jobs: JobService;
  readonly vault: Vault;
  /** Takes up the kept sign-in and every unfinished job. */
  start(): Promise<void>;
  /** Stops all work, keeping everything needed to go on. */
  stop(): Promise<void>;
}

/** Makes each service once and hands it its collaborators. Throws `journal-unusable`. */
export function composeTilelift(outside: Outside): Tilelift {
  const { folder, clock, fetch, openBrowser, cipher, settings, log } = outside;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const vault = createVault({ file: join(folder, 'vault.json'), cipher, log: log.child('vault') });
  const accounts = createAccountService({
    clock,
    fetch,
    openBrowser,
    vault,
    settings,
    log: log.child('account'),
  });
  const journal = openJournal(join(folder, 'journal.db'));
  const jobs = createJobService({
    journal,
    vault,
    accounts,
    clock,
    log,
    random: Math.random,
    pollMs: outside.pollMs,
  });
  const stopWaking = accounts.onChange((state) => {
    if (state.kind === 'signed-in') jobs.wake(state.account.id);
  });
  return {
    accounts,
    jobs,
    vault,
    start: async () => {
      jobs.start();
      await accounts.start();
    },
    stop: async () => {
      stopWaking();
      accounts.stop();
      await jobs.stop();
      journal.close();
    },
  };
}
