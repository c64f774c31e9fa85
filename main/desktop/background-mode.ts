import { type App, clipboard, powerMonitor, powerSaveBlocker } from 'electron';
import type { Tilelift } from '../app.ts';
import { askAgainOrNever } from '../ipc/dialogs.ts';
import type { BackgroundParts } from '../ipc/handlers/background-handlers.ts';
import { jobListText } from '../ipc/handlers/job-list-csv.ts';
import type { Log } from '../log.ts';
import type { Clock, OpenBrowser } from '../ports.ts';
import type { SettingsStore } from '../settings.ts';
import { type WorkWatch, watchWork } from './launch/work.ts';
import { createBackground } from './login/background.ts';
import { createLoginItem } from './login/login-item.ts';
import { watchNetwork } from './network/network-change.ts';
import { showAlerts } from './notices/alert-notices.ts';
import { createAssetOffers } from './notices/asset-offers.ts';
import { watchJobEnds } from './notices/job-ends.ts';
import { createJobNotices } from './notices/job-notices.ts';
import type { Notify } from './notices/notify.ts';
import { createSubscriptionNotices } from './notices/told-notices.ts';
import { notifyOfOutages, notifyOfWatchedFolders } from './notices/watch-notices.ts';
import { setupKeepAwake, setupPower } from './power.ts';
import { setupPersonQuits } from './quit/quit.ts';
import { setupWithoutWindow, withoutWindow } from './quit/stay.ts';
import { setupTaskbar } from './tray/taskbar.ts';
import { setupTray } from './tray/tray.ts';
import type { MainWindow } from './window/main-window.ts';
import type { PageAsks } from './window/page-asks.ts';

interface BackgroundModeParts {
  readonly app: App;
  readonly tilelift: Tilelift;
  readonly settings: SettingsStore;
  readonly window: MainWindow;
  readonly pageAsks: PageAsks;
  readonly notify: Notify;
  readonly openBrowser: OpenBrowser;
  readonly clock: Clock;
  readonly iconFolder: string;
  readonly log: Log;
}

interface BackgroundMode extends BackgroundParts {
  readonly work: WorkWatch;
  /** Asks during uploads. */
  quit(): void;
  /** Updates texts outside the window. */
  updateLanguage(): void;
  stop(): void;
}

/** Call after Electron is ready. */
export function setupBackgroundMode(parts: BackgroundModeParts): BackgroundMode {
  const { app, tilelift, settings, window, pageAsks, notify, openBrowser, clock, iconFolder, log } = parts;
  const { watch, jobs, accounts } = tilelift;
  const { show } = window;
  const work = watchWork(jobs, watch);
  const quit = setupPersonQuits({
    ...{ app, window, settings, work, ask: askAgainOrNever, log },
    staysWithoutWindow: () =>
      withoutWindow(process.platform, settings.get().background.keepRunning, work.current()) !== 'quits',
  });
  setupWithoutWindow({ app, settings, window, work, notify });
  const updateTrayLanguage = setupTray({ iconFolder, work, jobs, watch, show, quit, log });
  setupPower(powerMonitor, tilelift, () => app.quit());
  const stopNetwork = watchNetwork(tilelift.renewConnections);
  const updateKeepAwake = setupKeepAwake(work, settings, powerSaveBlocker);
  const stopTelling = notifyOfWatchedFolders(watch, { settings, clock, notify });
  const stopOutages = notifyOfOutages(watch, { settings, clock, notify });
  showAlerts(tilelift.alerts, { settings, notify });
  const taskbar = setupTaskbar({ app, window, work });
  const offers = createAssetOffers({
    addressOf: (accountId) => accounts.accounts().find(({ id }) => id === accountId)?.address,
    copy: (text) => clipboard.writeText(text),
    openPage: (address) => {
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
      if (id !== undefined) pageAsks.ask(ids.length === 1 ? { kind: 'job', id } : { kind: 'jobs', ids });
    },
    copyList: (endedJobs) => clipboard.writeText(jobListText(endedJobs, accounts)),
    offers,
  });
  const stopSubscriptions = tilelift.subscribedAssets.onEnd(
    createSubscriptionNotices({ settings, notify, offers }),
  );
  const stopEnds = watchJobEnds(jobs, (job) => {
    taskbar.onEnd(job);
    notices.onEnd(job);
  });
  return {
    work,
    background: createBackground({
      settings,
      loginItem: createLoginItem(app, process.platform),
      withoutWindow: (keepRunning) => withoutWindow(process.platform, keepRunning, work.current()),
      onSet: updateKeepAwake,
    }),
    quit,
    updateLanguage: updateTrayLanguage,
    stop: () => {
      stopNetwork();
      work.stop();
      stopEnds();
      stopSubscriptions();
      notices.stop();
      taskbar.stop();
      stopTelling();
      stopOutages();
    },
  };
}
