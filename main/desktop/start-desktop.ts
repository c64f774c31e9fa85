import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type App, nativeTheme, protocol, safeStorage, session } from 'electron';
import { composeTilelift, type Tilelift } from '../app.ts';
import { bindCalls } from '../ipc/bind.ts';
import { createHandlers } from '../ipc/handlers.ts';
import { feedJobs } from '../ipc/job-feed.ts';
import { knownServices, presetsUnder } from '../ipc/services.ts';
import { accountView } from '../ipc/views.ts';
import { feedWatch } from '../ipc/watch-feed.ts';
import { createLog } from '../log.ts';
import { systemClock } from '../outside.ts';
import { governSettings } from '../policy/governed-settings.ts';
import { policyIn } from '../policy/policy.ts';
import { updatesAreAllowed } from '../policy/refusals.ts';
import { serveApp, serveFromDevServer } from './app-protocol.ts';
import { isBackgroundLaunch, isBackgroundStart } from './background-argument.ts';
import { guardedBrowser } from './browser.ts';
import type { CallbackSource } from './callbacks.ts';
import type { GivenSources } from './given-sources.ts';
import { denyPermissions, lockDownContents } from './guards.ts';
import { keychainCipher, keychainState } from './keychain.ts';
import { readLaunchEnvironment } from './launch-environment.ts';
import { notifyOfUnusable, openPolicy } from './machine-policy.ts';
import { createMainWindow } from './main-window.ts';
import { setupMenu } from './menu.ts';
import { openNetwork } from './network-session.ts';
import { createNotify } from './notify.ts';
import { createPageAsks } from './page-asks.ts';
import { proxyConfig } from './proxy-config.ts';
import { quitCleanly } from './quit.ts';
import { claimScheme } from './scheme.ts';
import { openSettings } from './settings-store.ts';
import { speakAsChosen } from './speech.ts';
import { createSupport } from './support.ts';
import { createSystemFetch } from './system-fetch.ts';
import { setupUnattended } from './unattended.ts';
import { setupUpdates } from './updates/setup-updates.ts';

/** What the system hands over from the first moment on. */
export interface Arrivals {
  readonly callbacks: CallbackSource;
  readonly sources: GivenSources;
}

/** The desktop application, from "Electron is ready" to its window. `outFolder` holds the built preload and pages. */
export async function startDesktop(
  app: App,
  { callbacks, sources }: Arrivals,
  outFolder: string,
): Promise<void> {
  const folder = app.getPath('userData');
  const logFolder = app.getPath('logs');
  const log = createLog({ folder: logFolder, level: 'info' });
  const desktopLog = log.child('desktop');
  const policy = await openPolicy(desktopLog);
  const settings = governSettings(openSettings(folder), policyIn(policy));
  const cipher = keychainCipher(safeStorage);
  const launch = readLaunchEnvironment(process.env);
  const presets = presetsUnder(policy, launch.services);
  const openBrowser = guardedBrowser(() => knownServices(presets, settings));
  const { versions } = process;
  desktopLog.info(
    { version: app.getVersion(), electron: versions.electron, keychain: cipher.available() },
    'Tilelift starts',
  );
  const network = await openNetwork(
    () => settings.get().network.caFile,
    proxyConfig(policyIn(policy).proxy),
    desktopLog,
  );
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
    policy,
    log,
    uploadWorker: pathToFileURL(join(outFolder, 'main', 'upload-worker.js')),
    scanWorker: pathToFileURL(join(outFolder, 'main', 'scan-worker.js')),
  });

  speakAsChosen(app, settings);
  nativeTheme.themeSource = settings.get().appearance;
  lockDownContents(app, desktopLog);
  denyPermissions(session.defaultSession);
  const devServer = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;
  if (devServer) serveFromDevServer(protocol, devServer.replace(/\/$/, ''));
  else serveApp(protocol, join(outFolder, 'renderer'));
  claimScheme(app, process.argv);

  const window = createMainWindow(outFolder, settings);
  const asks = createPageAsks(window);
  const notify = createNotify(app, window.show);
  const support = createSupport(app, logFolder, tilelift, settings);
  const unattended = setupUnattended({
    ...{ app, tilelift, settings, window, asks, notify, openBrowser },
    clock: systemClock,
    iconFolder: join(outFolder, '..', 'build', 'tray'),
    log: desktopLog,
  });
  const sayMenuAnew = setupMenu({
    accounts: tilelift.accounts,
    window,
    asks,
    support,
    notify,
    quit: unattended.quit,
  });
  const updates = setupUpdates({
    app,
    settings,
    work: unattended.work,
    session: network.session,
    proxies: tilelift.proxies,
    allowed: updatesAreAllowed(policy),
    onChange: (view) => window.send('updates.changed', view),
    clock: systemClock,
    log: log.child('updates'),
  });
  const handlers = createHandlers({
    tilelift,
    settings,
    openBrowser,
    support,
    takeAsks: asks.take,
    window: window.current,
    onCaFile: network.renew,
    background: unattended.background,
    updates: updates.updates,
    presets,
    policy,
    onLanguage: () => {
      speakAsChosen(app, settings);
      sayMenuAnew();
      unattended.sayAnew();
      window.reload();
    },
    info: {
      version: app.getVersion(),
      platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
      samplePath: launch.samplePath,
      keychain: keychainState(safeStorage),
    },
  });
  bindCalls(handlers, log.child('ipc'));
  tilelift.accounts.onChange(() => {
    const view = accountView(tilelift.accounts, knownServices(presets, settings));
    window.send('account.changed', view);
  });
  tilelift.proxies.onChange(() => {
    window.send('network.proxyAsks', tilelift.proxies.question());
  });
  const stopFeeds = [
    feedJobs(tilelift.jobs, (changes) => window.send('jobs.changed', changes)),
    feedWatch(tilelift.watch, (changes) => window.send('watch.changed', changes)),
  ];

  app.on('second-instance', (_event, args) => {
    if (!isBackgroundLaunch(args)) window.show();
  });
  app.on('activate', window.show);
  if (isBackgroundStart(app, process.argv)) notifyOfUnusable(policy, notify);
  else window.show();

  sources.listen((paths) => asks.ask({ kind: 'source', paths }));
  await tilelift.start();
  callbacks.listen((address) => {
    window.show();
    void tilelift.accounts.handleCallback(address);
  });
  updates.start();
  quitCleanly(app, async () => {
    updates.stop();
    unattended.stop();
    for (const stop of stopFeeds) stop();
    await tilelift.stop();
    desktopLog.info({}, 'Tilelift stops');
    await log.close();
  });
}
