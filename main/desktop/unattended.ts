import { type App, powerMonitor, powerSaveBlocker } from 'electron';
import type { Tilelift } from '../app.ts';
import type { BackgroundParts } from '../ipc/background-handlers.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../outside.ts';
import type { SettingsStore } from '../settings.ts';
import { createBackground } from './background.ts';
import { setupKeepAwake } from './keep-awake.ts';
import { createLoginItem } from './login-item.ts';
import type { MainWindow } from './main-window.ts';
import { createNotify } from './notify.ts';
import { setupPower } from './power.ts';
import { isWatching } from './stay.ts';
import { setupTray } from './tray.ts';
import { tellOfWatchedFolders } from './watch-notifications.ts';
import { setupWithoutWindow } from './without-window.ts';
import { watchWork } from './work.ts';

export interface UnattendedParts {
  readonly app: App;
  readonly tilelift: Tilelift;
  readonly settings: SettingsStore;
  readonly window: MainWindow;
  readonly clock: Clock;
  readonly iconFolder: string;
  readonly log: Log;
}

/** Everything by which Tilelift works with nobody at the window. Only after Electron is ready. `stop` comes before the quit's other work. */
export function setupUnattended(parts: UnattendedParts): BackgroundParts & { stop(): void } {
  const { app, tilelift, settings, window, clock, iconFolder, log } = parts;
  const { watch } = tilelift;
  const { show } = window;
  const quit = () => app.quit();
  const work = watchWork(tilelift.jobs, watch);
  const notify = createNotify(app, show);
  setupWithoutWindow({ app, settings, window, work, notify });
  setupTray({ iconFolder, work, watch, show, quit, log });
  setupPower(powerMonitor, tilelift, quit);
  const lookWhetherAwake = setupKeepAwake(work, settings, powerSaveBlocker);
  const stopTelling = tellOfWatchedFolders(watch, { settings, clock, notify });
  return {
    background: createBackground({
      settings,
      loginItem: createLoginItem(app, process.platform),
      staysByItself: () => isWatching(work.now()),
      onSet: lookWhetherAwake,
    }),
    stop: () => {
      work.stop();
      stopTelling();
    },
  };
}
