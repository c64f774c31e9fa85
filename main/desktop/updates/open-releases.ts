import { type App, net, type Session } from 'electron';
import { AppImageUpdater, type AppUpdater, MacUpdater, NsisUpdater } from 'electron-updater';
import { ElectronAppAdapter } from 'electron-updater/out/ElectronAppAdapter.js';
import type { Log } from '../../log.ts';
import type { Clock, NetworkWay } from '../../ports.ts';
import { type FeedRequest, FeedRequests } from './feed-requests.ts';
import { isSafe } from './installation.ts';
import type { Releases } from './update-service.ts';
import { updaterReleases } from './updater-releases.ts';

export interface OpenReleasesParts {
  readonly app: App;
  readonly feed: URL;
  readonly installs: boolean;
  readonly session: () => Session;
  readonly proxies: Pick<NetworkWay, 'proxyLogin'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A separate module, loaded on demand. */
export function openReleases({
  app,
  feed,
  installs,
  session,
  proxies,
  clock,
  log,
}: OpenReleasesParts): Releases {
  const send = (request: FeedRequest) => {
    const sent = net.request({
      ...request,
      headers: { ...request.headers },
      session: session(),
      priority: 'lowest',
      credentials: 'omit',
      cache: 'no-store',
      bypassCustomProtocolHandlers: true,
    });
    let loginSent = false;
    // Never ask the user for an update.
    sent.on('login', ({ isProxy, host, port }, answer) => {
      const login = isProxy && !loginSent ? proxies.proxyLogin(`${host}:${port}`) : null;
      loginSent = true;
      if (login) answer(login.username, login.password);
      else answer();
    });
    return sent;
  };
  const requests = new FeedRequests(send, (address) => isSafe(address, feed));
  return updaterReleases({ updater: updaterFor(app), requests, feed, installs, clock, log });
}

function updaterFor(app: App): AppUpdater {
  const adapter = new ElectronAppAdapter(app);
  if (process.platform === 'win32') return new NsisUpdater(undefined, adapter);
  if (process.platform === 'darwin') return new MacUpdater(undefined, adapter);
  return new LinuxReleases(undefined, adapter);
}

/** On any Linux installation; installs nothing. */
class LinuxReleases extends AppImageUpdater {
  override isUpdaterActive(): boolean {
    return true;
  }
}
