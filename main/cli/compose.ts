import type { OpenCallbackReceiver } from '../account/loopback-receiver.ts';
import { composeTilelift, type Tilelift } from '../app.ts';
import { giveMemoryBack } from '../free-memory.ts';
import { createLog, type FileLog, type Log } from '../log.ts';
import { thisMachine } from '../machine.ts';
import { governSettings } from '../policy/governed-settings.ts';
import { openPolicy } from '../policy/open-policy.ts';
import { type PolicyState, policyIn } from '../policy/policy.ts';
import { type OpenBrowser, systemClock } from '../ports.ts';
import { keepPrivate } from '../private-files.ts';
import type { SettingsStore } from '../settings.ts';
import { settingsInFile } from '../settings-file.ts';
import { type Access, readAccess } from './access/access.ts';
import { cipherOf, noCipher } from './access/file-cipher.ts';
import { createNamedSecrets } from './access/named-secrets.ts';
import type { Cli } from './cli.ts';
import { useEnvironmentNetwork } from './environment-network.ts';
import { homeOf } from './home.ts';

interface OpenOptions {
  /** Default: `readAccess`. */
  readonly access?: Access;
  /** Default: none. */
  readonly openBrowser?: OpenBrowser;
  readonly openReceiver?: OpenCallbackReceiver;
  /** Default: `logs/tilelift.log` of the home folder, closed here. */
  readonly log?: Log;
}

/** Tilelift without a window. */
export interface OpenedTilelift {
  readonly tilelift: Tilelift;
  /** Governed by the policy. */
  readonly settings: SettingsStore;
  readonly policy: PolicyState;
  readonly access: Access;
  /** Absolute. */
  readonly home: string;
  close(): Promise<void>;
}

/**
 * Composes Tilelift in plain Node; `tilelift.start()` runs it.
 * @throws UsageError if the secret can't be used; TileliftError `journal-held`, `journal-unusable`,
 *   `journal-newer`, `authority-file-unusable`
 */
export async function openTilelift(cli: Cli, options: OpenOptions = {}): Promise<OpenedTilelift> {
  const { env } = cli;
  const home = homeOf(cli);
  const access = options.access ?? readAccess(home, env);
  keepPrivate(home, () => false);
  const ownLog = options.log ? null : createLog({ folder: `${home}/logs`, level: 'info' });
  const log: Log = options.log ?? (ownLog as FileLog);
  const policy = await openPolicy(log);
  const settings = governSettings(settingsInFile(home), policyIn(policy));
  const network = useEnvironmentNetwork(cli.env, settings.get().network.caFile);
  const tilelift = composeTilelift({
    folder: home,
    machine: await thisMachine(home),
    clock: systemClock,
    ...network,
    openBrowser: options.openBrowser ?? noBrowser,
    ...(options.openReceiver ? { openReceiver: options.openReceiver } : {}),
    cipher: access.kind === 'none' ? noCipher : cipherOf(access.secret),
    namedSecrets: createNamedSecrets(() => settings.get().alertSecretPlaces, env, log.child('secrets')),
    settings,
    policy,
    log,
    uploadWorker: cli.workers.upload,
    scanWorker: cli.workers.scan,
    version: cli.version,
    pollMs: pollMsOf(env),
    giveMemoryBack,
  });
  return {
    ...{ tilelift, settings, policy, access, home },
    close: async () => {
      await tilelift.stop();
      await ownLog?.close();
    },
  };
}

/** Contract part 8. */
const defaultPollMs = 10_000;

/** `TILELIFT_POLL_MS`, else the contract's interval, ms. */
export function pollMsOf({ TILELIFT_POLL_MS }: NodeJS.ProcessEnv): number {
  const ms = Number(TILELIFT_POLL_MS ?? '');
  return Number.isInteger(ms) && ms >= 100 && ms <= 3_600_000 ? ms : defaultPollMs;
}

const noBrowser: OpenBrowser = async () => {
  throw new Error('There is no browser');
};
