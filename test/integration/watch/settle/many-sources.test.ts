import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { jpeg } from '../../../deliveries/data.ts';
import { startEmbeddedService } from '../../../service/start-service.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';

const fixtures: WatchFixture[] = [];
async function open(options?: Parameters<typeof openWatchFixture>[0]): Promise<WatchFixture> {
  const fixture = await openWatchFixture(options);
  fixtures.push(fixture);
  return fixture;
}
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.close();
});

const namesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `Scan_${String(index).padStart(3, '0')}`);
const patience = { timeout: 220_000, interval: 100 };

it('creates 60 assets from a burst of 60 folders with at most twenty jobs in the queue', async () => {
  const fixture = await open();
  const rule = await fixture.rule();
  const names = namesOf(60);
  let maxAhead = 0;
  fixture.jobs.onChange(() => {
    const ahead = fixture.jobs
      .list()
      .filter(({ status }) => status === 'queued' || status === 'creating' || status === 'uploading');
    maxAhead = Math.max(maxAhead, ahead.length);
  });
  // Hold the uploads so that jobs queue up, however fast they would be.
  fixture.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'hold' },
  });
  await fixture.write(Object.fromEntries(names.map((name) => [`${name}/a.jpg`, 200])));
  await expect.poll(() => maxAhead, patience).toBe(20);
  fixture.service.control.clearFaults();
  await expect
    .poll(() => fixture.watch.rules()[0]?.counts, patience)
    .toMatchObject({ complete: 60, underWay: 0, waiting: 0, settling: 0, failed: 0 });
  expect(maxAhead).toBe(20);
  expect(fixture.statuses().toSorted()).toEqual(names.map((name) => `${name} COMPLETE`));
  expect([...fixture.watch.receipts(rule.id)]).toHaveLength(60);
}, 240_000);

describe('several computers that watch one folder', () => {
  async function openTwo(count: number, staleLeaseMs: number) {
    const service = await startEmbeddedService({ tilingMs: 30 });
    const incoming = await mkdtemp(join(tmpdir(), 'tilelift-shared-'));
    onTestFinished(async () => {
      await service.stop();
      await rm(incoming, { recursive: true, force: true });
    });
    const timing = { renewLeaseMs: 200, staleLeaseMs };
    const one = await open({ service, incoming, timing });
    const other = await open({ service, incoming, timing });
    const names = namesOf(count);
    for (const name of names) {
      await mkdir(join(incoming, name));
      await writeFile(join(incoming, name, 'a.jpg'), jpeg(name));
    }
    return { service, one, other, names };
  }
  const complete = (fixture: WatchFixture) => fixture.watch.rules()[0]?.counts.complete ?? 0;

  it('let one of three computers create 200 assets while the others stand by', async () => {
    const { service, one, other, names } = await openTwo(200, 60_000);
    const third = await open({ service, incoming: one.incoming, timing: { renewLeaseMs: 200 } });
    const all = [one, other, third];
    await Promise.all(all.map((fixture) => fixture.rule({ shared: true })));
    await expect.poll(() => all.reduce((sum, fixture) => sum + complete(fixture), 0), patience).toBe(200);
    expect(one.statuses().toSorted()).toEqual(names.map((name) => `${name} COMPLETE`));
    expect(all.map(complete).toSorted((a, b) => a - b)).toEqual([0, 0, 200]);
    const standing = all.filter((fixture) => fixture.watch.rules()[0]?.state === 'standing-by');
    expect(standing.map((fixture) => fixture.watch.rules()[0]?.notice)).toEqual(
      Array(2).fill(expect.objectContaining({ code: 'watch-standing-by', subject: 'office-1' })),
    );
  }, 240_000);

  it('give up uploads that another computer completed after a takeover', async () => {
    const { service, one, other, names } = await openTwo(30, 3_000);
    service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 10_000 },
      action: { kind: 'hold' },
    });
    const rule = await one.rule({ shared: true });
    await expect.poll(() => one.watch.rules()[0]?.counts.underWay, patience).toBe(20);
    await expect.poll(() => one.statuses().length, patience).toBeGreaterThan(0);
    await one.stop();
    service.control.clearFaults();
    await other.rule({ shared: true });
    await expect.poll(() => complete(other), patience).toBe(30);

    await one.restart();
    expect(one.watch.rules()[0]?.counts.underWay).toBe(0);
    expect(one.jobs.list().filter(({ endedAt }) => endedAt === null)).toEqual([]);
    await other.stop();
    await expect
      .poll(() => one.watch.sources(rule.id).filter(({ state }) => state === 'skipped').length, patience)
      .toBe(30);
    const done = one.statuses().filter((status) => status.endsWith('COMPLETE'));
    expect(done.toSorted()).toEqual(names.map((name) => `${name} COMPLETE`));
  }, 240_000);

  it('don’t take over while the rule of another computer is edited', async () => {
    const { service, one, other } = await openTwo(1, 1_000);
    service.control.addFault({ match: { room: 'storage', method: 'PUT' }, action: { kind: 'hold' } });
    const rule = await one.rule({ shared: true });
    await one.untilSource(rule, 'Scan_000', ({ state }) => state === 'under-way');
    await one.watch.save({ ...rule, name: 'Renamed' }, true);
    await one.watch.setOn(rule.id, false);
    await other.rule({ shared: true });
    const standby = () => other.watch.rules()[0]?.state;
    await expect.poll(standby, patience).toBe('standing-by');
    // Long enough to take over an unrenewed lease.
    const until = Date.now() + 2_000;
    await expect.poll(() => Date.now(), patience).toBeGreaterThan(until);
    expect(standby()).toBe('standing-by');
    service.control.clearFaults();
    await one.untilComplete(rule, 'Scan_000');
    // The rule is off and its job is complete, so the other computer watches.
    await expect.poll(standby, patience).toBe('watching');
    expect(one.statuses()).toEqual(['Scan_000 COMPLETE']);
  }, 60_000);
});
