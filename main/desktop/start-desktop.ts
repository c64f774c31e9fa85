import { extname, join } from 'node:path';
import { type App, nativeTheme, protocol, session } from 'electron';
import { chooseSpeech } from '../../strings/languages.ts';
import { type Answering, bindCalls, type FirstAnswers } from '../ipc/bind.ts';
import { createLog } from '../log.ts';
import { systemClock } from '../outside.ts';
import { catalogues, speak } from '../say.ts';
import { isBackgroundStart } from './launch/arguments.ts';
import { claimScheme } from './launch/scheme.ts';
import type { Arrivals } from './start-work.ts';
import { serveApp, serveFromDevServer } from './window/app-protocol.ts';
import { readFirstLook } from './window/first-look.ts';
import { denyPermissions, lockDownContents } from './window/guards.ts';
import { createMainWindow } from './window/main-window.ts';

/** A page that has not come so far after this time (ms) keeps nothing waiting any more. */
const patienceMs = 2_000;
const patiently = (signal: AbortSignal) => systemClock.sleep(patienceMs, signal).catch(() => {});

/**
 * The desktop application, from "Electron is ready" to its end. `outFolder` holds the built preload and
 * pages. The window comes first: while its page is on its way, what that will ask for is loaded and put
 * together.
 */
export async function startDesktop(app: App, arrivals: Arrivals, outFolder: string): Promise<void> {
  const log = createLog({ folder: app.getPath('logs'), level: 'info' });
  const desktopLog = log.child('desktop');
  const look = readFirstLook(app.getPath('userData'));
  speak(chooseSpeech(catalogues, look.language, app.getPreferredSystemLanguages()));
  nativeTheme.themeSource = look.appearance;
  lockDownContents(app, desktopLog);
  denyPermissions(session.defaultSession);
  const [script, screen] = [new AbortController(), new AbortController()];
  const devServer = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;
  if (devServer) serveFromDevServer(protocol, devServer.replace(/\/$/, ''));
  else serveApp(protocol, join(outFolder, 'renderer'), (file) => extname(file) === '.js' && script.abort());
  claimScheme(app, process.argv);

  const window = createMainWindow(outFolder, look.window);
  const first = Promise.withResolvers<FirstAnswers>();
  const all = Promise.withResolvers<Answering>();
  bindCalls(first.promise, all.promise, log.child('ipc'));
  const inBackground = isBackgroundStart(app, process.argv);
  if (!inBackground) window.show();

  const { firstAnswers, layGround } = await import('./ground.ts');
  // Until the page has asked for its script it needs main at every step, and then for a while not at all.
  if (!inBackground && !devServer) await patiently(script.signal);
  const ground = await layGround(app, desktopLog);
  first.resolve(firstAnswers(ground, () => screen.abort()));
  // The first screen needs nothing else then, and what keeps main busy would keep it from being drawn.
  if (!inBackground && ground.beginsAnew) await patiently(screen.signal);
  const { startWork } = await import('./start-work.ts');
  await startWork({ app, arrivals, outFolder, log, ground, window, answerCalls: all.resolve, inBackground });
}
