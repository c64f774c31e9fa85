import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../main/errors.ts';
import { historyOf } from '../../main/jobs/history.ts';
import { openJournal } from '../../main/jobs/journal/journal.ts';
import type { JobRecord } from '../../main/jobs/journal/journal-model.ts';
import { createStep } from '../../main/jobs/steps/create-step.ts';
import type { JobCollaborators } from '../../main/jobs/steps/job-collaborators.ts';
import { LiveJob } from '../../main/jobs/steps/live-job.ts';
import { createUploadGrants } from '../../main/jobs/steps/upload-credentials.ts';
import { silentLog } from '../../main/log.ts';
import type { Clock, Fetch } from '../../main/ports.ts';
import { createServiceClient } from '../../main/service/service-client.ts';
import { saidLines } from '../said.ts';
import { memoryVault } from '../unit/account/stand-ins.ts';

const second = 1_000;
const minute = 60 * second;
const address = { baseUrl: 'https://api.test', authUrl: 'https://api.test' };
const record: JobRecord = {
  id: 'a',
  accountId: 'me',
  paths: ['/data/a'],
  createdAt: 1,
  acceptForecast: true,
  body: { name: 'A', type: 'TERRAIN', options: { sourceType: 'RASTER_TERRAIN' } },
};

/** Time only passes while all callers wait. */
function virtualClock(): Clock {
  let now = Date.parse('2026-11-27T00:00:00Z');
  const timers = new Set<{ readonly at: number; readonly wake: () => void }>();
  let isAdvancing = false;
  async function advance() {
    if (isAdvancing) return;
    isAdvancing = true;
    while (timers.size > 0) {
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      const [nextTimer] = [...timers].sort((a, b) => a.at - b.at);
      if (!nextTimer) break;
      timers.delete(nextTimer);
      now = Math.max(now, nextTimer.at);
      nextTimer.wake();
    }
    isAdvancing = false;
  }
  return {
    now: () => now,
    elapsed: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const timer = { at: now + ms, wake: resolve };
        timers.add(timer);
        signal?.addEventListener('abort', () => {
          timers.delete(timer);
          reject(signal.reason);
        });
        void advance();
      }),
  };
}

/** The service's behaviour for one creation request. Times from its arrival, ms. */
interface Creation {
  /** Time of the response; null cuts the connection at once. */
  readonly answerMs: number | null;
  /** Time when the asset exists; null for never. */
  readonly madeMs: number | null;
}

/** A service that treats creation requests in turn; the last behaviour repeats. */
function fakeService(clock: Clock, kinds: readonly Creation[], canList = true) {
  const requestedAt: number[] = [];
  const createdAssets: { readonly id: number; readonly at: number }[] = [];
  const crash = { behind: 0, ending: new AbortController() };
  const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status });
  const assetOf = ({ id, at }: { readonly id: number; readonly at: number }) => {
    const { name, type } = record.body;
    return { id, name, type, status: 'AWAITING_FILES', dateAdded: new Date(at).toISOString() };
  };
  const existingAssets = () => createdAssets.filter(({ at }) => at <= clock.now());
  const fetch: Fetch = async (url, init) => {
    const { pathname } = new URL(String(url));
    if (init?.method !== 'POST' && pathname === '/v1/assets')
      return canList
        ? json({ items: existingAssets().map(assetOf) })
        : json({ code: 'Forbidden', message: 'no' }, 403);
    if (init?.method !== 'POST') return json(assetOf({ id: 1, at: 0 }));
    const { answerMs, madeMs } = kinds[Math.min(requestedAt.length, kinds.length - 1)] as Creation;
    if (requestedAt.push(clock.now()) === crash.behind) crash.ending.abort();
    const asset = { id: 70_000 + requestedAt.length, at: clock.now() + (madeMs ?? 0) };
    if (madeMs !== null) createdAssets.push(asset);
    if (answerMs === null) throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') });
    await clock.sleep(answerMs, init.signal ?? undefined);
    const keys = { accessKey: 'a', secretAccessKey: 's', sessionToken: 't' };
    return json({
      assetMetadata: assetOf(asset),
      uploadLocation: { bucket: 'b', prefix: `sources/${asset.id}/`, ...keys },
      onComplete: { method: 'POST', url: `/v1/assets/${asset.id}/uploadComplete`, fields: {} },
    });
  };
  return { fetch, requestedAt, made: createdAssets, crash };
}

/** A job that creates its asset at this service; `again` restarts it on the same journal. */
function creatingJob(kinds: readonly Creation[], canList = true) {
  const clock = virtualClock();
  const service = fakeService(clock, kinds, canList);
  const journal = openJournal(':memory:');
  journal.addJob(record);
  journal.append(record.id, { kind: 'started', at: clock.now() });
  const api = createServiceClient({
    ...{ address, clock, fetch: service.fetch },
    bearer: async () => 'token',
    onInvalidCredentials: null,
  });
  const deps = {
    ...{ journal, clock, log: silentLog, grants: createUploadGrants(memoryVault()) },
    ...{ random: () => 0.5, credentialLifeMs: 60 * minute, isOurAsset: journal.isOurAsset },
    serviceFor: () => api,
    prepareUpload: () => {},
    forecast: () => null,
    scanInPages: async () => ({ links: 0, doubtful: [] }),
  } as unknown as JobCollaborators;
  const load = () => new LiveJob(record, journal.events(record.id), { journal, clock, onChange: () => {} });
  /** Returns the code of the error for the user's decision, or null if the asset exists. */
  async function run(job: LiveJob, endController = new AbortController()): Promise<string | null> {
    const signals = { signal: endController.signal, lastSignal: new AbortController().signal };
    try {
      await createStep(job, deps, signals);
      return null;
    } catch (error) {
      if (!(error instanceof TileliftError)) throw error;
      job.apply({ kind: 'failed', error: toErrorRecord(error) });
      return error.code;
    }
  }
  const reportedAssets = () =>
    saidLines(historyOf(journal.events(record.id))).flatMap(
      ({ text }) => /^Asset (\d+) was left behind/.exec(text)?.[1] ?? [],
    );
  const gaps = () => service.requestedAt.slice(1).map((at, index) => at - (service.requestedAt[index] ?? 0));
  return { ...service, load, run, named: reportedAssets, gaps };
}

const lostCreation: Creation = { answerMs: null, madeMs: 0 };

it.each([32 * second, 40 * second, 4 * minute])(
  'creating at a slow service: creates one asset when the answer takes %i ms',
  async (answerMs) => {
    const {
      run,
      load,
      made: createdAssets,
      named: reportedAssets,
    } = creatingJob([{ answerMs, madeMs: answerMs }]);
    const job = load();
    expect(await run(job)).toBeNull();
    expect(job.state.kind).toBe('uploading');
    expect(createdAssets).toHaveLength(1);
    expect(reportedAssets()).toEqual([]);
  },
);

it.each([
  ['before the asset is there', 90 * second],
  ['after the asset is there', 0],
])(
  'creating at a service whose answers are always lost: creates two assets minutes apart, names them and asks after %s',
  async (_, madeMs) => {
    const {
      run,
      load,
      made: createdAssets,
      named: reportedAssets,
    } = creatingJob([{ answerMs: null, madeMs }]);
    expect(await run(load())).toBe('creation-unanswered');
    expect(createdAssets).toHaveLength(2);
    expect(reportedAssets()).toEqual(createdAssets.map(({ id }) => String(id)));
  },
);

it('creating at a service whose answers are always lost: waits minutes before the second attempt after leaving an asset behind', async () => {
  const { run, load, gaps } = creatingJob([lostCreation]);
  await run(load());
  expect(gaps().every((gap) => gap >= 4 * minute)).toBe(true);
});

it('creating at a service whose answers are always lost: creates two more assets for each retry that the user requests', async () => {
  const { run, load, made: createdAssets, named: reportedAssets } = creatingJob([lostCreation]);
  await run(load());
  const job = load();
  job.apply({ kind: 'tried-again' });
  expect(await run(job)).toBe('creation-unanswered');
  expect(createdAssets).toHaveLength(4);
  expect(reportedAssets()).toHaveLength(4);
});

it.each([1, 2])(
  'creating at a service whose answers are always lost: creates no third asset after a crash following request %i',
  async (request) => {
    const { run, load, made: createdAssets, gaps, crash } = creatingJob([lostCreation]);
    crash.behind = request;
    await expect(run(load(), crash.ending)).rejects.toThrow('aborted');
    expect(createdAssets).toHaveLength(request);
    expect(await run(load())).toBe('creation-unanswered');
    expect(createdAssets).toHaveLength(2);
    expect(gaps().every((gap) => gap >= 4 * minute)).toBe(true);
  },
);

it('creating at a service whose answers are always lost: creates two assets if the token can’t list assets', async () => {
  const { run, load, made: createdAssets, gaps } = creatingJob([lostCreation], false);
  expect(await run(load())).toBe('creation-unanswered');
  expect(createdAssets).toHaveLength(2);
  expect(gaps().every((gap) => gap >= 4 * minute)).toBe(true);

  const job = load();
  job.apply({ kind: 'tried-again' });
  expect(await run(job)).toBe('creation-unanswered');
  expect(createdAssets).toHaveLength(4);
});

it('creating at a service that discards requests whose answer is lost: retries at growing intervals until the asset exists', async () => {
  const noCreation: Creation = { answerMs: null, madeMs: null };
  const {
    run,
    load,
    made: createdAssets,
    named: reportedAssets,
    gaps,
  } = creatingJob([...Array(6).fill(noCreation), { answerMs: 1, madeMs: 1 }]);
  expect(await run(load())).toBeNull();
  expect(createdAssets).toHaveLength(1);
  expect(reportedAssets()).toEqual([]);
  expect(gaps()[0]).toBeLessThan(minute);
  expect(
    gaps()
      .slice(1)
      .every((gap) => gap > minute),
  ).toBe(true);
});
