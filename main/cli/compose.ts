import type { OpenCallbackReceiver } from '../account/loopback-receiver.ts';
import { composeTilelift, type Tilelift } from '../app.ts';
import { giveMemoryBack } from '../free-memory.ts';
import type { FileLog, Log } from '../log.ts';
import { thisMachine } from '../machine.ts';
import { governSettings } from '../policy/governed-settings.ts';
import { openPolicy } from '../policy/open-policy.ts';
import { type PolicyState, policyIn } from '../policy/policy.ts';
import { type OpenBrowser, systemClock } from '../ports.ts';
import { keepPrivate } from '../private-files.ts';
import type { SettingsStore } from '../settings.ts';
import { settingsInFile } from '../settings-file.ts';
import { defaultTiming, type PerDrive } from '../watch/model/rule.ts';
import { type Access, readAccess } from './access.ts';
import type { Cli } from './cli.ts';
import { useEnvironmentNetwork } from './environment-network.ts';
import { cipherOf, noCipher } from './file-cipher.ts';
import { homeOf } from './home.ts';
import { createNamedSecrets } from './named-secrets.ts';
import { openLog } from './open-log.ts';

interface OpenOptions {
  /** Default: `readAccess`. */
  readonly access?: Access;
  /** Default: none. */
  readonly openBrowser?: OpenBrowser;
  readonly openReceiver?: OpenCallbackReceiver;
  /** Bytes per second, instead of the settings' limits. */
  readonly limitRate?: number | undefined;
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
  readonly log: Log;
  dispose(): Promise<void>;
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
  const ownLog = options.log ? null : openLog(cli, home);
  const log: Log = options.log ?? (ownLog as FileLog);
  try {
    const composition = await composeWith(cli, options, { home, access, log });
    return {
      ...{ ...composition, access, home, log },
      dispose: async () => {
        await composition.tilelift.stop();
        await ownLog?.dispose();
      },
    };
  } catch (error) {
    await ownLog?.dispose();
    throw error;
  }
}

async function composeWith(
  { env, workers, version }: Cli,
  { openBrowser = noBrowser, openReceiver, limitRate }: OpenOptions,
  { home, access, log }: { readonly home: string; readonly access: Access; readonly log: Log },
) {
  const policy = await openPolicy(log);
  const settings = withRateLimit(governSettings(settingsInFile(home), policyIn(policy)), limitRate);
  const network = useEnvironmentNetwork(env, settings.get().network.caFile);
  const tilelift = composeTilelift({
    folder: home,
    machine: await thisMachine(home),
    clock: systemClock,
    ...network,
    openBrowser,
    ...(openReceiver ? { openReceiver } : {}),
    cipher: access.kind === 'none' ? noCipher : cipherOf(access.secret),
    namedSecrets: createNamedSecrets(() => settings.get().alertSecretPlaces, env, log.child('secrets')),
    settings,
    policy,
    log,
    uploadWorker: workers.upload,
    scanWorker: workers.scan,
    version,
    pollMs: pollMsOf(env),
    watchTiming: { ...defaultTiming, settleMs: settleMsOf(env) },
    giveMemoryBack,
  });
  return { tilelift, settings, policy };
}

function withRateLimit(settings: SettingsStore, limit: number | undefined): SettingsStore {
  if (limit === undefined) return settings;
  return { ...settings, get: () => ({ ...settings.get(), bandwidth: { limit, timetable: [] } }) };
}

/** Contract part 8. */
const defaultPollMs = 10_000;

/** `TILELIFT_POLL_MS`, else the contract's interval, ms. */
export const pollMsOf = ({ TILELIFT_POLL_MS }: NodeJS.ProcessEnv) => msOf(TILELIFT_POLL_MS) ?? defaultPollMs;

/** `TILELIFT_SETTLE_MS`, else the designed quiet times. */
function settleMsOf({ TILELIFT_SETTLE_MS }: NodeJS.ProcessEnv): PerDrive {
  const ms = msOf(TILELIFT_SETTLE_MS);
  return ms === null ? defaultTiming.settleMs : { local: ms, network: ms };
}

function msOf(text = ''): number | null {
  const ms = Number(text);
  return Number.isInteger(ms) && ms >= 100 && ms <= 3_600_000 ? ms : null;
}

const noBrowser: OpenBrowser = async () => {
  throw new Error('There is no browser');
};
