import type { App } from 'electron';
import type { WithoutWindow } from '../../../shared/background.ts';
import { say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import { continuesUnattended, type Work, type WorkWatch } from '../launch/work.ts';
import type { Notify } from '../notices/notify.ts';
import type { MainWindow } from '../window/main-window.ts';

interface WithoutWindowParts {
  readonly app: App;
  readonly settings: SettingsStore;
  readonly window: Pick<MainWindow, 'current'>;
  readonly work: WorkWatch;
  readonly notify: Notify;
}

/**
 * If it stays only for jobs, quits when they have ended; paused rules also keep a watching Tilelift, since
 * the tray can resume them. Shows a notice the first time. After a background start, stays until a window was
 * open.
 */
export function setupWithoutWindow({ app, settings, window, work, notify }: WithoutWindowParts): void {
  let staysForJobsAlone = false;
  const staysRunning = () =>
    withoutWindow(process.platform, settings.get().background.keepRunning, work.current()) !== 'quits';
  app.on('window-all-closed', () => {
    if (!staysRunning()) return app.quit();
    staysForJobsAlone = !isWatching(work.current());
    if (process.platform !== 'darwin') notifyOnce(settings, notify);
  });
  work.onChange((currentWork) => {
    if (window.current() || isWatching(currentWork)) staysForJobsAlone = false;
    else if (staysForJobsAlone && !staysRunning()) app.quit();
  });
}

function notifyOnce(settings: SettingsStore, notify: Notify): void {
  const { background } = settings.get();
  if (background.toldOfTray) return;
  settings.update({ background: { ...background, toldOfTray: true } });
  notify({ title: say('notify.stays'), body: say('notify.staysDetail') });
}

/**
 * A null `keepRunning` stays while a rule is on, or until unattended jobs have ended. Always stays on macOS.
 */
export function withoutWindow(
  platform: NodeJS.Platform,
  keepRunning: boolean | null,
  { jobs, rules }: Work,
): WithoutWindow {
  if (platform === 'darwin' || (keepRunning ?? isWatching({ rules }))) return 'stays';
  return keepRunning === null && jobs.some(continuesUnattended) ? 'stays-for-uploads' : 'quits';
}

function isWatching({ rules }: Pick<Work, 'rules'>): boolean {
  return rules.some(({ rule }) => rule.on);
}
