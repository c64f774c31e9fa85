import { type AppUpdater, BaseUpdater, CancellationToken } from 'electron-updater';
import { codeOf } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import type { FeedRequests } from './feed-requests.ts';
import type { Releases } from './update-service.ts';

interface UpdaterReleasesParts {
  readonly updater: AppUpdater;
  readonly requests: FeedRequests;
  readonly feed: URL;
  readonly installs: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Timeout without a response or a byte, ms. */
const patienceMs = 60_000;

/** electron-updater downloads and verifies checksums and, on Windows and macOS, the publisher's signature. */
export function updaterReleases(parts: UpdaterReleasesParts): Releases {
  const { updater, requests, feed, installs, clock, log } = parts;
  updater.logger = {
    info: (message) => log.debug({ said: message }, 'electron-updater'),
    warn: (message) => log.debug({ said: message }, 'electron-updater'),
    error: (message) => log.debug({ said: message }, 'electron-updater'),
  };
  Object.assign(updater, { httpExecutor: requests });
  updater.autoDownload = false;
  // Squirrel installs on quitting; the others need a call.
  updater.autoInstallOnAppQuit = !(updater instanceof BaseUpdater);
  // Differential downloads read the running file and can't be cancelled cleanly.
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  // Staged rollouts need an identifying number.
  updater.isUserWithinRollout = () => true;

  let version = '';
  let previousWork: Promise<unknown> = Promise.resolve();
  /** The library shares results of concurrent calls. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = previousWork.then(work);
    previousWork = result.catch(() => undefined);
    return result.catch((cause) => {
      throw toUpdateError(cause, feed.host, version);
    });
  };

  return {
    installs,
    findVersion: (channel) =>
      inTurn(async () => {
        updater.channel = channel;
        // Setting a channel allows downgrades.
        updater.allowDowngrade = false;
        const timeout = createTimeout(clock, () => requests.abandon());
        try {
          const result = await updater.checkForUpdates();
          if (!result) throw new Error('The updater is not active');
          version = String(result.updateInfo.version);
          return version;
        } finally {
          timeout.end();
        }
      }),
    download: (signal, onPercent) =>
      inTurn(async () => {
        signal.throwIfAborted();
        const token = new CancellationToken();
        const cancel = () => {
          token.cancel();
          requests.abandon();
        };
        const timeout = createTimeout(clock, cancel);
        const progress = ({ percent }: { percent: number }) => {
          timeout.restart();
          onPercent(Math.floor(percent));
        };
        signal.addEventListener('abort', cancel, { once: true });
        updater.on('download-progress', progress);
        try {
          await updater.downloadUpdate(token);
        } catch (error) {
          signal.throwIfAborted();
          throw error;
        } finally {
          updater.off('download-progress', progress);
          signal.removeEventListener('abort', cancel);
          timeout.end();
        }
      }),
    install: (restart) => {
      if (updater instanceof BaseUpdater) updater.install(true, restart);
      else if (restart) updater.quitAndInstall();
    },
  };
}

function createTimeout(clock: Clock, onTimeout: () => void): { restart(): void; end(): void } {
  let timer = new AbortController();
  const wait = () => {
    clock.sleep(patienceMs, timer.signal).then(onTimeout, () => undefined);
  };
  wait();
  return {
    restart: () => {
      timer.abort();
      timer = new AbortController();
      wait();
    },
    end: () => timer.abort(),
  };
}

/** From `AppUpdater`, `NsisUpdater` and `HttpExecutor`: the release contradicts its feed or signature. */
const refusals: ReadonlySet<unknown> = new Set([
  'ERR_CHECKSUM_MISMATCH',
  'ERR_UPDATER_INVALID_SIGNATURE',
  'ERR_UPDATER_NO_CHECKSUM',
  'ERR_UPDATER_WEB_INSTALLER_DISABLED',
]);

const unwritable: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS']);

/** `host`: the feed's. */
function toUpdateError(cause: unknown, host: string, version: string): TileliftError {
  if (cause instanceof TileliftError) return cause;
  const code = codeOf(cause);
  if (refusals.has(code)) return new TileliftError('update-refused', { subject: version, cause });
  if (unwritable.has(code)) return new TileliftError('update-not-kept', { subject: version, cause });
  return new TileliftError('update-unreachable', { subject: host, cause });
}
