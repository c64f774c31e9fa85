import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type App, safeStorage, shell } from 'electron';
import { chooseSpeech } from '../../strings/languages.ts';
import { openLoopbackReceiver } from '../account/loopback-receiver.ts';
import { composeTilelift, type Tilelift } from '../app.ts';
import { TileliftError, toErrorRecord } from '../errors.ts';
import { giveMemoryBack, keepYoungSmall } from '../free-memory.ts';
import { createInspectionThread } from '../inspect/headers/inspection-thread.ts';
import { bindDrops, type CallAnswerer } from '../ipc/bind.ts';
import { createGrantedPaths } from '../ipc/granted-paths.ts';
import { feedAssets, feedJobs, feedWatch } from '../ipc/handlers/feeds.ts';
import { createHandlers } from '../ipc/handlers/handlers.ts';
import { callInputs } from '../ipc/inputs.ts';
import { knownServices } from '../ipc/services.ts';
import { createThumbnails } from '../ipc/thumbnails.ts';
import { joinSeen } from '../ipc/views/joined-seen.ts';
import { accountView } from '../ipc/views/views.ts';
import { paceByVisibility } from '../ipc/window-visibility.ts';
import type { FileLog } from '../log.ts';
import { thisMachine } from '../machine.ts';
import { authorityFiles } from '../policy/authority-files.ts';
import { type PolicyState, policyIn } from '../policy/policy.ts';
import { updatesAreAllowed } from '../policy/refusals.ts';
import { type OpenBrowser, systemClock } from '../ports.ts';
import { returnedPage } from '../returned-page.ts';
import { catalogues, errorAdvice, errorMessage, speak } from '../say.ts';
import { serveCommands } from '../socket/serve-commands.ts';
import { setupBackgroundMode } from './background-mode.ts';
import { createGlobes } from './globe/globe-window.ts';
import { keychainCipher } from './keychain.ts';
import { isBackgroundLaunch } from './launch/arguments.ts';
import type { CallbackSource, LaunchSources } from './launch/arrivals.ts';
import { hasScheme } from './launch/scheme.ts';
import { openNetwork, proxyConfig } from './network/network-session.ts';
import { isPageOfAService } from './network/page-of-a-service.ts';
import { createSystemFetch } from './network/system-fetch.ts';
import { createNotify, type Notify } from './notices/notify.ts';
import { createPictureDecoder } from './picture-decoder.ts';
import { quitCleanly } from './quit/quit.ts';
import type { StartupState } from './startup-state.ts';
import { createSupport } from './support/support.ts';
import { setupUpdates } from './updates/setup-updates.ts';
import type { MainWindow } from './window/main-window.ts';
import { setupMenu } from './window/menu.ts';
import { createPageAsks } from './window/page-asks.ts';

/** Events from the system since the launch. */
export interface Arrivals {
  readonly callbacks: CallbackSource;
  readonly sources: LaunchSources;
}

/** The state before work begins. */
export interface Desktop {
  readonly app: App;
  readonly arrivals: Arrivals;
  /** Contains the built workers. */
  readonly outFolder: string;
  readonly log: FileLog;
  readonly startupState: StartupState;
  readonly window: MainWindow;
  /** Pending and future ones. */
  readonly answerCalls: (answering: CallAnswerer) => void;
  /** Started without a window. */
  readonly inBackground: boolean;
}

/** Runs everything behind the window. Throws `journal-unusable`. */
export async function startWork(desktop: Desktop): Promise<void> {
  const { app, arrivals, outFolder, log, window, answerCalls, inBackground } = desktop;
  const { policy, settings, presets, info, unsandboxed } = desktop.startupState;
  keepYoungSmall();
  const desktopLog = log.child('desktop');
  window.onPlace((bounds) => settings.update({ window: bounds }));
  const cipher = keychainCipher(safeStorage);
  const openBrowser = guardedBrowser(() => knownServices(presets, settings));
  if (unsandboxed) desktopLog.warn({}, 'Chromium runs without its sandbox');
  const { versions } = process;
  desktopLog.info(
    { version: app.getVersion(), electron: versions.electron, keychain: cipher.available() },
    'Tilelift starts',
  );
  const files = authorityFiles(policy, settings);
  const proxy = proxyConfig(policyIn(policy).proxy);
  const network = await openNetwork('network', files.forServices, proxy, desktopLog);
  const networkOfUpdates = await openNetwork('updates', files.forUpdates, proxy, desktopLog);
  const machine = await thisMachine(app.getPath('userData'));
  const scanWorker = pathToFileURL(join(outFolder, 'main', 'scan-worker.js'));
  const tilelift: Tilelift = composeTilelift({
    folder: app.getPath('userData'),
    machine,
    clock: systemClock,
    fetch: createSystemFetch(network.session, (proxy, refusedLogin) =>
      tilelift.proxies.askProxyLogin(proxy, refusedLogin),
    ),
    way: { proxyFor: (origin) => network.session().resolveProxy(origin) },
    openBrowser,
    openReceiver: async (onCallback, port) => {
      if (port === undefined && (await hasScheme(app, process.argv))) return null;
      const handleReturn = (address: string) => {
        const isOurs = onCallback(address);
        if (isOurs) window.show();
        return isOurs;
      };
      return openLoopbackReceiver(handleReturn, returnedPage, port);
    },
    cipher,
    settings,
    policy,
    log,
    uploadWorker: pathToFileURL(join(outFolder, 'main', 'upload-worker.js')),
    scanWorker,
    version: app.getVersion(),
    giveMemoryBack,
    isSeen: () => window.visibility.state() === 'seen',
  });
  const pageAsks = createPageAsks(window);
  const notify = createNotify(app, window.show);
  const support = createSupport(app, app.getPath('logs'), tilelift, settings);
  const backgroundMode = setupBackgroundMode({
    ...{ app, tilelift, settings, window, pageAsks, notify, openBrowser },
    clock: systemClock,
    iconFolder: join(outFolder, '..', 'build', 'tray'),
    log: desktopLog,
  });
  const rebuildMenu = setupMenu({
    accounts: tilelift.accounts,
    window,
    pageAsks,
    support,
    notify,
    quit: backgroundMode.quit,
  });
  const updates = setupUpdates({
    app,
    settings,
    work: backgroundMode.work,
    session: networkOfUpdates.session,
    proxies: tilelift.proxies,
    areAllowed: updatesAreAllowed(policy),
    onChange: paceByVisibility(window.visibility, (view) => window.send('updates.changed', view)),
    clock: systemClock,
    log: log.child('updates'),
  });
  const granted = createGrantedPaths(() => settings.get().watchRules);
  if (info.samplePath !== null) granted.grant([info.samplePath]);
  bindDrops((path) => granted.grant([path]));
  const decoder = createPictureDecoder();
  const thumbnails = createThumbnails({
    ...{ tilelift, decode: decoder.decode, openThread: () => createInspectionThread(scanWorker) },
    accountId: () => tilelift.accounts.current(),
  });
  const openGlobeSession = async () => {
    const globeNetwork = await openNetwork(`globe-${randomUUID()}`, files.forServices, proxy, desktopLog);
    return globeNetwork.session();
  };
  const showGlobe = createGlobes(outFolder, openGlobeSession, async (accountId, assetId, png) => {
    await thumbnails.replace(accountId, assetId, png);
    window.send('thumbnails.changed', null);
  });
  const handlers = createHandlers({
    thumbnails,
    granted,
    notices: unsandboxed ? [toErrorRecord(new TileliftError('sandbox-off'))] : [],
    tilelift,
    settings,
    openBrowser,
    showGlobe,
    support,
    takeAsks: pageAsks.takeAll,
    window: window.current,
    notifySeen: paceByVisibility(window.visibility, (view) => window.send('source.seen', view), joinSeen),
    notifyWalked: paceByVisibility(window.visibility, (view) => window.send('source.walked', view)),
    notifyLooked: paceByVisibility(window.visibility, (dryRunProgress) =>
      window.send('watch.dryRunLooked', dryRunProgress),
    ),
    onCaFile: network.renew,
    background: backgroundMode.background,
    updates: updates.updates,
    presets,
    policy,
    onLanguage: () => {
      speak(chooseSpeech(catalogues, settings.get().language, app.getPreferredSystemLanguages()));
      rebuildMenu();
      backgroundMode.updateLanguage();
      window.reload();
    },
    info,
  });
  tilelift.accounts.onChange(() => {
    const view = accountView(tilelift.accounts, knownServices(presets, settings));
    window.send('account.changed', view);
  });
  tilelift.proxies.onChange(() => {
    window.send('network.proxyAsks', tilelift.proxies.question());
  });
  const stopFeeds = [
    feedAssets(tilelift, (changes) => window.send('assets.changed', changes)),
    feedJobs(tilelift.jobs, window.visibility, (changes) => window.send('jobs.changed', changes)),
    feedWatch(tilelift.watch, window.visibility, (changes) => window.send('watch.changed', changes)),
  ];

  app.on('second-instance', (_event, args) => {
    if (!isBackgroundLaunch(args)) window.show();
  });
  app.on('activate', window.show);
  if (inBackground) notifyOfUnusable(policy, notify);

  arrivals.sources.listen((paths) => pageAsks.ask({ kind: 'source', paths }));
  const started = tilelift.start();
  // The signed-in accounts are known now.
  answerCalls({ inputs: callInputs, handlers });
  await started;
  arrivals.callbacks.listen((address) => {
    window.show();
    void tilelift.accounts.handleCallback(address);
  });
  updates.start();
  const commands = await serveCommands({
    ...tilelift,
    home: app.getPath('userData'),
    owner: 'desktop',
    version: app.getVersion(),
    clock: systemClock,
    log: log.child('socket'),
  });
  quitCleanly({
    app,
    stop: async () => {
      updates.stop();
      thumbnails.stop();
      decoder.close();
      backgroundMode.stop();
      for (const stop of stopFeeds) stop();
      await commands.stop();
      const stoppedInTime = await tilelift.stop();
      desktopLog.info({ quiet: stoppedInTime }, 'Tilelift stops');
      await log.dispose();
      return stoppedInTime;
    },
  });
}

/** Without a window, only a notice explains why nothing continues. */
function notifyOfUnusable(policy: PolicyState, notify: Notify): void {
  if (policy.kind !== 'unusable') return;
  notify({ title: errorMessage(policy.error), body: errorAdvice(policy.error) });
}

function guardedBrowser(services: () => readonly { readonly authUrl: string }[]): OpenBrowser {
  return async (address) => {
    if (!isPageOfAService(address, services()))
      throw new Error('Only pages of a service that Tilelift knows are opened');
    // Open exactly the checked spelling.
    await shell.openExternal(new URL(address).href);
  };
}
