import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { saidLines } from '../../../said.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';

const patience = { timeout: 20_000, interval: 20 };

async function open(): Promise<WatchFixture> {
  const fixture = await openWatchFixture();
  onTestFinished(() => fixture.close());
  return fixture;
}

/** Waits until the edited rule has scanned its folder and nothing is pending. */
const untilQuiet = (fixture: WatchFixture) =>
  expect
    .poll(() => {
      const [rule] = fixture.watch.rules();
      return rule?.lastLookAt !== null && rule?.state === 'watching' && rule.counts;
    }, patience)
    .toMatchObject({ settling: 0, waiting: 0, underWay: 0 });

describe('an edited rule', () => {
  it('keeps a settling source while its patterns change', async () => {
    const fixture = await open();
    const files = (...patterns: readonly string[]) => ({ unit: { kind: 'files', patterns } }) as const;
    const rule = await fixture.rule({ ...files('*.jpg'), settleSeconds: 3 });
    await fixture.write({ 'b.jpg': 100 });
    await fixture.untilSource(rule, 'b.jpg', ({ state }) => state === 'settling');
    await fixture.watch.save({ ...rule, ...files('*.jpg', '*.jpeg') }, false);
    await fixture.untilComplete(rule, 'b.jpg');
  });

  it('skips existing sources that it newly includes if the person chooses so', async () => {
    const fixture = await open();
    await fixture.write({ 'Kai/a.jpg': 10, 'Old_1/a.jpg': 11, 'Old_2/a.jpg': 12 });
    const rule = await fixture.rule({ ignore: ['/Old_*'] });
    await fixture.untilComplete(rule, 'Kai');
    const edited = { ...rule, ignore: [] };
    expect(await fixture.watch.dryRun(edited)).toMatchObject({ newlyTaken: 2 });
    expect(await fixture.watch.dryRun({ ...rule, name: 'Other' })).toMatchObject({ newlyTaken: 0 });

    await fixture.watch.save(edited, false);
    await untilQuiet(fixture);
    expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
    const lines = saidLines(fixture.watch.activity(rule.id)).map(({ text }) => text);
    expect(lines).toContain('2 sources that are already in the folder aren’t uploaded until they change.');
    await fixture.write({ 'Old_3/a.jpg': 13 });
    await fixture.untilComplete(rule, 'Old_3');
    expect(fixture.statuses()).toEqual(['Kai COMPLETE', 'Old_3 COMPLETE']);
  });

  it('uploads existing sources that it newly includes if the person chooses so', async () => {
    const fixture = await open();
    await fixture.write({ 'Kai/a.jpg': 10, 'Old_1/a.jpg': 11 });
    const rule = await fixture.rule({ ignore: ['/Old_*'] });
    await fixture.untilComplete(rule, 'Kai');
    await fixture.watch.save({ ...rule, ignore: [] }, true);
    await fixture.untilComplete(rule, 'Old_1');
  });

  it('creates no second asset from a finished source that only the new patterns change', async () => {
    const fixture = await open();
    await fixture.write({ 'Kai/a.jpg': 10, 'Kai/log.txt': 5, 'Ufer/a.jpg': 11, 'Ufer/log.txt': 6 });
    const rule = await fixture.rule();
    await Promise.all([fixture.untilComplete(rule, 'Kai'), fixture.untilComplete(rule, 'Ufer')]);
    const edited = { ...rule, ignore: ['log.txt'] };
    expect(await fixture.watch.dryRun(edited)).toMatchObject({ newlyTaken: 2 });
    await fixture.watch.save(edited, false);
    await untilQuiet(fixture);
    expect(fixture.watch.rules()[0]?.counts).toMatchObject({ complete: 2, held: 0 });
    expect(fixture.assets()).toHaveLength(2);
  });

  it('creates no second asset from an upload under way that only the new patterns change', async () => {
    const fixture = await open();
    fixture.service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 10_000 },
      action: { kind: 'hold' },
    });
    await fixture.write({ 'Kai/a.jpg': 10, 'Kai/log.txt': 5 });
    const rule = await fixture.rule();
    await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'under-way');
    await fixture.watch.save({ ...rule, ignore: ['log.txt'] }, false);
    fixture.service.control.clearFaults();
    await fixture.untilComplete(rule, 'Kai');
    await fixture.write({ 'Neu/a.jpg': 12 });
    await fixture.untilComplete(rule, 'Neu');
    await untilQuiet(fixture);
    expect(fixture.statuses()).toEqual(['Kai COMPLETE', 'Neu COMPLETE']);
    // A later change counts as new.
    await fixture.write({ 'Kai/b.jpg': 13 });
    await expect.poll(() => fixture.statuses(), { timeout: 60_000 }).toHaveLength(3);
  }, 90_000);

  it('uploads a pending source although the new patterns change it', async () => {
    const fixture = await open();
    const rule = await fixture.rule({ on: false });
    await fixture.write({ 'Kai/a.jpg': 10, 'Kai/log.txt': 5 });
    await fixture.watch.save({ ...rule, ignore: ['log.txt'], on: true }, false);
    await fixture.untilComplete(rule, 'Kai');
  });

  it('uploads sources that were pending before the edit and skips those it newly includes', async () => {
    const fixture = await open();
    const rule = await fixture.rule({ ignore: ['/Old_*'], on: false });
    await fixture.write({ 'Kai/a.jpg': 10, 'Old_1/a.jpg': 11 });
    await fixture.watch.save({ ...rule, ignore: [], on: true }, false);
    await fixture.untilComplete(rule, 'Kai');
    await untilQuiet(fixture);
    expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
  });
});

describe('a rule that replaces a removed one', () => {
  it('recognizes the sources that the removed rule uploaded', async () => {
    const fixture = await open();
    await fixture.write({ 'Kai/a.jpg': 10, 'Ufer/a.jpg': 11 });
    const rule = await fixture.rule();
    await Promise.all([fixture.untilComplete(rule, 'Kai'), fixture.untilComplete(rule, 'Ufer')]);
    fixture.watch.remove(rule.id);
    await fixture.restart();
    await fixture.write({ 'Neu/a.jpg': 12 });
    const again = { ...rule, id: 'made again' };
    expect(await fixture.watch.dryRun(again)).toMatchObject({ wouldBeTaken: 1, known: 2 });
    await fixture.watch.save(again, true);
    await fixture.untilComplete(again, 'Neu');
    await untilQuiet(fixture);
    expect(fixture.statuses().toSorted()).toEqual(['Kai COMPLETE', 'Neu COMPLETE', 'Ufer COMPLETE']);
    expect(fixture.watch.rules()[0]?.counts.complete).toBe(3);
  });

  it('announces in a dry run which sources it compares because they were touched', async () => {
    const fixture = await open();
    await fixture.write({ 'Kai/a.jpg': 10, 'Ufer/a.jpg': 11 });
    const rule = await fixture.rule();
    await Promise.all([fixture.untilComplete(rule, 'Kai'), fixture.untilComplete(rule, 'Ufer')]);
    fixture.watch.remove(rule.id);
    await utimes(join(fixture.incoming, 'Kai/a.jpg'), 1e9, 1e9);
    const run = await fixture.watch.dryRun({ ...rule, id: 'made again' });
    expect(run).toMatchObject({ wouldBeTaken: 0, known: 1, compared: 1 });
    expect(run.sources.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['Kai', 'would-be-compared'],
      ['Ufer', 'known'],
    ]);
  });

  it('follows the jobs of the removed rule to their end', async () => {
    const fixture = await open();
    fixture.service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 10_000 },
      action: { kind: 'hold' },
    });
    await fixture.write({ 'Kai/a.jpg': 10 });
    const rule = await fixture.rule();
    await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'under-way');
    fixture.watch.remove(rule.id);
    const again = { ...rule, id: 'made again' };
    await fixture.watch.save(again, true);
    fixture.service.control.clearFaults();
    await fixture.untilComplete(again, 'Kai');
    expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
  });

  it('ignores the history of a removed rule with another unit', async () => {
    const fixture = await open();
    await fixture.write({ 'Kai/a.tif': 10_000 });
    const rule = await fixture.rule();
    await fixture.untilComplete(rule, 'Kai');
    fixture.watch.remove(rule.id);
    const other = { ...rule, id: 'of files', unit: { kind: 'files', patterns: ['*.tif'] } as const };
    expect(await fixture.watch.dryRun(other)).toMatchObject({ wouldBeTaken: 1, known: 0 });
  });
});
