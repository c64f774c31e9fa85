import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobSnapshot } from '../../../../../main/jobs/model.ts';
import { jpeg } from '../../../../deliveries/data.ts';
import { saidLines, saidSource } from '../../../../said.ts';
import { movableClock, openWatchFixture, type WatchFixture } from '../../fixture.ts';

const clock = movableClock({ movesElapsed: true });
let fixture: WatchFixture;
beforeEach(async () => {
  fixture = await openWatchFixture({ clock, jobOptions: { parallelParts: 1 } });
});
afterEach(() => fixture.close());

const away = () => `${fixture.incoming}-away`;
const unplug = () => rename(fixture.incoming, away());
const plugIn = () => rename(away(), fixture.incoming);

const hold = () =>
  fixture.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'hold' },
  });
const letGo = () => fixture.service.control.clearFaults();
const puts = () =>
  fixture.service.control.requests().filter(({ room, method }) => room === 'storage' && method === 'PUT')
    .length;

const job = (index = -1): JobSnapshot | undefined => [...fixture.jobs.list()].reverse().at(index);
const untilWaits = () =>
  expect.poll(() => job()?.waitingFor ?? job()?.status, { timeout: 20_000 }).toBe('source');
const codes = (id = '') =>
  saidLines(fixture.jobs.history(id)).filter(({ text }) => text.includes('can’t be reached')).length;

/** Waits until a file of the source is on its way to storage, where it stays. */
async function untilHeld(before: number): Promise<void> {
  await expect.poll(puts, { timeout: 20_000 }).toBeGreaterThan(before);
}

/** Removes the drive while a file is on its way. */
async function goMidUpload(): Promise<void> {
  hold();
  await fixture.write({ 'Kai/a.jpg': 9_000, 'Kai/b.jpg': 8_000, 'Kai/c.jpg': 7_000, 'Kai/d.jpg': 6_000 });
  await untilHeld(0);
  await unplug();
  letGo();
  await untilWaits();
}

describe('a drive that disappears during an upload', () => {
  it('leaves one complete asset after a drive disappears and returns six times', async () => {
    const rule = await fixture.rule();
    await goMidUpload();
    for (let flaps = 1; flaps < 6; flaps++) {
      const before = puts();
      hold();
      await plugIn();
      await untilHeld(before);
      await unplug();
      letGo();
      await untilWaits();
    }
    await plugIn();
    await fixture.untilComplete(rule, 'Kai');
    expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
    expect(fixture.jobs.list()).toHaveLength(1);
    expect(codes(job()?.id)).toBe(1);
  });

  it('keeps a job waiting for its drive with its parts, without blocking the queue', async () => {
    const rule = await fixture.rule();
    await goMidUpload();
    const kept = job();
    expect(kept).toMatchObject({ status: 'uploading', actions: ['pause', 'cancel'] });
    expect(fixture.watch.sources(rule.id).map(saidSource)[0]).toMatchObject({
      state: 'under-way',
      why: 'Waiting for its drive or folder',
    });
    const other = join(fixture.folder, 'other');
    await mkdir(other);
    const elsewhere = await fixture.rule({ folder: other, unit: { kind: 'entries' } });
    await fixture.write({ '../other/Ost/a.jpg': 100 });
    await fixture.untilComplete(elsewhere, 'Ost');
    expect(job(0)).toMatchObject({ waitingFor: 'source', assetId: kept?.assetId });
    await plugIn();
    await fixture.untilComplete(rule, 'Kai');
    expect(fixture.statuses()).toEqual(['Kai COMPLETE', 'Ost COMPLETE']);
  });

  it('keeps a dropped folder waiting for its drive too, even across a restart', async () => {
    hold();
    await fixture.write({ 'Kai/a.jpg': 9_000, 'Kai/b.jpg': 8_000 });
    const body = { name: 'Kai', type: '3DTILES', options: { sourceType: '3D_CAPTURE' } } as const;
    const paths = [join(fixture.incoming, 'Kai')];
    const id = fixture.jobs.add({ accountId: 'me', paths, body, acceptForecast: false });
    await untilHeld(0);
    await unplug();
    letGo();
    await untilWaits();
    await fixture.restart();
    await untilWaits();
    await plugIn();
    await expect.poll(() => fixture.jobs.get(id)?.status, { timeout: 20_000 }).toBe('complete');
    expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
  });

  it('creates another asset if the credentials expire while the drive is missing', async () => {
    const rule = await fixture.rule({ whenExpired: 'start-again' });
    await goMidUpload();
    clock.move(61 * 60_000);
    await expect.poll(() => job(0)?.status, { timeout: 20_000 }).toBe('expired');
    expect(job(0)?.error?.code).toBe('credentials-expired');
    await plugIn();
    await fixture.untilComplete(rule, 'Kai');
    expect(fixture.statuses()).toEqual(['Kai AWAITING_FILES', 'Kai COMPLETE']);
  });

  it('leaves an expired upload to a person if the rule says so', async () => {
    const rule = await fixture.rule({ whenExpired: 'wait' });
    await goMidUpload();
    clock.move(61 * 60_000);
    await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'failed');
    await plugIn();
    expect(fixture.statuses()).toEqual(['Kai AWAITING_FILES']);
  });

  it('doesn’t delay quitting while a drive is missing', async () => {
    await fixture.rule();
    await goMidUpload();
    const began = performance.now();
    await fixture.stop();
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('ends the upload if the drive returns with another file in place', async () => {
    await fixture.rule();
    await goMidUpload();
    await writeFile(join(away(), 'Kai', 'd.jpg'), jpeg('another'));
    await plugIn();
    await expect.poll(() => job(0)?.error?.code, { timeout: 20_000 }).toBe('source-changed');
  });
});

describe('a file that disappears while its folder stays', () => {
  it('ends the upload of a removed file as a changed source', async () => {
    await fixture.rule();
    hold();
    await fixture.write({ 'Kai/a.jpg': 9_000, 'Kai/b.jpg': 8_000 });
    await untilHeld(0);
    await rm(join(fixture.incoming, 'Kai'), { recursive: true });
    letGo();
    await expect.poll(() => job()?.error?.code, { timeout: 20_000 }).toBe('source-changed');
  });
});

it('pauses and resumes an upload that waits for its drive', async () => {
  const rule = await fixture.rule();
  await goMidUpload();
  const id = job()?.id ?? '';
  await fixture.jobs.act(id, 'pause');
  await plugIn();
  expect(fixture.jobs.get(id)).toMatchObject({ status: 'paused', waitingFor: null });
  await fixture.jobs.act(id, 'resume');
  await fixture.untilComplete(rule, 'Kai');
  expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
});
