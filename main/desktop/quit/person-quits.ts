import type { App, BrowserWindow, Dialog } from 'electron';
import { say } from '../../../strings/say.ts';
import type { Log } from '../../log.ts';
import type { SettingsStore } from '../../settings.ts';
import type { MainWindow } from '../window/main-window.ts';
import type { WorkWatch } from '../work.ts';
import { type QuitQuestion, quitQuestion } from './quit-question.ts';

export interface PersonQuitsParts {
  readonly app: Pick<App, 'on' | 'quit'>;
  readonly window: Pick<MainWindow, 'current'>;
  readonly settings: SettingsStore;
  readonly work: Pick<WorkWatch, 'now'>;
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  /** Whether Tilelift goes on when its window is closed. */
  readonly staysWithoutWindow: () => boolean;
  readonly log: Log;
}

/**
 * Quits for a person, by menu, tray or the window's frame: asks first while uploads are under way. Whatever else ends Tilelift, the end of the session above all,
 * does so by `app.quit()` and asks nobody. Gives what menu and tray call.
 */
export function setupPersonQuits(parts: PersonQuitsParts): () => void {
  const { app, settings, work, staysWithoutWindow, log } = parts;
  let quitting = false;
  let asking = false;
  app.on('before-quit', () => {
    quitting = true;
  });
  const question = () => (settings.get().background.askBeforeQuit ? quitQuestion(work.now().jobs) : null);
  const quitIfWanted = async (asked: QuitQuestion) => {
    if (asking) return;
    asking = true;
    try {
      if (await wantsToQuit(parts, asked)) app.quit();
    } catch (cause) {
      log.error({ cause: String(cause) }, 'the question before quitting could not be asked');
      app.quit();
    } finally {
      asking = false;
    }
  };
  const askBeforeClosing = (window: BrowserWindow) =>
    window.on('close', (event) => {
      const asked = quitting || staysWithoutWindow() ? null : question();
      if (!asked) return;
      event.preventDefault();
      void quitIfWanted(asked);
    });
  // The first window is there before anything works behind it.
  const first = parts.window.current();
  if (first) askBeforeClosing(first);
  app.on('browser-window-created', (_event, window) => askBeforeClosing(window));
  return () => {
    const asked = question();
    if (asked) void quitIfWanted(asked);
    else app.quit();
  };
}

async function wantsToQuit(
  { window, settings, dialog }: PersonQuitsParts,
  { message, detail }: QuitQuestion,
): Promise<boolean> {
  const options = {
    type: 'question' as const,
    message,
    detail,
    buttons: [say('dialogs.quit'), say('dialogs.stay')],
    defaultId: 0,
    cancelId: 1,
    checkboxLabel: say('dialogs.dontAsk'),
    noLink: true,
  };
  const open = window.current();
  const { response, checkboxChecked } = open
    ? await dialog.showMessageBox(open, options)
    : await dialog.showMessageBox(options);
  const quits = response === 0;
  // Who stays has not said how it shall be next time.
  if (quits && checkboxChecked)
    settings.update({ background: { ...settings.get().background, askBeforeQuit: false } });
  return quits;
}
