import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { saidLines } from '../../../said.ts';
import { openWatchHouse, type WatchHouse } from '../house.ts';

const patience = { timeout: 20_000, interval: 20 };

async function open(): Promise<WatchHouse> {
  const house = await openWatchHouse();
  onTestFinished(() => house.close());
  return house;
}

/** Waits until the edited rule has scanned its folder and nothing is pending. */
const untilQuiet = (house: WatchHouse) =>
  expect
    .poll(() => {
      const [rule] = house.watch.rules();
      return rule?.lastLookAt !== null && rule?.state === 'watching' && rule.counts;
    }, patience)
    .toMatchObject({ settling: 0, waiting: 0, underWay: 0 });

describe('an edited rule', () => {
  it('keeps a settling source while its patterns change', async () => {
    const house = await open();
    const files = (...patterns: readonly string[]) => ({ unit: { kind: 'files', patterns } }) as const;
    const rule = await house.rule({ ...files('*.jpg'), settleSeconds: 3 });
    await house.write({ 'b.jpg': 100 });
    await house.untilSource(rule, 'b.jpg', ({ state }) => state === 'settling');
    await house.watch.save({ ...rule, ...files('*.jpg', '*.jpeg') }, false);
    await house.untilComplete(rule, 'b.jpg');
  });

  it('skips existing sources that it newly includes if the person chooses so', async () => {
    const house = await open();
    await house.write({ 'Kai/a.jpg': 10, 'Old_1/a.jpg': 11, 'Old_2/a.jpg': 12 });
    const rule = await house.rule({ ignore: ['/Old_*'] });
    await house.untilComplete(rule, 'Kai');
    const edited = { ...rule, ignore: [] };
    expect(await house.watch.dryRun(edited)).toMatchObject({ newlyTaken: 2 });
    expect(await house.watch.dryRun({ ...rule, name: 'Other' })).toMatchObject({ newlyTaken: 0 });

    await house.watch.save(edited, false);
    await untilQuiet(house);
    expect(house.statuses()).toEqual(['Kai COMPLETE']);
    const lines = saidLines(house.watch.activity(rule.id)).map(({ text }) => text);
    expect(lines).toContain('2 sources that are already in the folder aren’t uploaded until they change.');
    await house.write({ 'Old_3/a.jpg': 13 });
    await house.untilComplete(rule, 'Old_3');
    expect(house.statuses()).toEqual(['Kai COMPLETE', 'Old_3 COMPLETE']);
  });

  it('uploads existing sources that it newly includes if the person chooses so', async () => {
    const house = await open();
    await house.write({ 'Kai/a.jpg': 10, 'Old_1/a.jpg': 11 });
    const rule = await house.rule({ ignore: ['/Old_*'] });
    await house.untilComplete(rule, 'Kai');
    await house.watch.save({ ...rule, ignore: [] }, true);
    await house.untilComplete(rule, 'Old_1');
  });

  it('creates no second asset from a finished source that only the new patterns change', async () => {
    const house = await open();
    await house.write({ 'Kai/a.jpg': 10, 'Kai/log.txt': 5, 'Ufer/a.jpg': 11, 'Ufer/log.txt': 6 });
    const rule = await house.rule();
    await Promise.all([house.untilComplete(rule, 'Kai'), house.untilComplete(rule, 'Ufer')]);
    const edited = { ...rule, ignore: ['log.txt'] };
    expect(await house.watch.dryRun(edited)).toMatchObject({ newlyTaken: 2 });
    await house.watch.save(edited, false);
    await untilQuiet(house);
    expect(house.watch.rules()[0]?.counts).toMatchObject({ complete: 2, held: 0 });
    expect(house.assets()).toHaveLength(2);
  });

  it('creates no second asset from an upload under way that only the new patterns change', async () => {
    const house = await open();
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 10_000 },
      action: { kind: 'hold' },
    });
    await house.write({ 'Kai/a.jpg': 10, 'Kai/log.txt': 5 });
    const rule = await house.rule();
    await house.untilSource(rule, 'Kai', ({ state }) => state === 'under-way');
    await house.watch.save({ ...rule, ignore: ['log.txt'] }, false);
    house.service.control.clearFaults();
    await house.untilComplete(rule, 'Kai');
    await house.write({ 'Neu/a.jpg': 12 });
    await house.untilComplete(rule, 'Neu');
    await untilQuiet(house);
    expect(house.statuses()).toEqual(['Kai COMPLETE', 'Neu COMPLETE']);
    // A later change counts as new.
    await house.write({ 'Kai/b.jpg': 13 });
    await expect.poll(() => house.statuses(), { timeout: 60_000 }).toHaveLength(3);
  }, 90_000);

  it('uploads a pending source although the new patterns change it', async () => {
    const house = await open();
    const rule = await house.rule({ on: false });
    await house.write({ 'Kai/a.jpg': 10, 'Kai/log.txt': 5 });
    await house.watch.save({ ...rule, ignore: ['log.txt'], on: true }, false);
    await house.untilComplete(rule, 'Kai');
  });

  it('uploads sources that were pending before the edit and skips those it newly includes', async () => {
    const house = await open();
    const rule = await house.rule({ ignore: ['/Old_*'], on: false });
    await house.write({ 'Kai/a.jpg': 10, 'Old_1/a.jpg': 11 });
    await house.watch.save({ ...rule, ignore: [], on: true }, false);
    await house.untilComplete(rule, 'Kai');
    await untilQuiet(house);
    expect(house.statuses()).toEqual(['Kai COMPLETE']);
  });
});

describe('a rule that replaces a removed one', () => {
  it('recognizes the sources that the removed rule uploaded', async () => {
    const house = await open();
    await house.write({ 'Kai/a.jpg': 10, 'Ufer/a.jpg': 11 });
    const rule = await house.rule();
    await Promise.all([house.untilComplete(rule, 'Kai'), house.untilComplete(rule, 'Ufer')]);
    house.watch.remove(rule.id);
    await house.restart();
    await house.write({ 'Neu/a.jpg': 12 });
    const again = { ...rule, id: 'made again' };
    expect(await house.watch.dryRun(again)).toMatchObject({ wouldBeTaken: 1, known: 2 });
    await house.watch.save(again, true);
    await house.untilComplete(again, 'Neu');
    await untilQuiet(house);
    expect(house.statuses().toSorted()).toEqual(['Kai COMPLETE', 'Neu COMPLETE', 'Ufer COMPLETE']);
    expect(house.watch.rules()[0]?.counts.complete).toBe(3);
  });

  it('announces in a dry run which sources it compares because they were touched', async () => {
    const house = await open();
    await house.write({ 'Kai/a.jpg': 10, 'Ufer/a.jpg': 11 });
    const rule = await house.rule();
    await Promise.all([house.untilComplete(rule, 'Kai'), house.untilComplete(rule, 'Ufer')]);
    house.watch.remove(rule.id);
    await utimes(join(house.incoming, 'Kai/a.jpg'), 1e9, 1e9);
    const run = await house.watch.dryRun({ ...rule, id: 'made again' });
    expect(run).toMatchObject({ wouldBeTaken: 0, known: 1, compared: 1 });
    expect(run.sources.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['Kai', 'would-be-compared'],
      ['Ufer', 'known'],
    ]);
  });

  it('follows the jobs of the removed rule to their end', async () => {
    const house = await open();
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 10_000 },
      action: { kind: 'hold' },
    });
    await house.write({ 'Kai/a.jpg': 10 });
    const rule = await house.rule();
    await house.untilSource(rule, 'Kai', ({ state }) => state === 'under-way');
    house.watch.remove(rule.id);
    const again = { ...rule, id: 'made again' };
    await house.watch.save(again, true);
    house.service.control.clearFaults();
    await house.untilComplete(again, 'Kai');
    expect(house.statuses()).toEqual(['Kai COMPLETE']);
  });

  it('ignores the history of a removed rule with another unit', async () => {
    const house = await open();
    await house.write({ 'Kai/a.tif': 10_000 });
    const rule = await house.rule();
    await house.untilComplete(rule, 'Kai');
    house.watch.remove(rule.id);
    const other = { ...rule, id: 'of files', unit: { kind: 'files', patterns: ['*.tif'] } as const };
    expect(await house.watch.dryRun(other)).toMatchObject({ wouldBeTaken: 1, known: 0 });
  });
});
