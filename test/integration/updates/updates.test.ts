import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import type { ClientRequest } from 'electron';
import { NsisUpdater } from 'electron-updater';
import type { InstallOptions } from 'electron-updater/out/BaseUpdater.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Work } from '../../../main/desktop/launch/work.ts';
import { FeedRequests } from '../../../main/desktop/updates/feed-requests.ts';
import { isSafe } from '../../../main/desktop/updates/installation.ts';
import { createUpdateService, type UpdateService } from '../../../main/desktop/updates/update-service.ts';
import { updaterReleases } from '../../../main/desktop/updates/updater-releases.ts';
import { silentLog } from '../../../main/log.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type ManualClock, manualClock, settingsInMemory } from '../../unit/account/stand-ins.ts';
import { job } from '../../unit/desktop/stand-ins.ts';
import { type Feed, startFeed } from '../../updates/feed.ts';

const minute = 60_000;
const program = randomBytes(3_000_000);

let folder: string;
let feed: Feed;
let clock: ManualClock;
let settings: ReturnType<typeof settingsInMemory>;
let work: Work;
let tell: (work: Work) => void;
/** Started installers, and whether Tilelift restarts afterwards. */
let installedRelease: { readonly installer: Buffer; readonly restart: boolean }[];
/** Result of verifying an installer's signature: null, or the problem. */
let signatureFault: string | null;
let service: UpdateService;

beforeEach(async () => {
  folder = temporaryFolder();
  feed = await startFeed();
  writeFileSync(
    join(folder, 'app-update.yml'),
    `provider: generic\nurl: ${feed.address}\nupdaterCacheDirName: updates\npublisherName: Tilelift\n`,
  );
  clock = manualClock();
  settings = settingsInMemory();
  work = { jobs: [], rules: [] };
  installedRelease = [];
  signatureFault = null;
  service = makeService();
});
afterEach(async () => {
  service.stop();
  await feed.close();
});

/** Records installers instead of starting them. Signatures can be verified on Windows only. */
class RecordingUpdater extends NsisUpdater {
  protected override doInstall({ isForceRunAfter: restart }: InstallOptions): boolean {
    installedRelease.push({ installer: readFileSync(this.installerPath ?? ''), restart });
    return true;
  }
}

/** Our service with the real library, which requests the real feed over Node's HTTP instead of Chromium's. */
function makeService(): UpdateService {
  const address = new URL(feed.address);
  const app = {
    version: '0.1.0',
    name: 'Tilelift',
    isPackaged: true,
    appUpdateConfigPath: join(folder, 'app-update.yml'),
    userDataPath: join(folder, 'user-data'),
    baseCachePath: join(folder, 'cache'),
    whenReady: async () => {},
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  };
  const requests = new FeedRequests(
    ({ headers, ...requested }) => {
      const request = httpRequest({ ...requested, headers: { ...headers } });
      return request as unknown as ClientRequest;
    },
    (installerUrl) => isSafe(installerUrl, address),
  );
  const updater = new RecordingUpdater(undefined, app);
  updater.verifyUpdateCodeSignature = async () => signatureFault;
  return createUpdateService({
    version: '0.1.0',
    hasFeed: true,
    areAllowed: true,
    releases: async () =>
      updaterReleases({ updater, requests, feed: address, installs: true, clock, log: silentLog }),
    work: { current: () => work, onChange: (listener) => (tell = listener) },
    settings,
    clock,
    log: silentLog,
  });
}

function jobsAre(...jobs: Work['jobs']): void {
  work = { jobs, rules: [] };
  tell(work);
}

/** Each system has a separate feed file. */
const feedFile = (channel: string) => expect.stringMatching(new RegExp(`^/${channel}(?:-\\w+)?\\.yml$`));

const phaseIs = (kind: string) => expect.poll(() => service.phase().kind).toBe(kind);

/** Advances the clock until the line was quiet and another check has run. */
async function aMinute(): Promise<void> {
  await expect.poll(() => clock.sleepers()).toBeGreaterThan(0);
  clock.advance(minute);
}

async function startUntil(phase: string): Promise<void> {
  service.start();
  await aMinute();
  await phaseIs(phase);
}

/** Files of a download. */
function storedFiles(): readonly string[] {
  const cache = join(folder, 'cache');
  if (!existsSync(cache)) return [];
  return readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

/** Open download files, if the system lists them. */
function open(): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd')
    .map((number) => {
      try {
        return readlinkSync(`/proc/self/fd/${number}`);
      } catch {
        return '';
      }
    })
    .filter((path) => path.startsWith(folder));
}

describe('valid release', () => {
  beforeEach(() => feed.publish({ version: '0.2.0', program }));

  it('the valid release downloads a release in the background and installs it at quit', async () => {
    await startUntil('ready');
    expect(installedRelease).toEqual([]);
    service.stop()?.(false);
    expect(installedRelease).toEqual([{ installer: program, restart: false }]);
    expect(feed.programBytes()).toBe(program.length);
  });

  it('the valid release restarts Tilelift after quit if the user asked for that', async () => {
    await startUntil('ready');
    service.stop()?.(true);
    expect(installedRelease).toMatchObject([{ restart: true }]);
  });

  it('the valid release downloads no release again after a quit that couldn’t install it', async () => {
    await startUntil('ready');
    jobsAre(job());
    expect(service.stop()).toBeNull();
    expect(installedRelease).toEqual([]);
    work = { jobs: [], rules: [] };
    service = makeService();
    await startUntil('ready');
    expect(feed.programBytes()).toBe(program.length);
  });

  it('the valid release sends the feed nothing that identifies this computer', async () => {
    await startUntil('ready');
    expect(feed.headers).toHaveLength(2);
    const names = new Set(feed.headers.flatMap((headers) => Object.keys(headers)));
    expect(names).toEqual(new Set(['accept', 'cache-control', 'connection', 'host', 'user-agent']));
  });
});

it('S47: refuses a release whose signature isn’t the publisher’s, and deletes it', async () => {
  signatureFault = 'not signed by the publisher';
  feed.publish({ version: '9.9.9', program });
  await startUntil('failed');
  expect(service.phase()).toMatchObject({ error: { code: 'update-refused', subject: '9.9.9' } });
  expect(storedFiles()).toEqual([]);
  expect(service.stop()).toBeNull();
});

it('S48: release that differs from its feed: refuses and deletes it', async () => {
  const tampered = Buffer.from(program);
  tampered[1_500_000] = (tampered[1_500_000] ?? 0) ^ 1;
  feed.publish({ version: '0.2.0', program, tampered });
  await startUntil('failed');
  expect(service.phase()).toMatchObject({ error: { code: 'update-refused' } });
  expect(storedFiles()).toEqual([]);
  expect(service.stop()).toBeNull();
  expect(installedRelease).toEqual([]);
});

it('release that differs from its feed: downloads no release without encryption', async () => {
  // A name may resolve to any address; only these numbers are certain to be this computer.
  feed.publish({ version: '0.2.0', program, at: feed.address.replace('127.0.0.1', 'localhost') });
  await startUntil('failed');
  expect(service.phase()).toMatchObject({ error: { code: 'update-unreachable' } });
  expect(feed.programBytes()).toBe(0);
  expect(storedFiles()).toEqual([]);
});

describe('updates during an upload', () => {
  beforeEach(() => feed.publish({ version: '0.2.0', program }));

  it('updates during an upload interrupt a download and continue it afterwards', async () => {
    feed.hold();
    service.start();
    await aMinute();
    await expect.poll(() => feed.programBytes()).toBe(1_500_000);
    jobsAre(job({ status: 'creating' }));
    await phaseIs('available');
    await expect.poll(() => feed.broken()).toBe(1);
    await aMinute();
    expect(feed.programBytes()).toBe(1_500_000);
    feed.release();
    jobsAre();
    await aMinute();
    await phaseIs('ready');
    service.stop()?.(false);
    expect(installedRelease).toHaveLength(1);
  });
});

it('the update feed gives up a silent feed after a minute and asks again on request', async () => {
  feed.publish({ version: '0.2.0', program });
  feed.silence();
  service.checkNow();
  await expect.poll(() => feed.asked).toHaveLength(1);
  await aMinute();
  await phaseIs('failed');
  service.checkNow();
  await expect.poll(() => feed.asked).toHaveLength(2);
});

it('the update feed deletes a release whose download stalls', async () => {
  feed.publish({ version: '0.2.0', program });
  feed.hold();
  service.start();
  await aMinute();
  await expect.poll(() => feed.programBytes()).toBe(1_500_000);
  await expect
    .poll(() => {
      clock.advance(minute);
      return service.phase().kind;
    })
    .toBe('failed');
  await expect.poll(storedFiles).toEqual([]);
  await expect.poll(open).toEqual([]);
});

it('the update feed offers preliminary releases in another channel', async () => {
  feed.publish({ version: '0.1.0', program });
  feed.publish({ version: '0.2.0-beta.1', program }, 'beta');
  service.checkNow();
  await expect.poll(() => service.phase()).toEqual({ kind: 'idle', checkedAt: clock.now() });
  settings.update({ updates: { check: true, channel: 'beta' } });
  service.onSet(true);
  await phaseIs('ready');
  expect(service.phase()).toMatchObject({ version: '0.2.0-beta.1' });
  expect(feed.asked.slice(0, 2)).toEqual([feedFile('latest'), feedFile('beta')]);
});
