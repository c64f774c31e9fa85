import { url as inspectorAddress } from 'node:inspector';
import { join } from 'node:path';
import { type App, safeStorage } from 'electron';
import { vaultExists } from '../account/vault/encrypted-vault.ts';
import type { FirstAnswers } from '../ipc/bind.ts';
import { presetsUnder } from '../ipc/handlers/services.ts';
import { type AppInfoParts, appInfo } from '../ipc/views/app-info.ts';
import type { Log } from '../log.ts';
import { governSettings } from '../policy/governed-settings.ts';
import { openPolicy } from '../policy/open-policy.ts';
import { policyIn } from '../policy/policy.ts';
import { settingsInFile } from '../settings-file.ts';
import { keychainState } from './keychain.ts';
import { readLaunchEnvironment } from './launch/launch-environment.ts';
import { runsUnsandboxed } from './launch/switches.ts';

/** What everything else stands on, and all that the way to sign in needs. */
export interface Ground extends AppInfoParts {
  /** Chromium does not keep pages apart from this computer. */
  readonly unsandboxed: boolean;
  /**
   * The first screen is the way to sign in, with nothing to say besides: nobody has ever signed in, and no
   * policy could have a fault.
   */
  readonly beginsAnew: boolean;
}

/** Only after Electron is ready. Throws where the settings can't be read. */
export async function layGround(app: App, log: Log): Promise<Ground> {
  const userData = app.getPath('userData');
  const policy = await openPolicy(log);
  // A damaged file is no reason not to start.
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
 * What the first screen can be told of the ground alone. Where someone may be signed in it has to wait for
 * the rest: whoever is never sees the way to sign in. `onDrawn`: it is on the window.
 */
export function firstAnswers(ground: Ground, onDrawn: () => void): FirstAnswers {
  return {
    'app.info': async () => appInfo(ground),
    'app.drawn': async () => onDrawn(),
    ...(ground.beginsAnew
      ? { 'account.state': async () => ({ kind: 'signed-out', error: null, signedOut: [] }) }
      : {}),
  };
}
