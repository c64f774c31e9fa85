import { type AppUpdater, BaseUpdater, CancellationToken } from 'electron-updater';
import type { Log } from '../../log.ts';
import type { Clock } from '../../outside.ts';
import type { FeedRequests } from './feed-requests.ts';
import type { Releases } from './releases.ts';
import { toUpdateError } from './update-errors.ts';

export interface UpdaterReleasesParts {
  readonly updater: AppUpdater;
  readonly requests: FeedRequests;
  readonly feed: URL;
  /** Whether this copy may install what it downloads. */
  readonly installs: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** So long (ms) without an answer, or without a byte of a download, and a request is given up. */
const patienceMs = 60_000;

/** Releases as electron-updater finds them: it reads the feed, downloads, and checks checksum and signature. When it does so is not its decision. */
export function updaterReleases(parts: UpdaterReleasesParts): Releases {
  const { updater, requests, feed, installs, clock, log } = parts;
  updater.logger = {
    info: (said) => log.debug({ said }, 'electron-updater'),
    warn: (said) => log.debug({ said }, 'electron-updater'),
    error: (said) => log.debug({ said }, 'electron-updater'),
  };
  Object.assign(updater, { httpExecutor: requests });
  updater.autoDownload = false;
  // Squirrel takes a release in when it has been downloaded, and puts it in its place at the quit. All others are told to.
  updater.autoInstallOnAppQuit = !(updater instanceof BaseUpdater);
  // One request, one checksum over all of it: pieces of the old file would have to be read while it runs, and can't be put down cleanly.
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  // A share of all computers, by a number that tells them apart: Tilelift has none.
  updater.isUserWithinRollout = () => true;

  let version = '';
  let last: Promise<unknown> = Promise.resolve();
  /** The library holds one look and one download, and gives whoever comes meanwhile the same. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine.catch((thrown) => {
      throw toUpdateError(thrown, feed.host, version);
    });
  };

  return {
    installs,
    offered: (channel) =>
      inTurn(async () => {
        updater.channel = channel;
        // Naming a channel allows it.
        updater.allowDowngrade = false;
        const patience = patient(clock, () => requests.abandon());
        try {
          const found = await updater.checkForUpdates();
          if (!found) throw new Error('The updater is not active');
          version = found.updateInfo.version;
          return version;
        } finally {
          patience.end();
        }
      }),
    download: (signal, onPercent) =>
      inTurn(async () => {
        signal.throwIfAborted();
        const token = new CancellationToken();
        const giveUp = () => {
          token.cancel();
          requests.abandon();
        };
        const patience = patient(clock, giveUp);
        const progress = ({ percent }: { percent: number }) => {
          patience.again();
          onPercent(Math.floor(percent));
        };
        signal.addEventListener('abort', giveUp, { once: true });
        updater.on('download-progress', progress);
        try {
          await updater.downloadUpdate(token);
        } catch (thrown) {
          signal.throwIfAborted();
          throw thrown;
        } finally {
          updater.off('download-progress', progress);
          signal.removeEventListener('abort', giveUp);
          patience.end();
        }
      }),
    install: (restart) => {
      if (updater instanceof BaseUpdater) updater.install(true, restart);
      else if (restart) updater.quitAndInstall();
    },
  };
}

/** Calls `lost` once so much time has gone by without `again`. */
function patient(clock: Clock, lost: () => void): { again(): void; end(): void } {
  let waiting = new AbortController();
  const wait = () => {
    clock.sleep(patienceMs, waiting.signal).then(lost, () => undefined);
  };
  wait();
  return {
    again: () => {
      waiting.abort();
      waiting = new AbortController();
      wait();
    },
    end: () => waiting.abort(),
  };
}
