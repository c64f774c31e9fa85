import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Work } from '../../../../main/desktop/launch/work.ts';
import {
  createUpdateService,
  type Releases,
  type UpdateService,
} from '../../../../main/desktop/updates/update-service.ts';
import { TileliftError } from '../../../../main/errors.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';
import { silentLog } from '../../../../main/log.ts';
import { type ManualClock, manualClock, settingsInMemory } from '../../account/stand-ins.ts';
import { job } from '../stand-ins.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A feed controlled by the test, including the end of downloads. */
function playedReleases() {
  const played = {
    installs: true,
    offers: '0.2.0',
    /** Delays each answer. */
    pause: Promise.resolve(),
    fails: null as TileliftError | null,
    looks: [] as string[],
    downloads: [] as {
      finish: () => void;
      fail: (error: Error) => void;
      percent: (percent: number) => void;
    }[],
    installed: [] as boolean[],
  };
  const releases: Releases = {
    get installs() {
      return played.installs;
    },
    findVersion: async (channel) => {
      const { offers } = played;
      played.looks.push(channel);
      await played.pause;
      if (played.fails) throw played.fails;
      return offers;
    },
    download: (signal, onPercent) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        played.downloads.push({ finish: resolve, fail: reject, percent: onPercent });
      }),
    install: (restart) => played.installed.push(restart),
  };
  return { played, releases };
}

let clock: ManualClock;
let settings: ReturnType<typeof settingsInMemory>;
let feed: ReturnType<typeof playedReleases>;
let service: UpdateService;
let work: Work;
let tell: (work: Work) => void;

function makeService(facts: { hasFeed?: boolean; allowed?: boolean } = {}): void {
  work = { jobs: [], rules: [] };
  service = createUpdateService({
    version: '0.1.0',
    hasFeed: facts.hasFeed ?? true,
    areAllowed: facts.allowed ?? true,
    releases: async () => feed.releases,
    work: { current: () => work, onChange: (listener) => (tell = listener) },
    settings,
    clock,
    log: silentLog,
  });
}

function jobsAre(...jobs: JobSnapshot[]): void {
  work = { jobs, rules: [] };
  tell(work);
}

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

/** Advances the service's clock by a minute between two sleeps. */
async function aMinute(): Promise<void> {
  await waitUntil(() => clock.sleepers() > 0);
  clock.advance(minute);
  await waitUntil(() => clock.sleepers() > 0);
}

const phaseIs = (kind: string) => waitUntil(() => service.phase().kind === kind);

async function untilReady(): Promise<void> {
  service.start();
  await aMinute();
  await phaseIs('downloading');
  feed.played.downloads.at(-1)?.finish();
  await phaseIs('ready');
}

beforeEach(() => {
  clock = manualClock();
  settings = settingsInMemory();
  feed = playedReleases();
  makeService();
});
afterEach(() => void service.stop());

it('UpdateService checks start after a minute and repeat after a day', async () => {
  feed.played.offers = '0.1.0';
  service.start();
  expect(feed.played.looks).toEqual([]);
  await aMinute();
  await phaseIs('idle');
  expect(feed.played.looks).toEqual(['latest']);
  expect(service.phase()).toEqual({ kind: 'idle', checkedAt: clock.now() });
  for (let at = 0; at < 30; at += 1) await aMinute();
  expect(feed.played.looks).toHaveLength(1);
  await waitUntil(() => clock.sleepers() > 0);
  clock.advance(day);
  await waitUntil(() => feed.played.looks.length === 2);
});

it.each(['0.1.0', '0.0.9', '0.1.0-rc.1', 'nonsense'])(
  'UpdateService checks ignore a feed that offers %s',
  async (offers) => {
    feed.played.offers = offers;
    service.start();
    await aMinute();
    await phaseIs('idle');
    await aMinute();
    expect(feed.played.downloads).toEqual([]);
  },
);

it('UpdateService checks ignore the answer of a channel that was changed meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  feed.played.pause = promise;
  service.checkNow();
  await waitUntil(() => feed.played.looks.length === 1);
  feed.played.offers = '0.1.0';
  settings.update({ updates: { check: true, channel: 'beta' } });
  service.onSet(true);
  resolve();
  await phaseIs('idle');
  expect(feed.played.looks).toEqual(['latest', 'beta']);
  expect(feed.played.downloads).toEqual([]);
});

it('UpdateService checks report a failure and retry at growing intervals', async () => {
  feed.played.fails = new TileliftError('update-unreachable', { subject: 'updates.example' });
  service.start();
  const lookedAt: number[] = [];
  const beganAt = clock.now();
  for (let at = 0; at < 40 * 60; at += 1) {
    await aMinute();
    await waitUntil(() => service.phase().kind !== 'checking');
    if (feed.played.looks.length > lookedAt.length)
      lookedAt.push(Math.round((clock.now() - beganAt) / minute));
  }
  expect(service.phase()).toMatchObject({ kind: 'failed', error: { code: 'update-unreachable' } });
  expect(lookedAt).toEqual([1, 61, 181, 421, 901, 1861]);
});

it('UpdateService checks run immediately on request', async () => {
  feed.played.offers = '0.1.0';
  service.checkNow();
  await phaseIs('idle');
  service.checkNow();
  expect(feed.played.looks).toHaveLength(2);
});

it.each([
  ['build', { hasFeed: false }],
  ['administrator', { allowed: false }],
] as const)(
  'UpdateService checks never run when the %s has switched them off',
  async (switchedOffBy, facts) => {
    makeService(facts);
    service.start();
    await aMinute();
    service.checkNow();
    expect(service.switchedOffBy()).toBe(switchedOffBy);
    expect(feed.played.looks).toEqual([]);
  },
);

it("UpdateService checks only announce a release that this copy can't install", async () => {
  feed.played.installs = false;
  service.start();
  await aMinute();
  await phaseIs('by-hand');
  await aMinute();
  expect(feed.played.downloads).toEqual([]);
});

describe('UpdateService downloads', () => {
  beforeEach(async () => {
    jobsAre(job());
    service.start();
    await aMinute();
    await phaseIs('available');
  });

  it('UpdateService downloads wait while an upload uses the line, and for a while after', async () => {
    for (let at = 0; at < 5; at += 1) await aMinute();
    expect(feed.played.downloads).toEqual([]);
    jobsAre(job({ status: 'tiling' }));
    expect(feed.played.downloads).toEqual([]);
    await aMinute();
    await phaseIs('downloading');
  });

  it('UpdateService downloads stop when an upload begins and start again after it', async () => {
    jobsAre();
    await aMinute();
    await phaseIs('downloading');
    feed.played.downloads[0]?.percent(40);
    expect(service.phase()).toMatchObject({ percent: 40 });
    jobsAre(job({ status: 'creating' }));
    await phaseIs('available');
    // A stopped download doesn't count.
    feed.played.downloads[0]?.percent(60);
    expect(service.phase().kind).toBe('available');
    await aMinute();
    expect(feed.played.downloads).toHaveLength(1);
    jobsAre();
    await aMinute();
    await phaseIs('downloading');
    feed.played.downloads[1]?.finish();
    await phaseIs('ready');
  });

  it('UpdateService downloads stop when the user switches updates off', async () => {
    jobsAre();
    await aMinute();
    await phaseIs('downloading');
    settings.update({ updates: { check: false, channel: 'latest' } });
    service.onSet(false);
    await phaseIs('available');
    await aMinute();
    expect(feed.played.downloads).toHaveLength(1);
  });

  it('UpdateService downloads report a refused release and retry it after a day', async () => {
    jobsAre();
    await aMinute();
    await phaseIs('downloading');
    feed.played.downloads[0]?.fail(new TileliftError('update-refused', { subject: '0.2.0' }));
    await phaseIs('failed');
    for (let at = 0; at < 120; at += 1) await aMinute();
    expect(feed.played.looks).toHaveLength(1);
    expect(feed.played.downloads).toHaveLength(1);
  });

  it("UpdateService downloads drop the previous channel's release when the channel changes", async () => {
    jobsAre();
    await aMinute();
    await phaseIs('downloading');
    feed.played.offers = '0.3.0-beta.1';
    settings.update({ updates: { check: true, channel: 'beta' } });
    service.onSet(true);
    await waitUntil(() => feed.played.downloads.length === 2);
    expect(service.phase()).toMatchObject({ kind: 'downloading', version: '0.3.0-beta.1' });
    expect(feed.played.looks).toEqual(['latest', 'beta']);
  });
});

describe('UpdateService installs', () => {
  it('a ready release at quit', async () => {
    await untilReady();
    service.stop()?.(false);
    expect(feed.played.installed).toEqual([false]);
  });

  it('UpdateService installs nothing while no release is ready', async () => {
    service.start();
    await aMinute();
    await phaseIs('downloading');
    expect(service.stop()).toBeNull();
  });

  it('UpdateService installs nothing during an upload, and notifies the page', async () => {
    await untilReady();
    expect(service.canInstall()).toBe(true);
    const onEvent = vi.fn();
    service.onChange(onEvent);
    jobsAre(job());
    jobsAre(job());
    expect(onEvent).toHaveBeenCalledOnce();
    expect(service.canInstall()).toBe(false);
    expect(service.stop()).toBeNull();
  });
});
