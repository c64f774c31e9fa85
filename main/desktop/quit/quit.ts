import { Worker } from 'node:worker_threads';
import type { App, BrowserWindow } from 'electron';
import { isToUpload } from '../../../shared/job-status.ts';
import type { askAgainOrNever } from '../../ipc/dialogs.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { Log } from '../../log.ts';
import { formatWhen, say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import { continuesUnattended, type WorkWatch } from '../launch/work.ts';
import type { MainWindow } from '../window/main-window.ts';

const limitMs = 5_000;

interface QuitParts {
  readonly app: Pick<App, 'on' | 'quit' | 'releaseSingleInstanceLock'>;
  /** False if a system call hangs: the process stays alive. */
  readonly stop: () => Promise<boolean>;
  /** Default: SIGKILL. */
  readonly kill?: () => void;
  /** Even if the main thread hangs. Default: a separate thread. */
  readonly killAfter?: (ms: number) => void;
}

/** Waits at most five seconds until uploads can continue next time. */
export function quitCleanly({ app, stop, kill = killProcess, killAfter = startKiller }: QuitParts): void {
  let phase: 'at-work' | 'stopping' | 'stopped' = 'at-work';
  const quit = async () => {
    killAfter(limitMs);
    const stoppedInTime = await stop().catch(() => false);
    phase = 'stopped';
    if (stoppedInTime) return app.quit();
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

/** Exiting waits for threads, which may wait for a dead drive. */
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
  readonly work: Pick<WorkWatch, 'current'>;
  readonly ask: typeof askAgainOrNever;
  readonly staysWithoutWindow: () => boolean;
  readonly log: Log;
}

/**
 * Asks during uploads. The end of the session and others use `app.quit()` without asking. Returns the
 * function for menu and tray.
 */
export function setupPersonQuits(parts: PersonQuitsParts): () => void {
  const { app, settings, work, staysWithoutWindow, log } = parts;
  let quitting = false;
  let isAsking = false;
  app.on('before-quit', () => {
    quitting = true;
  });
  const question = () => (settings.get().background.askBeforeQuit ? quitQuestion(work.current().jobs) : null);
  const quitIfWanted = async (quitPrompt: QuitQuestion) => {
    if (isAsking) return;
    isAsking = true;
    try {
      if (await wantsToQuit(parts, quitPrompt)) app.quit();
    } catch (cause) {
      log.error({ cause: String(cause) }, 'the question before quitting could not be asked');
      app.quit();
    } finally {
      isAsking = false;
    }
  };
  const askBeforeClosing = (window: BrowserWindow) =>
    window.on('close', (event) => {
      const prompt = quitting || staysWithoutWindow() ? null : question();
      if (!prompt) return;
      event.preventDefault();
      void quitIfWanted(prompt);
    });
  const firstWindow = parts.window.current();
  if (firstWindow) askBeforeClosing(firstWindow);
  app.on('browser-window-created', (_event, window) => askBeforeClosing(window));
  return () => {
    const prompt = question();
    if (prompt) void quitIfWanted(prompt);
    else app.quit();
  };
}

async function wantsToQuit(
  { window, settings, ask }: PersonQuitsParts,
  question: QuitQuestion,
): Promise<boolean> {
  const { yes: isConfirmed, never: dontAskAgain } = await ask(window.current(), {
    ...question,
    yes: say('dialogs.quit'),
    no: say('dialogs.stay'),
    dontAsk: say('dialogs.dontAsk'),
  });
  // Declining doesn't decide about next time.
  if (isConfirmed && dontAskAgain)
    settings.update({ background: { ...settings.get().background, askBeforeQuit: false } });
  return isConfirmed;
}

interface QuitQuestion {
  readonly message: string;
  readonly detail: string;
}

/** Null unless one is in progress: other jobs lose nothing. `currentTime`: ms since the epoch. */
export function quitQuestion(
  jobs: readonly JobSnapshot[],
  currentTime: number = Date.now(),
): QuitQuestion | null {
  const unfinishedJobs = jobs.filter((job) => isToUpload(job.status) && continuesUnattended(job));
  const count = unfinishedJobs.length;
  if (count === 0) return null;
  const endTimes = unfinishedJobs.flatMap(({ credentialsEndAt }) => credentialsEndAt ?? []);
  const nextEnd = Math.min(...endTimes.filter((endTime) => endTime > currentTime));
  const detail = Number.isFinite(nextEnd)
    ? say('dialogs.quittingUntil', { count, time: formatWhen(nextEnd, currentTime) })
    : say('dialogs.quittingDetail', { count });
  return { message: say('dialogs.quitting', { count }), detail };
}
