import { url as inspectorAddress } from 'node:inspector';
import { join } from 'node:path';
import { type App, safeStorage } from 'electron';
import { vaultExists } from '../account/vault/encrypted-vault.ts';
import type { FirstAnswers } from '../ipc/bind.ts';
import { presetsUnder } from '../ipc/services.ts';
import { type AppInfoParts, appInfo } from '../ipc/views/app-info.ts';
import type { Log } from '../log.ts';
import { governSettings } from '../policy/governed-settings.ts';
import { openPolicy } from '../policy/open-policy.ts';
import { policyIn } from '../policy/policy.ts';
import { settingsInFile } from '../settings-file.ts';
import { keychainState } from './keychain.ts';
import { readLaunchEnvironment } from './launch/launch-environment.ts';
import { runsUnsandboxed } from './launch/switches.ts';

/** Needed for the first screen. */
export interface StartupState extends AppInfoParts {
  readonly unsandboxed: boolean;
  /** No account was ever stored, and there is no policy. */
  readonly beginsAnew: boolean;
}

/** Call after Electron is ready. Throws if the settings can't be read. */
export async function loadStartupState(app: App, log: Log): Promise<StartupState> {
  const userData = app.getPath('userData');
  const policy = await openPolicy(log);
  const ownSettings = settingsInFile(userData, (path) =>
    log.error({ path }, 'settings.json is damaged. It is kept at this path, and defaults apply.'),
  );
  const settings = governSettings(ownSettings, policyIn(policy));
  const { accounts, currentService } = settings.get();
  const { services, samplePath } = readLaunchEnvironment(process.env);
  const { platform } = process;
  return {
    policy,
    settings,
    presets: presetsUnder(policy, services),
    info: {
      version: app.getVersion(),
      platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
      samplePath,
      keychain: keychainState(safeStorage),
    },
    unsandboxed: runsUnsandboxed({
      isPackaged: app.isPackaged,
      hasSwitch: (name) => app.commandLine.hasSwitch(name),
      inspectorAddress: inspectorAddress(),
    }),
    beginsAnew:
      policy.kind === 'none' &&
      accounts.length === 0 &&
      currentService === null &&
      !vaultExists(join(userData, 'vault.json')),
  };
}

/**
 * Calls that need no account. The others wait if someone may be signed in, who must not see the sign-in page.
 */
export function firstAnswers(startupState: StartupState, onDrawn: () => void): FirstAnswers {
  return {
    'app.info': async () => appInfo(startupState),
    'app.drawn': async () => onDrawn(),
    ...(startupState.beginsAnew
      ? { 'account.state': async () => ({ kind: 'signed-out', error: null, signedOut: [] }) }
      : {}),
  };
}
