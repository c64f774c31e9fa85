import { join } from 'node:path';
import { type App, nativeTheme, protocol, session } from 'electron';
import { chooseSpeech } from '../../strings/languages.ts';
import { bindCalls, type CallHandlers } from '../ipc/bind.ts';
import { createLog } from '../log.ts';
import { governSettings } from '../policy/governed-settings.ts';
import { openPolicy } from '../policy/open-policy.ts';
import { policyIn } from '../policy/policy.ts';
import { catalogues, speak } from '../say.ts';
import { parseJson } from '../service/answer.ts';
import { settingsInFile } from '../settings-file.ts';
import { isBackgroundStart } from './launch/arguments.ts';
import { claimScheme } from './launch/scheme.ts';
import type { Arrivals } from './start-work.ts';
import { serveApp, serveFromDevServer } from './window/app-protocol.ts';
import { denyPermissions, lockDownContents } from './window/guards.ts';
import { createMainWindow } from './window/main-window.ts';

/**
 * The desktop application, from "Electron is ready" to its end. `outFolder` holds the built preload and
 * pages. The window comes first: while its page is on its way, everything that it will ask for is loaded and
 * put together.
 */
export async function startDesktop(app: App, arrivals: Arrivals, outFolder: string): Promise<void> {
  const log = createLog({ folder: app.getPath('logs'), level: 'info' });
  const desktopLog = log.child('desktop');
  const policy = await openPolicy(desktopLog);
  // A damaged file is no reason not to start.
  const settings = governSettings(settingsInFile(app.getPath('userData'), parseJson), policyIn(policy));
  const applyLocale = () =>
    speak(chooseSpeech(catalogues, settings.get().language, app.getPreferredSystemLanguages()));
  applyLocale();
  nativeTheme.themeSource = settings.get().appearance;
  lockDownContents(app, desktopLog);
  denyPermissions(session.defaultSession);
  const devServer = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;
  if (devServer) serveFromDevServer(protocol, devServer.replace(/\/$/, ''));
  else serveApp(protocol, join(outFolder, 'renderer'));
  claimScheme(app, process.argv);

  const window = createMainWindow(outFolder, settings);
  const { promise: handlers, resolve: answerCalls } = Promise.withResolvers<CallHandlers>();
  bindCalls(handlers, log.child('ipc'));
  const inBackground = isBackgroundStart(app, process.argv);
  if (!inBackground) window.show();

  const { startWork } = await import('./start-work.ts');
  const shared = { app, arrivals, outFolder, log, policy, settings, applyLocale };
  await startWork({ ...shared, window, answerCalls, inBackground });
}
