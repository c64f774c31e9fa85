import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jpeg } from '../../../deliveries/data.ts';
import { saidLines } from '../../../said.ts';
import { zip } from '../../../unit/inspect/formats/sample-files.ts';
import { openWatchHouse, type WatchHouse } from '../house.ts';
import { SlowWriter } from './slow-writer.ts';

const MiB = 1024 * 1024;
let house: WatchHouse;
beforeEach(async () => {
  house = await openWatchHouse();
});
afterEach(() => house.close());

const at = (name: string) => join(house.incoming, name);

/** Bytes of the one object of a source's asset. */
async function bytesOf(assetId: number | null): Promise<number> {
  const objects = await house.service.control.objects(`sources/${assetId}/`);
  return objects.reduce((sum, { size }) => sum + size, 0);
}

/** Another source that arrives now and is complete: everything before it has had time to settle. */
async function waitForAnother(ruleId: string, name: string): Promise<void> {
  await house.write({ [`${name}/a.jpg`]: 100 });
  await expect
    .poll(() => house.watch.sources(ruleId).find(({ path }) => path === name)?.state)
    .toBe('complete');
}

describe('a source that arrives slowly', () => {
  it('is taken once, when its writer has finished', async () => {
    const rule = await house.rule();
    await using writer = new SlowWriter();
    await writer.do({ kind: 'open', path: at('scan.bin'), flags: 'w' });
    for (let piece = 0; piece < 4; piece++) {
      await writer.do({ kind: 'write', byte: piece + 1, length: 10_000, at: null });
      await house.untilSource(rule, 'scan.bin', ({ bytes, state }) => {
        expect(state).toBe('settling');
        return bytes === (piece + 1) * 10_000;
      });
    }
    await writer.do({ kind: 'close' });
    const { assetId } = await house.untilComplete(rule, 'scan.bin');
    expect(await bytesOf(assetId)).toBe(40_000);
    expect(house.statuses()).toEqual(['scan COMPLETE']);
  });

  it('waits while a program that gave it its full size first has it open, however long it pauses', async ({
    skip,
  }) => {
    if (process.platform !== 'linux') skip('only Linux tells which files are open');
    const rule = await house.rule();
    await using writer = new SlowWriter();
    await writer.do({ kind: 'open', path: at('scan.bin'), flags: 'w' });
    await writer.do({ kind: 'truncate', size: 2 * MiB });
    await writer.do({ kind: 'write', byte: 7, length: 2 * MiB, at: 0 });
    await house.untilSource(rule, 'scan.bin', ({ why }) => why.includes('still open in another program'));
    await waitForAnother(rule.id, 'meanwhile');
    await waitForAnother(rule.id, 'later');
    expect(house.statuses()).toEqual(['meanwhile COMPLETE', 'later COMPLETE']);
    await writer.do({ kind: 'write', byte: 8, length: MiB, at: 0 });
    await writer.do({ kind: 'close' });
    const { assetId } = await house.untilComplete(rule, 'scan.bin');
    expect(await bytesOf(assetId)).toBe(2 * MiB);
    expect(house.statuses()).toHaveLength(3);
  });

  it('is not seen under the name that it has while it is copied', async () => {
    const rule = await house.rule();
    await house.write({ 'scan.bin.part': 30_000 });
    await waitForAnother(rule.id, 'meanwhile');
    await rename(at('scan.bin.part'), at('scan.bin'));
    await house.untilComplete(rule, 'scan.bin');
    expect(house.statuses()).toEqual(['meanwhile COMPLETE', 'scan COMPLETE']);
  });

  it('becomes one asset however often a program saves it by renaming while it settles', async () => {
    const rule = await house.rule();
    for (const size of [1_000, 2_000, 3_000]) {
      await house.write({ 'scan.bin.tmp': size });
      await rename(at('scan.bin.tmp'), at('scan.bin'));
      await house.untilSource(rule, 'scan.bin', ({ bytes }) => bytes === size);
    }
    const { assetId } = await house.untilComplete(rule, 'scan.bin');
    expect(await bytesOf(assetId)).toBe(3_000);
    expect(house.statuses()).toHaveLength(1);
  });
});

describe('a source that lacks something', () => {
  it('says that its archive has no end, and is taken when it has', async () => {
    const rule = await house.rule();
    await house.write({ 'tiles.zip': Buffer.alloc(20_000, 1) });
    await house.untilSource(rule, 'tiles.zip', ({ why }) => why.includes('The end of the archive'));
    await writeFile(at('tiles.zip'), zip());
    await house.untilComplete(rule, 'tiles.zip');
    expect(house.statuses()).toEqual(['tiles COMPLETE']);
  });

  it('says which texture its model waits for, and is taken as one asset when that is there', async () => {
    const rule = await house.rule();
    await house.write({ 'tower.obj': 'mtllib tower.mtl\n', 'tower.mtl': 'map_Kd facade.jpg\n' });
    await house.untilSource(rule, 'tower.obj', ({ why }) => why.includes('facade.jpg'));
    await house.write({ 'facade.jpg': jpeg() });
    const source = await house.untilComplete(rule, 'tower.obj');
    expect(source.files).toBe(3);
    expect(house.statuses()).toEqual(['tower COMPLETE']);
  });

  it('is taken anyway when a person does not want to wait', async () => {
    const rule = await house.rule();
    await house.write({ 'tiles.zip': Buffer.alloc(20_000, 1) });
    const waiting = await house.untilSource(rule, 'tiles.zip', ({ why }) =>
      why.includes('The end of the archive'),
    );
    expect(waiting.actions).toEqual(['take-now']);
    await house.watch.act(rule.id, 'tiles.zip', 'take-now');
    await house.untilComplete(rule, 'tiles.zip');
  });

  it('says that it can’t be read, keeps no other from being taken, and is taken when it can be', async () => {
    const rule = await house.rule();
    await house.write({ 'Deep/a.jpg': 100 });
    // A path that is too long for the system stops everyone, root too.
    const below = join(...Array.from({ length: 12 }, () => 'n'.repeat(200)));
    await mkdir(join(house.folder, 'other', below), { recursive: true });
    await mkdir(at(join('Deep', below)), { recursive: true });
    await rename(join(house.folder, 'other'), at(join('Deep', below, 'other')));

    house.watch.lookAgain('the test');
    await house.untilSource(rule, 'Deep', ({ why }) => why.includes('can’t be read'));
    house.watch.lookAgain('the test');
    await waitForAnother(rule.id, 'next');
    expect(house.statuses()).toEqual(['next COMPLETE']);

    const said = saidLines(house.watch.activity(rule.id)).filter(({ text }) =>
      text.endsWith('can’t be read.'),
    );
    expect(said.map(({ text }) => text)).toEqual([expect.stringMatching(/^Deep is waiting: /)]);

    await rename(at(join('Deep', below, 'other')), join(house.folder, 'other'));
    house.watch.lookAgain('the test');
    await house.untilComplete(rule, 'Deep');
  });

  it('whose name no asset can have is said to wait, and keeps no other from being taken', async () => {
    const rule = await house.rule();
    await house.write({ ' /a.jpg': 100 });
    await house.untilSource(rule, ' ', ({ why }) => why.includes('name'));
    await waitForAnother(rule.id, 'next');
    expect(house.statuses()).toEqual(['next COMPLETE']);
  });
});

describe('hints', () => {
  it('of thousands of files in one folder are one look at it', async () => {
    const rule = await house.rule();
    const names = Array.from({ length: 1_500 }, (_, index) => `Kai/${index}.jpg`);
    const files = Object.fromEntries(names.map((name) => [name, jpeg()]));
    await house.write(files);
    const source = await house.untilComplete(rule, 'Kai');
    expect(source.files).toBe(1_500);
    expect(house.statuses()).toEqual(['Kai COMPLETE']);
  });
});
