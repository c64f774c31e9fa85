import { arch, cpus, homedir, release, totalmem, version } from 'node:os';
import { type App, safeStorage, shell } from 'electron';
import type { Tilelift } from '../../app.ts';
import { newestJobs } from '../../jobs/list/newest-jobs.ts';
import { noticesFile } from '../../notices-file.ts';
import type { SettingsStore } from '../../settings.ts';
import { diagnosticsText, readLogTail, shownJobs } from './diagnostics.ts';

const shownLogLines = 300;

/** Help with problems. */
export interface Support {
  /** Throws an Error with the system's message. */
  openLogs(): Promise<void>;
  /** Opens the shipped notices. Throws an Error with the system's message. */
  openLicences(): Promise<void>;
  /** Diagnostics without secrets. */
  diagnostics(): Promise<string>;
}

export function createSupport(
  app: App,
  logFolder: string,
  { accounts, jobs }: Tilelift,
  settings: SettingsStore,
): Support {
  return {
    openLogs: async () => {
      const openError = await shell.openPath(logFolder);
      if (openError) throw new Error(`The folder of the log could not be opened: ${openError}`);
    },
    openLicences: async () => {
      const openError = await shell.openPath(noticesFile());
      if (openError) throw new Error(`The licences could not be opened: ${openError}`);
    },
    diagnostics: async () => {
      const state = accounts.state();
      const address = 'address' in state ? state.address : 'account' in state ? state.account.address : null;
      return diagnosticsText({
        madeAt: Date.now(),
        versions: {
          Tilelift: `${app.getVersion()}${app.isPackaged ? '' : ' (not packaged)'}`,
          Electron: process.versions.electron ?? '',
          Chromium: process.versions.chrome ?? '',
          Node: process.versions.node,
        },
        system: {
          System: `${process.platform} ${release()} ${arch()} (${version()})`,
          Processors: String(cpus().length),
          Memory: `${Math.round(totalmem() / 1024 ** 2)} MiB`,
          Language: app.getLocale(),
          Keychain: keychainInWords(),
        },
        account: { state: state.kind, ...address, error: 'error' in state ? state.error?.code : undefined },
        settings: settings.get(),
        jobs: newestJobs(jobs, shownJobs),
        log: await readLogTail(logFolder, shownLogLines),
        home: homedir(),
      });
    },
  };
}

function keychainInWords(): string {
  const available = safeStorage.isEncryptionAvailable() ? 'available' : 'not available';
  return process.platform === 'linux'
    ? `${available} (${safeStorage.getSelectedStorageBackend()})`
    : available;
}
