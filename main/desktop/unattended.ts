import { type App, clipboard, powerMonitor, powerSaveBlocker } from 'electron';
import type { Tilelift } from '../app.ts';
import { askAgainOrNever } from '../ipc/dialogs.ts';
import type { BackgroundParts } from '../ipc/handlers/background-handlers.ts';
import { jobListText } from '../ipc/handlers/job-list-csv.ts';
import type { Log } from '../log.ts';
import type { Clock, OpenBrowser } from '../outside.ts';
import type { SettingsStore } from '../settings.ts';
import { createBackground } from './login/background.ts';
import { createLoginItem } from './login/login-item.ts';
import { watchNetwork } from './network/network-change.ts';
import { showAlerts } from './notices/alert-notices.ts';
import { createAssetOffers } from './notices/asset-offers.ts';
import { watchJobEnds } from './notices/job-ends.ts';
import { createJobNotices } from './notices/job-notices.ts';
import type { Notify } from './notices/notify.ts';
import { createToldNotices } from './notices/told-notices.ts';
import { tellOfOutages, tellOfWatchedFolders } from './notices/watch-notices.ts';
import { setupKeepAwake, setupPower } from './power.ts';
import { setupPersonQuits } from './quit/quit.ts';
import { setupWithoutWindow, withoutWindow } from './quit/stay.ts';
import { setupTaskbar } from './tray/taskbar.ts';
import { setupTray } from './tray/tray.ts';
import type { MainWindow } from './window/main-window.ts';
import type { PageAsks } from './window/page-asks.ts';
import { type WorkWatch, watchWork } from './work.ts';

interface UnattendedParts {
  readonly app: App;
  readonly tilelift: Tilelift;
  readonly settings: SettingsStore;
  readonly window: MainWindow;
  readonly asks: PageAsks;
  readonly notify: Notify;
  readonly openBrowser: OpenBrowser;
  readonly clock: Clock;
  readonly iconFolder: string;
  readonly log: Log;
}

interface Unattended extends BackgroundParts {
  readonly work: WorkWatch;
  /** For a person, who is asked first where uploads are under way. */
  quit(): void;
  /** Says again what stands outside the window, in another language. */
  sayAnew(): void;
  /** Comes before the quit's other work. */
  stop(): void;
}

/** What lets Tilelift work with nobody at the window, and report it. Only after Electron is ready. */
export function setupUnattended(parts: UnattendedParts): Unattended {
  const { app, tilelift, settings, window, asks, notify, openBrowser, clock, iconFolder, log } = parts;
  const { watch, jobs, accounts } = tilelift;
  const { show } = window;
  const work = watchWork(jobs, watch);
  const quit = setupPersonQuits({
    ...{ app, window, settings, work, ask: askAgainOrNever, log },
    staysWithoutWindow: () =>
      withoutWindow(process.platform, settings.get().background.keepRunning, work.now()) !== 'quits',
  });
  setupWithoutWindow({ app, settings, window, work, notify });
  const sayTrayAnew = setupTray({ iconFolder, work, jobs, watch, show, quit, log });
  setupPower(powerMonitor, tilelift, () => app.quit());
  const stopNetwork = watchNetwork(tilelift.renewConnections);
  const lookWhetherAwake = setupKeepAwake(work, settings, powerSaveBlocker);
  const stopTelling = tellOfWatchedFolders(watch, { settings, clock, notify });
  const stopOutages = tellOfOutages(watch, { settings, clock, notify });
  showAlerts(tilelift.alerts, { settings, notify });
  const taskbar = setupTaskbar({ app, window, work });
  const offers = createAssetOffers({
    addressOf: (accountId) => accounts.accounts().find(({ id }) => id === accountId)?.address,
    copy: (text) => clipboard.writeText(text),
    open: (address) => {
      openBrowser(address).catch((cause) =>
        log.warn({ cause: String(cause) }, 'the page of an asset could not be opened'),
      );
    },
  });
  const notices = createJobNotices({
    ...{ settings, clock, jobs, notify },
    isLookedAt: () => window.current()?.isFocused() ?? false,
    showJobs: (ids) => {
      const [id] = ids;
      if (id !== undefined) asks.ask(ids.length === 1 ? { kind: 'job', id } : { kind: 'jobs', ids });
    },
    copyList: (ended) => clipboard.writeText(jobListText(ended, accounts)),
    offers,
  });
  const stopTold = tilelift.told.onEnd(createToldNotices({ settings, notify, offers }));
  const stopEnds = watchJobEnds(jobs, (job) => {
    taskbar.onEnd(job);
    notices.onEnd(job);
  });
  return {
    work,
    background: createBackground({
      settings,
      loginItem: createLoginItem(app, process.platform),
      withoutWindow: (keepRunning) => withoutWindow(process.platform, keepRunning, work.now()),
      onSet: lookWhetherAwake,
    }),
    quit,
    sayAnew: sayTrayAnew,
    stop: () => {
      stopNetwork();
      work.stop();
      stopEnds();
      stopTold();
      notices.stop();
      taskbar.stop();
      stopTelling();
      stopOutages();
    },
  };
}
