import { Worker } from 'node:worker_threads';
import type { App, BrowserWindow } from 'electron';
import { isToUpload } from '../../../shared/job-status.ts';
import type { askAgainOrNever } from '../../ipc/dialogs.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { Log } from '../../log.ts';
import { say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import type { MainWindow } from '../window/main-window.ts';
import { goesOnByItself, type WorkWatch } from '../work.ts';

/** Whoever quits waits no longer than this, whatever hangs. */
const limitMs = 5_000;

interface QuitParts {
  readonly app: Pick<App, 'on' | 'quit' | 'releaseSingleInstanceLock'>;
  /** Puts everything down. False: something hangs in the system, and no process ends that waits for it. */
  readonly stop: () => Promise<boolean>;
  /** Ends the process at once, whatever it does. Default: as the system can. */
  readonly kill?: () => void;
  /**
   * Kills the process after this many ms, also when its main thread hangs. Default: a thread for nothing
   * else.
   */
  readonly killAfter?: (ms: number) => void;
}

/**
 * Holds the quit back until running uploads are put down so that they can continue next time, five seconds at
 * most.
 */
export function quitCleanly({ app, stop, kill = killProcess, killAfter = startKiller }: QuitParts): void {
  let phase: 'at-work' | 'stopping' | 'stopped' = 'at-work';
  const quit = async () => {
    killAfter(limitMs);
    const quiet = await stop().catch(() => false);
    phase = 'stopped';
    if (quiet) return app.quit();
    // The next Tilelift must not wait for this one.
    app.releaseSingleInstanceLock();
    kill();
  };
  app.on('before-quit', (event) => {
    if (phase === 'stopped') return;
    event.preventDefault();
    if (phase === 'stopping') return;
    phase = 'stopping';
    void quit();
  });
}

/** A usual exit waits for threads, and these may wait for a dead drive. */
function killProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

function startKiller(ms: number): void {
  new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${ms})`, {
    eval: true,
    name: 'quit',
  }).unref();
}

interface PersonQuitsParts {
  readonly app: Pick<App, 'on' | 'quit'>;
  readonly window: Pick<MainWindow, 'current'>;
  readonly settings: SettingsStore;
  readonly work: Pick<WorkWatch, 'now'>;
  readonly ask: typeof askAgainOrNever;
  /** Whether Tilelift keeps running when its window is closed. */
  readonly staysWithoutWindow: () => boolean;
  readonly log: Log;
}

/**
 * Quits for a person, by menu, tray or the window's frame: asks first while uploads are under way. Whatever
 * else ends Tilelift, the end of the session above all, does so by `app.quit()` and asks nobody. Gives what
 * menu and tray call.
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
  { window, settings, ask }: PersonQuitsParts,
  question: QuitQuestion,
): Promise<boolean> {
  const { yes, never } = await ask(window.current(), {
    ...question,
    yes: say('dialogs.quit'),
    no: say('dialogs.stay'),
    dontAsk: say('dialogs.dontAsk'),
  });
  // Who stays has not said how it shall be next time.
  if (yes && never) settings.update({ background: { ...settings.get().background, askBeforeQuit: false } });
  return yes;
}

/** What a person is asked who quits in the middle of uploads. */
interface QuitQuestion {
  readonly message: string;
  readonly detail: string;
}

/**
 * Null where no upload is under way: paused ones, those that wait for a person, and tiling, which is the
 * service's work, lose nothing. Pure.
 */
export function quitQuestion(jobs: readonly JobSnapshot[]): QuitQuestion | null {
  const count = jobs.filter((job) => isToUpload(job.status) && goesOnByItself(job)).length;
  if (count === 0) return null;
  return { message: say('dialogs.quitting', { count }), detail: say('dialogs.quittingDetail', { count }) };
}
