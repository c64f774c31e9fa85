import { extname, join } from 'node:path';
import { type App, nativeTheme, protocol, session } from 'electron';
import { chooseSpeech } from '../../strings/languages.ts';
import { bindCalls, type CallAnswerer, type FirstAnswers } from '../ipc/bind.ts';
import { createLog } from '../log.ts';
import { systemClock } from '../ports.ts';
import { catalogues, speak } from '../say.ts';
import { isBackgroundStart } from './launch/arguments.ts';
import { claimScheme } from './launch/scheme.ts';
import type { Arrivals } from './start-work.ts';
import { serveApp, serveFromDevServer } from './window/app-protocol.ts';
import { readFirstLook } from './window/first-look.ts';
import { denyPermissions, lockDownContents } from './window/guards.ts';
import { createMainWindow } from './window/main-window.ts';

/** In ms. */
const patienceMs = 2_000;
const withTimeout = (signal: AbortSignal) => systemClock.sleep(patienceMs, signal).catch(() => {});

/**
 * Call after Electron is ready. `outFolder` contains the built preload and pages. The window comes first; the
 * rest loads with its page.
 */
export async function startDesktop(app: App, arrivals: Arrivals, outFolder: string): Promise<void> {
  const log = createLog({ folder: app.getPath('logs'), level: 'info' });
  const desktopLog = log.child('desktop');
  const initialSettings = readFirstLook(app.getPath('userData'));
  speak(chooseSpeech(catalogues, initialSettings.language, app.getPreferredSystemLanguages()));
  nativeTheme.themeSource = initialSettings.appearance;
  lockDownContents(app, desktopLog);
  denyPermissions(session.defaultSession);
  const [script, screen] = [new AbortController(), new AbortController()];
  const devServer = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;
  if (devServer) serveFromDevServer(protocol, devServer.replace(/\/$/, ''));
  else serveApp(protocol, join(outFolder, 'renderer'), (file) => extname(file) === '.js' && script.abort());
  claimScheme(app, process.argv);

  const window = createMainWindow(outFolder, initialSettings.window);
  const firstAnswersReady = Promise.withResolvers<FirstAnswers>();
  const allAnswersReady = Promise.withResolvers<CallAnswerer>();
  bindCalls(firstAnswersReady.promise, allAnswersReady.promise, log.child('ipc'));
  const inBackground = isBackgroundStart(app, process.argv);
  if (!inBackground) window.show();

  const { firstAnswers, loadStartupState } = await import('./startup-state.ts');
  // Until then the page needs the main process.
  if (!inBackground && !devServer) await withTimeout(script.signal);
  const startupState = await loadStartupState(app, desktopLog);
  firstAnswersReady.resolve(firstAnswers(startupState, () => screen.abort()));
  if (!inBackground && startupState.beginsAnew) await withTimeout(screen.signal);
  const { startWork } = await import('./start-work.ts');
  await startWork({
    app,
    arrivals,
    outFolder,
    log,
    startupState,
    window,
    answerCalls: allAnswersReady.resolve,
    inBackground,
  });
}
