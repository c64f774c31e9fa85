import { existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { type App, type Session, shell } from 'electron';
import manifest from '../../../package.json' with { type: 'json' };
import type { UpdatesView } from '../../../preload/contract.ts';
import type { UpdatesParts } from '../../ipc/handlers/updates-handlers.ts';
import type { Log } from '../../log.ts';
import type { Clock, NetworkWay } from '../../ports.ts';
import type { SettingsStore } from '../../settings.ts';
import type { WorkWatch } from '../launch/work.ts';
import { feedAddress, installsByItself } from './installation.ts';
import { createUpdateService, updatesView } from './update-service.ts';

interface SetupUpdatesParts {
  readonly app: App;
  readonly settings: SettingsStore;
  readonly work: Pick<WorkWatch, 'current' | 'onChange'>;
  /** Without the authorities that the user added. */
  readonly session: () => Session;
  readonly proxies: Pick<NetworkWay, 'proxyLogin'>;
  readonly areAllowed: boolean;
  readonly onChange: (view: UpdatesView) => void;
  readonly clock: Clock;
  readonly log: Log;
}

interface Updates extends UpdatesParts {
  /** Call after opening the window. */
  start(): void;
  /** Call before quitting ends uploads that block an update. */
  stop(): void;
}

/** Loads the updater on demand. */
export function setupUpdates(parts: SetupUpdatesParts): Updates {
  const { app, settings, work, session, proxies, areAllowed, clock, log } = parts;
  const config = app.isPackaged ? readOrNothing(join(process.resourcesPath, 'app-update.yml')) : '';
  const feed = feedAddress(config);
  const { execPath: executable, platform } = process;
  const service = createUpdateService({
    version: app.getVersion(),
    hasFeed: feed !== null,
    areAllowed,
    releases: async () => {
      if (!feed) throw new Error('This build has no address for updates');
      const { openReleases } = await import('./open-releases.ts');
      const installs = installsByItself({ platform, executable, config, exists: existsSync, mayWrite });
      return openReleases({ app, feed, installs, session, proxies, clock, log });
    },
    work,
    settings,
    clock,
    log,
  });
  const page = manifest.homepage.endsWith('.invalid') ? null : manifest.homepage;
  const view = () => updatesView(service, settings.get().updates, page);
  let restart = false;
  service.onChange(() => parts.onChange(view()));
  return {
    updates: {
      state: view,
      set: (updateSettings) => {
        const isOtherChannel = updateSettings.channel !== settings.get().updates.channel;
        settings.update({ updates: updateSettings });
        service.onSet(isOtherChannel);
        return view();
      },
      checkNow: service.checkNow,
      restart: () => {
        if (!service.canInstall()) return;
        restart = true;
        app.quit();
      },
      openPage: async () => {
        if (page) await shell.openExternal(page);
      },
    },
    start: service.start,
    stop: () => {
      const install = service.stop();
      if (!install) return;
      app.once('quit', (_event, exitCode) => {
        if (exitCode === 0) install(restart);
      });
    },
  };
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** On Windows no query of rights is reliable. */
function mayWrite(folder: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(folder, '.tilelift-')));
    return true;
  } catch {
    return false;
  }
}
