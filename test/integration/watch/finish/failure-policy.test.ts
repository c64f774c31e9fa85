import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TileliftError } from '../../../../main/errors.ts';
import { jpeg } from '../../../deliveries/data.ts';
import { saidLines } from '../../../said.ts';
import type { FaultAction } from '../../../service/model.ts';
import { startEmbeddedService } from '../../../service/start-service.ts';
import { serviceApi } from '../../jobs/house.ts';
import { type FixtureOptions, movableClock, openWatchFixture, type WatchFixture } from '../fixture.ts';

const hourMs = 60 * 60_000;
let fixture: WatchFixture;
const open = async (options?: FixtureOptions) => {
  fixture = await openWatchFixture(options);
  return fixture;
};
afterEach(() => fixture.close());

const failed = ({ state }: { state: string }) => state === 'failed';
const forRetry = ({ why }: { why: string }) => why.includes('Next try in');
const creations = () =>
  fixture.service.control.requests().filter(({ method, path }) => method === 'POST' && path === '/v1/assets');

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
    fixture.service.control.addFault({
      match: { room: 'api', path: 'uploadComplete', times: 1_000 },
      action: refused,
    });
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    const waiting = await fixture.untilSource(rule, 'Kai', forRetry);
    expect(waiting).toMatchObject({ state: 'waiting', error: { code: 'request-refused' } });
    expect(fixture.watch.rules()[0]?.counts).toMatchObject({ waiting: 1, underWay: 0, failed: 0 });

    fixture.service.control.clearFaults();
    clock.move(60_000);
    await fixture.untilComplete(rule, 'Kai');
    expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
    expect(creations()).toHaveLength(1);
    expect([...fixture.watch.receipts(rule.id)]).toHaveLength(1);
  });

  it('increases the retry delay with each failure, across a restart', async () => {
    const clock = movableClock();
    await open({ clock });
    fixture.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$', times: 1_000 },
      action: refused,
    });
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    const delays: number[] = [];
    for (let failures = 1; failures <= 3; failures++) {
      await expect
        .poll(() => fixture.ledger().find(rule.id, 'Kai'))
        .toMatchObject({ state: 'waits-for-retry', retries: failures });
      const { retryAt = 0, endedAt = 0 } = fixture.ledger().find(rule.id, 'Kai') ?? {};
      delays.push(Math.round(((retryAt ?? 0) - (endedAt ?? 0)) / 10_000));
      if (failures === 2) await fixture.restart();
      clock.move((retryAt ?? 0) - clock.now() + 1);
    }
    expect(delays[1]).toBeGreaterThan(delays[0] ?? 0);
    expect(delays[2]).toBeGreaterThan(delays[1] ?? 0);
    fixture.service.control.clearFaults();
    await fixture.watch.act(rule.id, 'Kai', 'try-again');
    await fixture.untilComplete(rule, 'Kai');
  });

  it('continues with the same job when a person retries it in the list of uploads', async () => {
    const clock = movableClock();
    await open({ clock });
    fixture.service.control.addFault({
      match: { room: 'api', path: 'uploadComplete', times: 1_000 },
      action: refused,
    });
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    const { jobId } = await fixture.untilSource(rule, 'Kai', forRetry);
    fixture.service.control.clearFaults();
    fixture.service.control.addFault({
      match: { room: 'api', path: 'uploadComplete' },
      action: { kind: 'hold' },
    });
    await fixture.jobs.act(jobId ?? '', 'try-again');
    expect(fixture.watch.sources(rule.id)[0]).toMatchObject({ state: 'under-way', jobId });
    clock.move(hourMs);
    fixture.watch.rescanAll('the test');
    await fixture.write({ 'Next/a.jpg': 1_000 });
    await fixture.untilComplete(rule, 'Next');
    fixture.service.control.clearFaults();
    await fixture.untilComplete(rule, 'Kai');
    expect(fixture.statuses().toSorted()).toEqual(['Kai COMPLETE', 'Next COMPLETE']);
  });

  it('uploads a renamed source with a new job, since the old one can’t follow it', async () => {
    const clock = movableClock();
    await open({ clock });
    fixture.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$', times: 1_000 },
      action: refused,
    });
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    await fixture.untilSource(rule, 'Kai', forRetry);
    await rename(join(fixture.incoming, 'Kai'), join(fixture.incoming, 'Kai_2'));
    await fixture.untilSource(rule, 'Kai_2', forRetry);
    fixture.service.control.clearFaults();
    clock.move(hourMs);
    await fixture.untilComplete(rule, 'Kai_2');
    expect(fixture.statuses()).toEqual(['Kai_2 COMPLETE']);
  });
});

describe('a source that the service rejects', () => {
  it('waits for a person after ERROR and creates no second asset by itself', async () => {
    const clock = movableClock();
    await open({ clock });
    fixture.service.control.setTiling({ end: 'ERROR' });
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    const last = await fixture.untilSource(rule, 'Kai', failed);
    expect(last.why).toContain('Waiting for you');
    clock.move(48 * hourMs);
    fixture.service.control.setTiling({ end: 'COMPLETE' });
    await fixture.write({ 'Next/a.jpg': 1_000 });
    await fixture.untilComplete(rule, 'Next');
    expect(fixture.statuses()).toEqual(['Kai ERROR', 'Next COMPLETE']);
  });
});

describe('a source with expired credentials', () => {
  /** Expires the credentials of each asset during the upload of its first object. */
  async function expireEveryUpload(): Promise<void> {
    await open();
    fixture.service.control.addFault({
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
    const rule = await fixture.rule({ whenExpired: 'wait' });
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    const source = await fixture.untilSource(rule, 'Kai', failed);
    expect(source).toMatchObject({
      error: { code: 'credentials-expired' },
      actions: ['try-again', 'dismiss'],
    });
    fixture.service.control.clearFaults();
    await fixture.watch.act(rule.id, 'Kai', 'try-again');
    await fixture.untilComplete(rule, 'Kai');
    expect(creations()).toHaveLength(2);
  });

  it('starts an expired upload again, at most once, if the rule says so', async () => {
    await expireEveryUpload();
    const rule = await fixture.rule({ whenExpired: 'start-again' });
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    await fixture.untilSource(rule, 'Kai', failed);
    expect(fixture.statuses()).toEqual(Array(2).fill('Kai AWAITING_FILES'));
    fixture.watch.rescanAll('the test');
    fixture.service.control.clearFaults();
    await fixture.write({ 'Next/a.jpg': 1_000 });
    await fixture.untilComplete(rule, 'Next');
    expect(creations()).toHaveLength(3);
  });
});

describe('a source that may outlast its credentials', () => {
  /** Assumes 1 kB/s, so that 100 kB takes 100 s while credentials live for 50 s. */
  async function openSlow(): Promise<void> {
    await open({ jobOptions: { credentialLifeMs: 50_000 } });
    fixture.journal().addSpeed('me', { bytes: 1_000_000, files: 0, ms: 1_000_000 });
  }

  it('waits for confirmation of a too long upload while others continue', async () => {
    await openSlow();
    const rule = await fixture.rule({ whenTooLong: 'hold' });
    await fixture.write({ 'Large/a.jpg': 100_000, 'Small/a.jpg': 1_000 });
    const large = await fixture.untilSource(rule, 'Large', ({ why }) =>
      why.includes('Needs your confirmation'),
    );
    await fixture.untilComplete(rule, 'Small');
    expect(fixture.statuses()).toEqual(['Small COMPLETE']);
    await fixture.jobs.act(large.jobId ?? '', 'confirm');
    await fixture.untilComplete(rule, 'Large');
  });

  it('uploads a too long source without confirmation if the rule says so', async () => {
    await openSlow();
    const rule = await fixture.rule({ whenTooLong: 'upload' });
    await fixture.write({ 'Large/a.jpg': 100_000 });
    await fixture.untilComplete(rule, 'Large');
  });
});

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
  await fixture.write(Object.fromEntries(names.map((name) => [`${name}/a.jpg`, 100])));
  const rule = await fixture.rule({ accountId: 'away' });
  await expect.poll(() => fixture.watch.rules()[0]?.counts).toMatchObject({ underWay: 20, waiting: 5 });
  await fixture.untilSource(rule, 'Scan_10', ({ why }) => why === 'Waiting for you to sign in');

  const other = join(fixture.folder, 'other');
  await mkdir(join(other, 'Kai'), { recursive: true });
  await writeFile(join(other, 'Kai', 'a.jpg'), jpeg());
  const second = await fixture.rule({ folder: other });
  await fixture.untilComplete(second, 'Kai');
  expect(fixture.watch.rules()[0]?.counts).toMatchObject({ underWay: 20, waiting: 5, failed: 0 });

  await fixture.restart();
  isSignedIn = true;
  fixture.jobs.wake('away');
  for (const name of names) await fixture.untilComplete(rule, name);
  expect(fixture.statuses().toSorted()).toEqual(
    ['Kai COMPLETE', ...names.map((name) => `${name} COMPLETE`)].toSorted(),
  );
}, 90_000);

it('announces no retry of a source that was deleted during its upload', async () => {
  await open();
  const { service, incoming, jobs, watch } = fixture;
  service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'status', status: 503 },
  });
  const rule = await fixture.rule();
  await fixture.write({ 'Kai/a.jpg': 1_000 });
  await fixture.untilSource(rule, 'Kai', ({ jobId }) => jobs.get(jobId ?? '')?.status === 'uploading');
  await rm(join(incoming, 'Kai'), { recursive: true });
  service.control.clearFaults();
  const endLine = await vi.waitFor(() => {
    const line = saidLines(watch.activity(rule.id)).find(({ text }) => text.startsWith('Kai failed'));
    return line?.text ?? expect.unreachable();
  });
  expect(endLine).toMatch(/It is no longer in the folder\.$/);
  await vi.waitFor(() => expect(watch.rules()[0]?.counts).toMatchObject({ failed: 0, waiting: 0 }));
});

describe('a person’s action on a job', () => {
  it('makes a source wait for a person after its job is cancelled and removed', async () => {
    await open();
    fixture.service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 1_000 },
      action: { kind: 'hold' },
    });
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    const { jobId } = await fixture.untilSource(
      rule,
      'Kai',
      ({ jobId }) => fixture.jobs.get(jobId ?? '')?.status === 'uploading',
    );
    await fixture.jobs.act(jobId ?? '', 'cancel');
    fixture.service.control.clearFaults();
    const source = await fixture.untilSource(rule, 'Kai', failed);
    expect(source).toMatchObject({
      why: expect.stringContaining('Waiting for you'),
      actions: ['try-again', 'dismiss'],
    });
    await fixture.jobs.act(jobId ?? '', 'remove');
    await fixture.restart();
    await fixture.write({ 'Next/a.jpg': 1_000 });
    await fixture.untilComplete(rule, 'Next');
    expect(fixture.watch.sources(rule.id).find(({ path }) => path === 'Kai')?.state).toBe('failed');
    await fixture.watch.act(rule.id, 'Kai', 'try-again');
    await fixture.untilComplete(rule, 'Kai');
  });

  it('creates no second asset when a person retries a complete source', async () => {
    await open();
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    await fixture.untilComplete(rule, 'Kai');
    await fixture.watch.act(rule.id, 'Kai', 'try-again');
    expect(fixture.watch.sources(rule.id)[0]?.state).toBe('complete');
  });
});
