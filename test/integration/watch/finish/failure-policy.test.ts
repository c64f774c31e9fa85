import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { TileliftError } from '../../../../main/errors.ts';
import { jpeg } from '../../../deliveries/data.ts';
import type { FaultAction } from '../../../service/model.ts';
import { startEmbeddedService } from '../../../service/start-service.ts';
import { serviceApi } from '../../jobs/house.ts';
import { type HouseOptions, movableClock, openWatchHouse, type WatchHouse } from '../house.ts';

const hourMs = 60 * 60_000;
let house: WatchHouse;
const open = async (options?: HouseOptions) => {
  house = await openWatchHouse(options);
  return house;
};
afterEach(() => house.close());

const failed = ({ state }: { state: string }) => state === 'failed';
const forRetry = ({ why }: { why: string }) => why.includes('Next attempt in');
const creations = () =>
  house.service.control.requests().filter(({ method, path }) => method === 'POST' && path === '/v1/assets');

/** A refusal in the service’s format; the job itself retries after any other response. */
const refused: FaultAction = {
  kind: 'status',
  status: 400,
  body: JSON.stringify({ code: 'InvalidRequest', message: 'Not like this.' }),
};

describe('a source with a retryable failure', () => {
  it('continues with its existing asset after the retry delay', async () => {
    const clock = movableClock();
    await open({ clock });
    house.service.control.addFault({
      match: { room: 'api', path: 'uploadComplete', times: 1_000 },
      action: refused,
    });
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 1_000 });
    const waiting = await house.untilSource(rule, 'Kai', forRetry);
    expect(waiting).toMatchObject({ state: 'waiting', error: { code: 'request-refused' } });
    expect(house.watch.rules()[0]?.counts).toMatchObject({ waiting: 1, underWay: 0, failed: 0 });

    house.service.control.clearFaults();
    clock.move(60_000);
    await house.untilComplete(rule, 'Kai');
    expect(house.statuses()).toEqual(['Kai COMPLETE']);
    expect(creations()).toHaveLength(1);
    expect([...house.watch.receipts(rule.id)]).toHaveLength(1);
  });

  it('increases the retry delay with each failure, across a restart', async () => {
    const clock = movableClock();
    await open({ clock });
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$', times: 1_000 },
      action: refused,
    });
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 1_000 });
    const delays: number[] = [];
    for (let failures = 1; failures <= 3; failures++) {
      await expect
        .poll(() => house.ledger().find(rule.id, 'Kai'))
        .toMatchObject({
          state: 'waits-for-retry',
          retries: failures,
        });
      const { retryAt = 0, endedAt = 0 } = house.ledger().find(rule.id, 'Kai') ?? {};
      delays.push(Math.round(((retryAt ?? 0) - (endedAt ?? 0)) / 10_000));
      if (failures === 2) await house.restart();
      clock.move((retryAt ?? 0) - clock.now() + 1);
    }
    expect(delays[1]).toBeGreaterThan(delays[0] ?? 0);
    expect(delays[2]).toBeGreaterThan(delays[1] ?? 0);
    house.service.control.clearFaults();
    await house.watch.act(rule.id, 'Kai', 'try-again');
    await house.untilComplete(rule, 'Kai');
  });

  it('continues with the same job when a person retries it in the list of uploads', async () => {
    const clock = movableClock();
    await open({ clock });
    house.service.control.addFault({
      match: { room: 'api', path: 'uploadComplete', times: 1_000 },
      action: refused,
    });
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 1_000 });
    const { jobId } = await house.untilSource(rule, 'Kai', forRetry);
    house.service.control.clearFaults();
    house.service.control.addFault({
      match: { room: 'api', path: 'uploadComplete' },
      action: { kind: 'hold' },
    });
    await house.jobs.act(jobId ?? '', 'try-again');
    expect(house.watch.sources(rule.id)[0]).toMatchObject({ state: 'under-way', jobId });
    clock.move(hourMs);
    house.watch.lookAgain('the test');
    await house.write({ 'Next/a.jpg': 1_000 });
    await house.untilComplete(rule, 'Next');
    house.service.control.clearFaults();
    await house.untilComplete(rule, 'Kai');
    expect(house.statuses().toSorted()).toEqual(['Kai COMPLETE', 'Next COMPLETE']);
  });

  it('omits a missing source from the counts and retries it when it returns', async () => {
    const clock = movableClock();
    await open({ clock });
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$', times: 1_000 },
      action: refused,
    });
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 1_000 });
    await house.untilSource(rule, 'Kai', forRetry);
    await rename(join(house.incoming, 'Kai'), join(house.folder, 'Kai'));
    clock.move(hourMs);
    await expect.poll(() => house.watch.sources(rule.id), { timeout: 20_000 }).toEqual([]);
    expect(house.watch.rules()[0]?.counts).toMatchObject({ waiting: 0, failed: 0 });
    house.service.control.clearFaults();
    await rename(join(house.folder, 'Kai'), join(house.incoming, 'Kai'));
    await house.untilComplete(rule, 'Kai');
  });

  it('uploads a renamed source with a new job, since the old one can’t follow it', async () => {
    const clock = movableClock();
    await open({ clock });
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$', times: 1_000 },
      action: refused,
    });
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 1_000 });
    await house.untilSource(rule, 'Kai', forRetry);
    await rename(join(house.incoming, 'Kai'), join(house.incoming, 'Kai_2'));
    await house.untilSource(rule, 'Kai_2', forRetry);
    house.service.control.clearFaults();
    clock.move(hourMs);
    await house.untilComplete(rule, 'Kai_2');
    expect(house.statuses()).toEqual(['Kai_2 COMPLETE']);
  });
});

describe('a source that the service rejects', () => {
  it('waits for a change after DATA_ERROR, then creates another asset', async () => {
    await open();
    house.service.control.setTiling({ end: 'DATA_ERROR', error: 'No positions' });
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 1_000 });
    const first = await house.untilSource(rule, 'Kai', failed);
    expect(first.why).toContain('Will retry when the file changes');
    house.service.control.setTiling({ end: 'COMPLETE' });
    await house.write({ 'Kai/a.jpg': 2_000 });
    const second = await house.untilComplete(rule, 'Kai');
    expect(second.assetId).not.toBe(first.assetId);
    expect(house.statuses()).toEqual(['Kai DATA_ERROR', 'Kai COMPLETE']);
    expect([...house.watch.receipts(rule.id)].map(({ outcome }) => outcome)).toEqual([
      'complete',
      'data-error',
    ]);
  });

  it('waits for a person after ERROR and creates no second asset by itself', async () => {
    const clock = movableClock();
    await open({ clock });
    house.service.control.setTiling({ end: 'ERROR' });
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 1_000 });
    const last = await house.untilSource(rule, 'Kai', failed);
    expect(last.why).toContain('Waiting for you');
    clock.move(48 * hourMs);
    house.service.control.setTiling({ end: 'COMPLETE' });
    await house.write({ 'Next/a.jpg': 1_000 });
    await house.untilComplete(rule, 'Next');
    expect(house.statuses()).toEqual(['Kai ERROR', 'Next COMPLETE']);
  });
});

describe('a source with expired credentials', () => {
  /** Expires the credentials of each asset during the upload of its first object. */
  async function expireEveryUpload(): Promise<void> {
    await open();
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 1_000 },
      action: {
        kind: 'status',
        status: 400,
        body: '<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>',
      },
    });
  }

  it('waits for a person after its credentials expired if the rule says so', async () => {
    await expireEveryUpload();
    const rule = await house.rule({ whenExpired: 'wait' });
    await house.write({ 'Kai/a.jpg': 1_000 });
    const source = await house.untilSource(rule, 'Kai', failed);
    expect(source).toMatchObject({
      error: { code: 'credentials-expired' },
      actions: ['try-again', 'dismiss'],
    });
    house.service.control.clearFaults();
    await house.watch.act(rule.id, 'Kai', 'try-again');
    await house.untilComplete(rule, 'Kai');
    expect(creations()).toHaveLength(2);
  });

  it('starts an expired upload again, at most once, if the rule says so', async () => {
    await expireEveryUpload();
    const rule = await house.rule({ whenExpired: 'start-again' });
    await house.write({ 'Kai/a.jpg': 1_000 });
    await house.untilSource(rule, 'Kai', failed);
    expect(house.statuses()).toEqual(Array(2).fill('Kai AWAITING_FILES'));
    house.watch.lookAgain('the test');
    house.service.control.clearFaults();
    await house.write({ 'Next/a.jpg': 1_000 });
    await house.untilComplete(rule, 'Next');
    expect(creations()).toHaveLength(3);
  });
});

describe('a source that may outlast its credentials', () => {
  /** Assumes 1 kB/s, so that 100 kB takes 100 s while credentials live for 50 s. */
  async function openSlow(): Promise<void> {
    await open({ jobOptions: { credentialLifeMs: 50_000 } });
    house.journal().addSpeed('me', { bytes: 1_000_000, files: 0, ms: 1_000_000 });
  }

  it('waits for confirmation of a too long upload while others continue', async () => {
    await openSlow();
    const rule = await house.rule({ whenTooLong: 'hold' });
    await house.write({ 'Large/a.jpg': 100_000, 'Small/a.jpg': 1_000 });
    const large = await house.untilSource(rule, 'Large', ({ why }) =>
      why.includes('Needs your confirmation'),
    );
    await house.untilComplete(rule, 'Small');
    expect(house.statuses()).toEqual(['Small COMPLETE']);
    await house.jobs.act(large.jobId ?? '', 'confirm');
    await house.untilComplete(rule, 'Large');
  });

  it('uploads a too long source without confirmation if the rule says so', async () => {
    await openSlow();
    const rule = await house.rule({ whenTooLong: 'upload' });
    await house.write({ 'Large/a.jpg': 100_000 });
    await house.untilComplete(rule, 'Large');
  });
});

describe('a signed-out account', () => {
  it('keeps the sources of a signed-out account queued and delays no other account', async () => {
    const service = await startEmbeddedService({ tilingMs: 30 });
    onTestFinished(() => service.stop());
    let isSignedIn = false;
    const serviceFor = (accountId: string) => {
      if (accountId === 'away' && !isSignedIn) throw new TileliftError('not-signed-in');
      return serviceApi(service);
    };
    await open({ service, jobOptions: { accounts: { serviceFor } } });
    const names = Array.from({ length: 25 }, (_, index) => `Scan_${index + 10}`);
    await house.write(Object.fromEntries(names.map((name) => [`${name}/a.jpg`, 100])));
    const rule = await house.rule({ accountId: 'away' });
    await expect.poll(() => house.watch.rules()[0]?.counts).toMatchObject({ underWay: 20, waiting: 5 });
    await house.untilSource(rule, 'Scan_10', ({ why }) => why === 'Waiting for you to sign in');

    const other = join(house.folder, 'other');
    await mkdir(join(other, 'Kai'), { recursive: true });
    await writeFile(join(other, 'Kai', 'a.jpg'), jpeg());
    const second = await house.rule({ folder: other });
    await house.untilComplete(second, 'Kai');
    expect(house.watch.rules()[0]?.counts).toMatchObject({ underWay: 20, waiting: 5, failed: 0 });

    await house.restart();
    isSignedIn = true;
    house.jobs.wake('away');
    for (const name of names) await house.untilComplete(rule, name);
    expect(house.statuses().toSorted()).toEqual(
      ['Kai COMPLETE', ...names.map((name) => `${name} COMPLETE`)].toSorted(),
    );
  }, 90_000);
});

describe('a person’s action on a job', () => {
  it('makes a source wait for a person after its job is cancelled and removed', async () => {
    await open();
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 1_000 },
      action: { kind: 'hold' },
    });
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 1_000 });
    const { jobId } = await house.untilSource(
      rule,
      'Kai',
      ({ jobId }) => house.jobs.get(jobId ?? '')?.status === 'uploading',
    );
    await house.jobs.act(jobId ?? '', 'cancel');
    house.service.control.clearFaults();
    const source = await house.untilSource(rule, 'Kai', failed);
    expect(source).toMatchObject({
      why: expect.stringContaining('Waiting for you'),
      actions: ['try-again', 'dismiss'],
    });
    await house.jobs.act(jobId ?? '', 'remove');
    await house.restart();
    await house.write({ 'Next/a.jpg': 1_000 });
    await house.untilComplete(rule, 'Next');
    expect(house.watch.sources(rule.id).find(({ path }) => path === 'Kai')?.state).toBe('failed');
    await house.watch.act(rule.id, 'Kai', 'try-again');
    await house.untilComplete(rule, 'Kai');
  });

  it('creates no second asset when a person retries a complete source', async () => {
    await open();
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 1_000 });
    await house.untilComplete(rule, 'Kai');
    await house.watch.act(rule.id, 'Kai', 'try-again');
    expect(house.watch.sources(rule.id)[0]?.state).toBe('complete');
  });
});
