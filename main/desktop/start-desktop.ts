import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type App, type BrowserWindow, nativeTheme, protocol, safeStorage, session } from 'electron';
import type { EventName, Events } from '../../preload/contract.ts';
import { composeTilelift, type Tilelift } from '../app.ts';
import { bindCalls, sendEvent } from '../ipc/bind.ts';
import { createHandlers } from '../ipc/handlers.ts';
import { feedJobs } from '../ipc/job-feed.ts';
import { knownServices } from '../ipc/services.ts';
import { accountView } from '../ipc/views.ts';
import { feedWatch } from '../ipc/watch-feed.ts';
import { createLog } from '../log.ts';
import { systemClock } from '../outside.ts';
import { serveApp, serveFromDevServer } from './app-protocol.ts';
import { createBackground } from './background.ts';
import { guardedBrowser } from './browser.ts';
import type { CallbackSource } from './callbacks.ts';
import { denyPermissions, lockDownContents } from './guards.ts';
import { keychainCipher, keychainState } from './keychain.ts';
import { readLaunchEnvironment } from './launch-environment.ts';
import { setMenu } from './menu.ts';
import { openNetwork } from './network-session.ts';
import { claimScheme } from './scheme.ts';
import { openSettings } from './settings-store.ts';
import { createSupport } from './support.ts';
import { createSystemFetch } from './system-fetch.ts';
import { openWindow, showWindow } from './window.ts';

/** The desktop application, from "Electron is ready" to its window. `outFolder` holds the built preload and pages. */
export async function startDesktop(app: App, callbacks: CallbackSource, outFolder: string): Promise<void> {
  const folder = app.getPath('userData');
  const logFolder = app.getPath('logs');
  const log = createLog({ folder: logFolder, level: 'info' });
  const desktopLog = log.child('desktop');
  const settings = openSettings(folder);
  const cipher = keychainCipher(safeStorage);
  const launch = readLaunchEnvironment(process.env);
  const openBrowser = guardedBrowser(() => knownServices(launch.services, settings));
  const { versions } = process;
  desktopLog.info(
    { version: app.getVersion(), electron: versions.electron, keychain: cipher.available() },
    'Tilelift starts',
  );
  const network = openNetwork(() => settings.get().network.caFile, desktopLog);
  const tilelift: Tilelift = composeTilelift({
    folder,
    clock: systemClock,
    fetch: createSystemFetch(network.session, (proxy, refused) =>
      tilelift.proxies.askProxyLogin(proxy, refused),
    ),
    way: { proxyFor: (origin) => network.session().resolveProxy(origin) },
    openBrowser,
    cipher,
    settings,
    log,
    uploadWorker: pathToFileURL(join(outFolder, 'main', 'upload-worker.js')),
    scanWorker: pathToFileURL(join(outFolder, 'main', 'scan-worker.js')),
  });

  nativeTheme.themeSource = settings.get().appearance;
  lockDownContents(app, desktopLog);
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
    openBrowser,
    support: createSupport(app, logFolder, tilelift, settings),
    window: () => window,
    onCaFile: network.renew,
    background: createBackground(settings),
    presets: launch.services,
    info: {
      version: app.getVersion(),
      platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
      samplePath: launch.samplePath,
      keychain: keychainState(safeStorage),
    },
  });
  bindCalls(handlers, log.child('ipc'));
  // Work goes on for a moment after the window is gone.
  const send = <Name extends EventName>(name: Name, value: Events[Name]) => {
    if (window && !window.isDestroyed()) sendEvent(window.webContents, name, value);
  };
  tilelift.accounts.onChange(() => {
    const view = accountView(tilelift.accounts, knownServices(launch.services, settings));
    send('account.changed', view);
  });
  tilelift.proxies.onChange(() => {
    send('network.proxyAsks', tilelift.proxies.question());
  });
  feedJobs(tilelift.jobs, (changes) => send('jobs.changed', changes));
  feedWatch(tilelift.watch, (changes) => send('watch.changed', changes));

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
  quitCleanly(app, async () => {
    await tilelift.stop();
    desktopLog.info({}, 'Tilelift stops');
    await log.close();
  });
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
