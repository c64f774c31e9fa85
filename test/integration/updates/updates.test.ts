import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientRequest } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FeedRequests } from '../../../main/desktop/updates/feed-requests.ts';
import { ImageUpdater } from '../../../main/desktop/updates/image-updater.ts';
import { isSafe } from '../../../main/desktop/updates/installation.ts';
import { createUpdateService, type UpdateService } from '../../../main/desktop/updates/update-service.ts';
import { updaterReleases } from '../../../main/desktop/updates/updater-releases.ts';
import type { Work } from '../../../main/desktop/work.ts';
import { silentLog } from '../../../main/log.ts';
import { type ManualClock, manualClock, settingsInMemory } from '../../unit/account/stand-ins.ts';
import { job } from '../../unit/desktop/stand-ins.ts';
import { type Feed, makeReleaseKey, type Release, startFeed } from '../../updates/feed.ts';

const minute = 60_000;
const program = randomBytes(3_000_000);

let folder: string;
let image: string;
let feed: Feed;
let clock: ManualClock;
let settings: ReturnType<typeof settingsInMemory>;
let work: Work;
let tell: (work: Work) => void;
let started: string[];
let service: UpdateService;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tilelift-updates-'));
  image = join(folder, 'Applications', 'Tilelift-0.1.0.AppImage');
  mkdirSync(join(folder, 'Applications'));
  writeFileSync(image, 'this one', { mode: 0o755 });
  vi.stubEnv('APPIMAGE', image);
  feed = await startFeed();
  writeFileSync(
    join(folder, 'app-update.yml'),
    `provider: generic\nurl: ${feed.address}\nupdaterCacheDirName: updates\n`,
  );
  clock = manualClock();
  settings = settingsInMemory();
  work = { jobs: [], rules: [] };
  started = [];
  service = makeService();
});
afterEach(async () => {
  service.stop();
  await feed.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Our service over the real library, which asks the real feed by Node's HTTP instead of Chromium's. */
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
    ({ headers, ...wanted }) => {
      const sent = httpRequest({ ...wanted, headers: { ...headers } });
      return sent as unknown as ClientRequest;
    },
    (where) => isSafe(where, address),
  );
  const updater = new ImageUpdater(app, image, (path) => started.push(path));
  return createUpdateService({
    version: '0.1.0',
    hasFeed: true,
    allowed: true,
    releases: async () =>
      updaterReleases({
        updater,
        requests,
        feed: address,
        system: 'linux',
        keys: [feed.key],
        installs: true,
        clock,
        log: silentLog,
      }),
    work: { now: () => work, onChange: (listener) => (tell = listener) },
    settings,
    clock,
    log: silentLog,
  });
}

function jobsAre(...jobs: Work['jobs']): void {
  work = { jobs, rules: [] };
  tell(work);
}

const phaseIs = (kind: string) => expect.poll(() => service.phase().kind).toBe(kind);

/** Time goes by until a quiet line and another look have had their turn. */
async function aMinute(): Promise<void> {
  await expect.poll(() => clock.sleepers()).toBeGreaterThan(0);
  clock.advance(minute);
}

/** Everything that is kept of a download. */
function kept(): readonly string[] {
  const cache = join(folder, 'cache');
  if (!existsSync(cache)) return [];
  return readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

/** Files of a download that are open still, where the system tells. */
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

describe('a good release', () => {
  beforeEach(() => feed.publish({ version: '0.2.0', program }));

  it('is downloaded in the background and takes this one’s place at the quit, under its name', async () => {
    service.start();
    await aMinute();
    await phaseIs('ready');
    expect(readFileSync(image, 'utf8')).toBe('this one');
    service.stop()?.(false);
    expect(readFileSync(image).equals(program)).toBe(true);
    expect(readdirSync(join(folder, 'Applications'))).toEqual(['Tilelift-0.1.0.AppImage']);
    expect(started).toEqual([]);
    expect(feed.programBytes()).toBe(program.length);
  });

  it('is started after the quit where the person wants that', async () => {
    service.start();
    await aMinute();
    await phaseIs('ready');
    service.stop()?.(true);
    expect(started).toEqual([image]);
  });

  it('is not downloaded again at the next start, after a quit that could not install it', async () => {
    service.start();
    await aMinute();
    await phaseIs('ready');
    jobsAre(job());
    expect(service.stop()).toBeNull();
    expect(readFileSync(image, 'utf8')).toBe('this one');
    work = { jobs: [], rules: [] };
    service = makeService();
    service.start();
    await aMinute();
    await phaseIs('ready');
    expect(feed.programBytes()).toBe(program.length);
  });

  it('tells the feed nothing by which this computer could be known again', async () => {
    service.start();
    await aMinute();
    await phaseIs('ready');
    expect(feed.headers).toHaveLength(2);
    const names = new Set(feed.headers.flatMap((headers) => Object.keys(headers)));
    expect(names).toEqual(new Set(['accept', 'cache-control', 'connection', 'host', 'user-agent']));
  });
});

describe('a release that its publisher has not signed like this', () => {
  const other = makeReleaseKey();
  const old = { url: 'Tilelift-0.0.9.AppImage', size: 5, sha512: 'x' };
  const forgeries: readonly (readonly [string, Partial<Release>])[] = [
    ['without a signature', { signed: null }],
    ['signed by somebody else', { by: other.privateKey }],
    ['an old one announced under a new number', { signed: { version: '0.0.9' } }],
    ['one of another channel', { signed: { channel: 'beta' } }],
    ['one of another system', { signed: { system: 'windows' } }],
    ['one whose date was changed', { signed: { releasedAt: '2020-01-01T00:00:00.000Z' } }],
    ['one whose file was exchanged', { signed: { files: [old] } }],
  ];

  it.each(forgeries)('is refused before a byte of it is fetched: %s', async (_, forged) => {
    feed.publish({ version: '9.9.9', program, ...forged });
    service.start();
    await aMinute();
    await phaseIs('failed');
    expect(service.phase()).toMatchObject({ error: { code: 'update-refused', subject: '9.9.9' } });
    expect(feed.asked).toEqual(['/latest-linux.yml']);
    expect(service.stop()).toBeNull();
    expect(readFileSync(image, 'utf8')).toBe('this one');
  });

  it('is not installed when its bytes were changed on this disk before the quit', async () => {
    feed.publish({ version: '0.2.0', program });
    service.start();
    await aMinute();
    await phaseIs('ready');
    const [downloaded = ''] = readdirSync(join(folder, 'cache'), { recursive: true, withFileTypes: true })
      .filter(({ name }) => name.endsWith('.AppImage'))
      .map((entry) => join(entry.parentPath, entry.name));
    writeFileSync(downloaded, 'somebody else’s program');
    service.stop()?.(true);
    expect(readFileSync(image, 'utf8')).toBe('this one');
    expect(started).toEqual([]);
  });
});

describe('a feed that may keep releases back', () => {
  it('is reported when it goes back to an older release, which is not taken', async () => {
    settings.update({ releasesSeen: { latest: '0.3.0' } });
    feed.publish({ version: '0.2.0', program });
    service.checkNow();
    await expect
      .poll(() => service.phase())
      .toMatchObject({ kind: 'idle', doubt: { kind: 'went-back', offered: '0.2.0', seen: '0.3.0' } });
    expect(feed.programBytes()).toBe(0);
  });

  it('is reported when its newest release is half a year old', async () => {
    const releasedAt = new Date(clock.now() - 181 * 24 * 60 * minute).toISOString();
    feed.publish({ version: '0.1.0', program, releasedAt });
    service.checkNow();
    await expect
      .poll(() => service.phase())
      .toMatchObject({ kind: 'idle', doubt: { kind: 'stands-still', since: Date.parse(releasedAt) } });
  });

  it('is remembered by what it offered, for each channel', async () => {
    feed.publish({ version: '0.2.0', program });
    service.start();
    await aMinute();
    await phaseIs('ready');
    expect(settings.get().releasesSeen).toEqual({ latest: '0.2.0' });
  });
});

describe('a release that is not what the feed says', () => {
  it('is refused, and nothing of it is kept', async () => {
    const tampered = Buffer.from(program);
    tampered[1_500_000] = (tampered[1_500_000] ?? 0) ^ 1;
    feed.publish({ version: '0.2.0', program, tampered });
    service.start();
    await aMinute();
    await phaseIs('failed');
    expect(service.phase()).toMatchObject({ error: { code: 'update-refused' } });
    expect(kept()).toEqual([]);
    expect(service.stop()).toBeNull();
    expect(readFileSync(image, 'utf8')).toBe('this one');
  });

  it.each(['0.0.9', '0.1.0', '0.1.0-beta.3'])('is not taken as %s, which is not newer', async (version) => {
    feed.publish({ version, program });
    service.start();
    await aMinute();
    await phaseIs('idle');
    await aMinute();
    expect(feed.asked).toEqual(['/latest-linux.yml']);
    expect(service.stop()).toBeNull();
  });

  it('is not fetched from where there is no encryption', async () => {
    // A name may lead anywhere: only the numbers are surely this computer.
    feed.publish({ version: '0.2.0', program, at: feed.address.replace('127.0.0.1', 'localhost') });
    service.start();
    await aMinute();
    await phaseIs('failed');
    expect(service.phase()).toMatchObject({ error: { code: 'update-unreachable' } });
    expect(feed.programBytes()).toBe(0);
    expect(kept()).toEqual([]);
  });
});

describe('while an upload needs the line', () => {
  beforeEach(() => feed.publish({ version: '0.2.0', program }));

  it('nothing is downloaded', async () => {
    jobsAre(job());
    service.start();
    await aMinute();
    await phaseIs('available');
    for (let at = 0; at < 10; at += 1) await aMinute();
    expect(feed.programBytes()).toBe(0);
  });

  it('a download is put down, and continues after it', async () => {
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
    expect(readFileSync(image).equals(program)).toBe(true);
  });
});

describe('a feed', () => {
  it('that is gone is said, and asked again an hour later and not before', async () => {
    service.start();
    await aMinute();
    await phaseIs('failed');
    expect(service.phase()).toMatchObject({ error: { code: 'update-unreachable' } });
    for (let at = 0; at < 58; at += 1) await aMinute();
    expect(feed.asked).toHaveLength(1);
    await aMinute();
    await aMinute();
    await expect.poll(() => feed.asked.length).toBe(2);
  });

  it('that never answers is given up after a minute, and can be asked again', async () => {
    feed.publish({ version: '0.2.0', program });
    feed.silence();
    service.checkNow();
    await expect.poll(() => feed.asked).toHaveLength(1);
    await aMinute();
    await phaseIs('failed');
    service.checkNow();
    await expect.poll(() => feed.asked).toHaveLength(2);
  });

  it('that stops in the middle of a release is given up, and nothing of it is kept', async () => {
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
    await expect.poll(kept).toEqual([]);
    await expect.poll(open).toEqual([]);
  });

  it('is asked of the channel that is chosen, also when another one was being asked', async () => {
    feed.publish({ version: '0.2.0-beta.1', program }, 'beta');
    feed.silence();
    service.checkNow();
    await expect.poll(() => feed.asked).toEqual(['/latest-linux.yml']);
    feed.speak();
    settings.update({ updates: { check: true, channel: 'beta' } });
    service.onSet(true);
    await aMinute();
    await phaseIs('ready');
    expect(service.phase()).toMatchObject({ version: '0.2.0-beta.1' });
  });

  it('has a channel of preliminary releases for those who want them', async () => {
    feed.publish({ version: '0.1.0', program });
    feed.publish({ version: '0.2.0-beta.1', program }, 'beta');
    service.checkNow();
    await expect.poll(() => service.phase()).toEqual({ kind: 'idle', checkedAt: clock.now() });
    settings.update({ updates: { check: true, channel: 'beta' } });
    service.onSet(true);
    await phaseIs('ready');
    expect(service.phase()).toMatchObject({ version: '0.2.0-beta.1' });
    expect(feed.asked.slice(0, 2)).toEqual(['/latest-linux.yml', '/beta-linux.yml']);
  });
});
