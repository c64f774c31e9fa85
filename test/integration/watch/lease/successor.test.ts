import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TileliftError } from '../../../../main/errors.ts';
import { jpeg } from '../../../deliveries/data.ts';
import type { Fault } from '../../../service/model.ts';
import { startEmbeddedService } from '../../../service/start-service.ts';
import { serviceApi } from '../../jobs/house.ts';
import { type FixtureOptions, openWatchFixture, type WatchFixture } from '../fixture.ts';

const patience = { timeout: 20_000, interval: 20 };
const timing = { renewLeaseMs: 50, staleLeaseMs: 600 };

/** Opens two computers, `one` and `other`, that watch one folder on the same service. */
async function openTwo(serviceSettings = {}) {
  const service = await startEmbeddedService({ tilingMs: 30, ...serviceSettings });
  const incoming = await mkdtemp(join(tmpdir(), 'tilelift-successor-'));
  onTestFinished(async () => {
    service.control.clearFaults();
    await service.stop();
    await rm(incoming, { recursive: true, force: true });
  });
  const open = async (options: FixtureOptions = {}): Promise<WatchFixture> => {
    const fixture = await openWatchFixture({ service, incoming, timing, ...options });
    onTestFinished(() => fixture.close());
    return fixture;
  };
  return { service, incoming, open, one: await open(), other: await open() };
}

async function marksIn(incoming: string): Promise<readonly Record<string, unknown>[]> {
  const folder = join(incoming, '.tilelift/sources');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))));
}

const noFile: Fault = { match: { room: 'storage', method: 'PUT', times: 10_000 }, action: { kind: 'hold' } };
const noCompletion: Fault = {
  match: { room: 'api', method: 'POST', path: 'uploadComplete', times: 10_000 },
  action: { kind: 'status', status: 503 },
};
describe('the mark of a source', () => {
  it('names the asset in the mark of a source, then confirms that all files are uploaded', async () => {
    const { service, incoming, one } = await openTwo();
    service.control.addFault(noFile);
    service.control.addFault(noCompletion);
    await one.write({ 'Scan/a.jpg': 100 });
    await one.rule({ shared: true });
    await expect.poll(() => one.assets().length, patience).toBe(1);
    await expect
      .poll(() => marksIn(incoming), patience)
      .toMatchObject([{ version: 1, state: 'taken', asset: { id: one.assets()[0]?.id, uploaded: false } }]);
    service.control.clearFaults();
    service.control.addFault(noCompletion);
    await expect.poll(() => marksIn(incoming), patience).toMatchObject([{ asset: { uploaded: true } }]);
  });

  it('records the content of a finished source in its mark for comparison', async () => {
    const { incoming, one } = await openTwo();
    await one.write({ 'Scan/a.jpg': jpeg('abc') });
    const rule = await one.rule({ shared: true });
    await one.untilComplete(rule, 'Scan');
    const { content } = one.ledger().find(rule.id, 'Scan') ?? {};
    expect(await marksIn(incoming)).toMatchObject([
      { state: 'done', asset: { id: one.assets()[0]?.id, uploaded: true }, content },
    ]);
  });

  it('marks finished sources when a folder becomes shared', async () => {
    const { incoming, one, other } = await openTwo();
    await one.write({ 'Scan/a.jpg': 100 });
    const rule = await one.rule();
    await one.untilComplete(rule, 'Scan');
    await one.watch.save({ ...rule, shared: true }, false);
    await expect.poll(() => marksIn(incoming), patience).toMatchObject([{ state: 'done', source: 'Scan' }]);
    await one.stop();
    const theirs = await other.rule({ shared: true });
    await other.untilSource(theirs, 'Scan', ({ state }) => state === 'skipped');
    expect(other.statuses()).toEqual(['Scan COMPLETE']);
  });
});

describe('the successor of a stopped computer', () => {
  it('asks a person if all files are uploaded but the service doesn’t know it', async () => {
    const { service, one, other } = await openTwo();
    service.control.addFault(noCompletion);
    await one.write({ 'Scan/a.jpg': 100 });
    const theirs = await one.rule({ shared: true });
    await one.untilSource(theirs, 'Scan', ({ why }) => why === 'Finishing');
    await expect.poll(() => marksIn(one.incoming), patience).toMatchObject([{ asset: { uploaded: true } }]);
    await one.stop();
    service.control.clearFaults();
    const rule = await other.rule({ shared: true });
    const asked = await other.untilSource(rule, 'Scan', ({ state }) => state === 'failed');
    expect(asked).toMatchObject({ error: { code: 'watch-asset-left' }, actions: ['try-again', 'dismiss'] });
    expect(other.statuses()).toEqual(['Scan AWAITING_FILES']);

    await other.watch.act(rule.id, 'Scan', 'try-again');
    await other.untilComplete(rule, 'Scan');
    expect(other.statuses()).toEqual(['Scan AWAITING_FILES', 'Scan COMPLETE']);
  });
});

describe('data that failed on another computer', () => {
  it('waits for a person or a change before it retries data that failed elsewhere', async () => {
    const { service, incoming, one, other } = await openTwo();
    service.control.setTiling({ end: 'DATA_ERROR', error: 'No positions' });
    await one.write({ 'Scan/a.jpg': 100 });
    const theirs = await one.rule({ shared: true });
    await one.untilSource(theirs, 'Scan', ({ state }) => state === 'failed');
    await expect.poll(() => marksIn(incoming), patience).toMatchObject([{ state: 'failed' }]);

    await one.stop();
    const rule = await other.rule({ shared: true });
    const there = await other.untilSource(rule, 'Scan', ({ state }) => state === 'failed');
    expect(there).toMatchObject({
      error: { code: 'watch-failed-elsewhere' },
      actions: ['try-again', 'dismiss'],
    });
    expect(other.statuses()).toEqual(['Scan DATA_ERROR']);

    service.control.setTiling({ end: 'COMPLETE' });
    await other.write({ 'Scan/b.jpg': 100 });
    await other.untilComplete(rule, 'Scan');
    expect(other.statuses()).toEqual(['Scan DATA_ERROR', 'Scan COMPLETE']);
  });
});

describe('a computer that can’t upload', () => {
  it('stands by while it is signed out, so that another computer watches', async () => {
    const { open, other } = await openTwo();
    const signedOut = await open({ accounts: { isReady: () => false } });
    await other.write({ 'Scan/a.jpg': 100, 'Other/a.jpg': 100 });
    await signedOut.rule({ shared: true });
    await expect.poll(() => signedOut.watch.rules()[0]?.state, patience).toBe('standing-by');
    const rule = await other.rule({ shared: true });
    await Promise.all([other.untilComplete(rule, 'Scan'), other.untilComplete(rule, 'Other')]);
    expect(signedOut.ledger().takenEntries()).toEqual([]);
  });

  it('leaves a source that it can’t start to another computer, without a second asset later', async () => {
    const { service, open, other } = await openTwo();
    let isOffline = true;
    const api = serviceApi(service);
    const createAsset: typeof api.createAsset = async (...wanted) => {
      if (isOffline) throw new TileliftError('service-unreachable', { subject: 'service' });
      return api.createAsset(...wanted);
    };
    const offline = await open({ jobOptions: { accounts: { serviceFor: () => ({ ...api, createAsset }) } } });
    await other.write({ 'Scan/a.jpg': 100 });
    const theirs = await offline.rule({ shared: true });
    await offline.untilSource(theirs, 'Scan', ({ why }) => why.startsWith('Waiting for the service'));
    const rule = await other.rule({ shared: true });
    await other.untilComplete(rule, 'Scan');
    await expect.poll(() => offline.jobs.list(), patience).toEqual([]);
    isOffline = false;
    await other.stop();
    await offline.untilSource(theirs, 'Scan', ({ state }) => state === 'skipped');
    expect(other.statuses()).toEqual(['Scan COMPLETE']);
  });
});
