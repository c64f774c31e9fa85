import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type App, type BrowserWindow, nativeTheme, protocol, safeStorage, session } from 'electron';
import { composeTilelift } from '../app.ts';
import { bindCalls, sendEvent } from '../ipc/bind.ts';
import { createHandlers } from '../ipc/handlers.ts';
import { feedJobs } from '../ipc/job-feed.ts';
import { accountView } from '../ipc/views.ts';
import { createLog } from '../log.ts';
import { systemClock } from '../outside.ts';
import { serveApp, serveFromDevServer } from './app-protocol.ts';
import { openInBrowser } from './browser.ts';
import type { CallbackSource } from './callbacks.ts';
import { denyPermissions, lockDownContents } from './guards.ts';
import { keychainCipher } from './keychain.ts';
import { readLaunchEnvironment } from './launch-environment.ts';
import { setMenu } from './menu.ts';
import { claimScheme } from './scheme.ts';
import { openSettings } from './settings-store.ts';
import { systemFetch } from './system-fetch.ts';
import { openWindow, showWindow } from './window.ts';

/** The desktop application, from "Electron is ready" to its window. `outFolder` holds the built preload and pages. */
export async function startDesktop(app: App, callbacks: CallbackSource, outFolder: string): Promise<void> {
  const folder = app.getPath('userData');
  const log = createLog({ folder: app.getPath('logs'), level: 'info' });
  const settings = openSettings(folder);
  const cipher = keychainCipher(safeStorage);
  const launch = readLaunchEnvironment(process.env);
  const tilelift = composeTilelift({
    folder,
    clock: systemClock,
    fetch: systemFetch,
    openBrowser: openInBrowser,
    cipher,
    settings,
    log,
    uploadWorker: pathToFileURL(join(outFolder, 'main', 'upload-worker.js')),
    scanWorker: pathToFileURL(join(outFolder, 'main', 'scan-worker.js')),
  });

  nativeTheme.themeSource = settings.get().appearance;
  lockDownContents(app);
  denyPermissions(session.defaultSession);
  const devServer = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;
  if (devServer) serveFromDevServer(protocol, devServer.replace(/\/$/, ''));
  else serveApp(protocol, join(outFolder, 'renderer'));
  setMenu();
  claimScheme(app, process.argv);

  let window: BrowserWindow | undefined;
  const handlers = createHandlers({
    tilelift,
    settings,
    openBrowser: openInBrowser,
    window: () => window,
    presets: launch.services,
    info: {
      version: app.getVersion(),
      platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
      samplePath: launch.samplePath,
      keychain: cipher.available(),
    },
  });
  bindCalls(handlers, log);
  tilelift.accounts.onChange((state) => {
    if (window) sendEvent(window.webContents, 'account.changed', accountView(state, launch.services));
  });
  feedJobs(tilelift.jobs, (changes) => {
    if (window) sendEvent(window.webContents, 'jobs.changed', changes);
  });

  const show = () => {
    if (window && !window.isDestroyed()) showWindow(window);
    else window = openWindow(outFolder, settings);
  };
  app.on('second-instance', show);
  app.on('activate', show);
  show();

  await tilelift.start();
  callbacks.listen((address) => {
    show();
    void tilelift.accounts.handleCallback(address);
  });
  quitCleanly(app, () => tilelift.stop());
}

/** Holds the quit back until running uploads are put down so that they can go on next time. */
function quitCleanly(app: App, stop: () => Promise<void>): void {
  let stopped = false;
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    void stop().finally(() => {
      stopped = true;
      app.quit();
    });
  });
}
