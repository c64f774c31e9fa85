import { createHash, hash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type AppUpdater, BaseUpdater, CancellationToken } from 'electron-updater';
import { codeOf } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../outside.ts';
import type { FeedRequests } from './feed-requests.ts';
import { isSigned, type ReleaseStatement, readStatement } from './release-signature.ts';
import type { Releases } from './update-service.ts';

interface UpdaterReleasesParts {
  readonly updater: AppUpdater;
  readonly requests: FeedRequests;
  readonly feed: URL;
  /** As `feedSystem` names it. */
  readonly system: string;
  /** Public keys of who may release (`releaseKeys`). */
  readonly keys: readonly string[];
  /** Whether this copy may install what it downloads. */
  readonly installs: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** So long (ms) without an answer, or without a byte of a download, and a request is given up. */
const patienceMs = 60_000;

/**
 * Releases as electron-updater finds them: it reads the feed, downloads and compares checksums. When it does
 * so is not its decision, and whether a release is the publisher's neither: that is checked before a byte of
 * it is fetched, and its bytes once more before it is started.
 */
export function updaterReleases(parts: UpdaterReleasesParts): Releases {
  const { updater, requests, feed, system, keys, installs, clock, log } = parts;
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
  let signed: ReleaseStatement | null = null;
  let downloaded: readonly string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  /** The library holds one look and one download, and gives whoever comes meanwhile the same. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine.catch((thrown) => {
      throw toUpdateError(thrown, feed.host, version);
    });
  };

  /** Throws `update-refused` for what nobody with a key has signed. */
  const signedRelease = (announced: unknown, channel: string): ReleaseStatement => {
    try {
      const statement = readStatement(announced, channel, system);
      if (isSigned(announced, statement, keys)) return statement;
    } catch (cause) {
      throw new TileliftError('update-refused', { subject: version, cause });
    }
    throw new TileliftError('update-refused', {
      subject: version,
      cause: 'no signature by a key of this program',
    });
  };
  const isSignedHash = (sha512: string) => signed?.files.some((file) => file.sha512 === sha512) ?? false;

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
          signed = signedRelease(found.updateInfo, channel);
          return { version, releasedAt: Date.parse(signed.releasedAt) };
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
          downloaded = await updater.downloadUpdate(token);
          for (const path of downloaded)
            if (!isSignedHash(await hashOf(path)))
              throw new TileliftError('update-refused', { subject: version });
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
      // Once more, and at once: the quit waits for nothing.
      const isUnchanged = downloaded.length > 0 && downloaded.every((path) => isSignedHash(hashNow(path)));
      if (!isUnchanged) log.error({ version }, 'what was downloaded has changed and is not installed');
      else if (updater instanceof BaseUpdater) updater.install(true, restart);
      else if (restart) updater.quitAndInstall();
    },
  };
}

/** SHA-512 in base64, read bit by bit. */
async function hashOf(path: string): Promise<string> {
  const digest = createHash('sha512');
  await pipeline(createReadStream(path), digest);
  return digest.digest('base64');
}

/** `hashOf`, at once; empty for what can't be read. */
function hashNow(path: string): string {
  try {
    return hash('sha512', readFileSync(path), 'base64');
  } catch {
    return '';
  }
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
