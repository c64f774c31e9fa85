import { type AppUpdater, BaseUpdater, CancellationToken } from 'electron-updater';
import { codeOf } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../outside.ts';
import type { FeedRequests } from './feed-requests.ts';
import type { Releases } from './update-service.ts';

interface UpdaterReleasesParts {
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

/**
 * Releases as electron-updater finds them: it reads the feed, downloads, and verifies checksums and, on
 * Windows and macOS, the publisher's code signature. Tilelift decides when.
 */
export function updaterReleases(parts: UpdaterReleasesParts): Releases {
  const { updater, requests, feed, installs, clock, log } = parts;
  updater.logger = {
    info: (said) => log.debug({ said }, 'electron-updater'),
    warn: (said) => log.debug({ said }, 'electron-updater'),
    error: (said) => log.debug({ said }, 'electron-updater'),
  };
  Object.assign(updater, { httpExecutor: requests });
  updater.autoDownload = false;
  // Squirrel takes a release in when it has been downloaded, and puts it in its place at the quit. All others
  // are told to.
  updater.autoInstallOnAppQuit = !(updater instanceof BaseUpdater);
  // One request, one checksum over all of it: pieces of the old file would have to be read while it runs, and
  // can't be put down cleanly.
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
          version = String(found.updateInfo.version);
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

/**
 * By which electron-updater says that a release is not what its feed or its signature says (`AppUpdater`,
 * `NsisUpdater`, `HttpExecutor`).
 */
const refusals: ReadonlySet<unknown> = new Set([
  'ERR_CHECKSUM_MISMATCH',
  'ERR_UPDATER_INVALID_SIGNATURE',
  'ERR_UPDATER_NO_CHECKSUM',
  'ERR_UPDATER_WEB_INSTALLER_DISABLED',
]);

/** What the file system says of a file that can't be written. */
const unwritable: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS']);

/** What went wrong with an update, in our words. `host`: of the feed. */
function toUpdateError(thrown: unknown, host: string, version: string): TileliftError {
  if (thrown instanceof TileliftError) return thrown;
  const code = codeOf(thrown);
  if (refusals.has(code)) return new TileliftError('update-refused', { subject: version, cause: thrown });
  if (unwritable.has(code)) return new TileliftError('update-not-kept', { subject: version, cause: thrown });
  return new TileliftError('update-unreachable', { subject: host, cause: thrown });
}
