import type { App } from 'electron';
import type { WithoutWindow } from '../../../shared/background.ts';
import { say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import type { Notify } from '../notices/notify.ts';
import type { MainWindow } from '../window/main-window.ts';
import { goesOnByItself, type Work, type WorkWatch } from '../work.ts';

interface WithoutWindowParts {
  readonly app: App;
  readonly settings: SettingsStore;
  readonly window: Pick<MainWindow, 'current'>;
  readonly work: WorkWatch;
  readonly notify: Notify;
}

/**
 * Keeps running when the window is closed, or quits, as the person has said. Where it stayed for its jobs
 * alone, it quits once they have ended; where it watched, also paused rules keep it, since they may be taken
 * up again from the tray. The first time that it stays it says so. Started without a window it stays until it
 * has had one.
 */
export function setupWithoutWindow({ app, settings, window, work, notify }: WithoutWindowParts): void {
  let staysForJobsAlone = false;
  const stays = () =>
    withoutWindow(process.platform, settings.get().background.keepRunning, work.now()) !== 'quits';
  app.on('window-all-closed', () => {
    if (!stays()) return app.quit();
    staysForJobsAlone = !isWatching(work.now());
    if (process.platform !== 'darwin') sayOnce(settings, notify);
  });
  work.onChange((now) => {
    if (window.current() || isWatching(now)) staysForJobsAlone = false;
    else if (staysForJobsAlone && !stays()) app.quit();
  });
}

function sayOnce(settings: SettingsStore, notify: Notify): void {
  const { background } = settings.get();
  if (background.toldOfTray) return;
  settings.update({ background: { ...background, toldOfTray: true } });
  notify({
    title: say('notify.stays'),
    body: say('notify.staysDetail'),
  });
}

/**
 * What becomes of Tilelift when its window is closed now. `keepRunning` is what the person has said; null for
 * nothing yet: then it stays while a rule is on, and for jobs that continue by themselves until they have
 * ended. On macOS programs always stay.
 */
export function withoutWindow(
  platform: NodeJS.Platform,
  keepRunning: boolean | null,
  { jobs, rules }: Work,
): WithoutWindow {
  if (platform === 'darwin' || (keepRunning ?? isWatching({ rules }))) return 'stays';
  return keepRunning === null && jobs.some(goesOnByItself) ? 'stays-for-uploads' : 'quits';
}

/** Whether a rule is on. */
function isWatching({ rules }: Pick<Work, 'rules'>): boolean {
  return rules.some(({ rule }) => rule.on);
}
