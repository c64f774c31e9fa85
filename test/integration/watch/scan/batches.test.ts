import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { saidSource } from '../../../said.ts';
import { type HouseOptions, openWatchHouse, type WatchHouse } from '../house.ts';

const together: Partial<WatchRule> = {
  unit: { kind: 'batch' },
  namePattern: '{name} {counter}',
  whenChanged: 'hold',
};

/** Accepts pictures without a coordinate system. */
const imagery = { sourceType: 'RASTER_IMAGERY', assetType: 'IMAGERY', hold: 'never' } as const;

let houses: WatchHouse[] = [];
async function open(options?: HouseOptions): Promise<WatchHouse> {
  const house = await openWatchHouse(options);
  houses.push(house);
  return house;
}
afterEach(async () => {
  for (const house of houses.reverse()) await house.close();
  houses = [];
});

/** Lists the storage keys of each complete asset. */
async function uploaded({ service: { control } }: WatchHouse): Promise<readonly string[]> {
  const assets = control.assets().filter(({ status }) => status === 'COMPLETE');
  return Promise.all(
    assets.map(async ({ id }) => {
      const prefix = `sources/${id}/`;
      return (await control.objects(prefix))
        .map(({ key }) => key.slice(prefix.length))
        .sort()
        .join(' ');
    }),
  );
}

/** Waits until a scan that began after this call has ended. */
async function lookThrough(house: WatchHouse): Promise<void> {
  const lastLookAt = () => Math.max(...house.watch.rules().map((one) => one.lastLookAt ?? 0));
  for (let look = 0; look < 2; look++) {
    const before = lastLookAt();
    house.watch.lookAgain('the test');
    await vi.waitFor(() => expect(lastLookAt()).toBeGreaterThan(before), { timeout: 20_000, interval: 20 });
  }
}

describe('a batch', () => {
  it('creates one asset from files that arrive together, and another from later ones', async () => {
    const house = await open();
    const rule = await house.rule(together);
    await house.write({ 'a.jpg': 100 });
    await house.untilSource(rule, './batch-1', ({ state }) => state === 'settling');
    await house.write({ 'sub/b.jpg': 200 });
    await house.write({ 'c.jpg': 300 });
    await house.untilComplete(rule, './batch-1');
    expect(await uploaded(house)).toEqual(['a.jpg c.jpg sub/b.jpg']);
    await house.write({ 'sub/d.jpg': 400 });
    await house.untilComplete(rule, './batch-2');
    expect(await uploaded(house)).toEqual(['a.jpg c.jpg sub/b.jpg', 'sub/d.jpg']);
    expect(house.statuses()).toEqual(['incoming 001 COMPLETE', 'incoming 002 COMPLETE']);
  });

  it('uploads nothing of a batch twice after a restart', async () => {
    const house = await open();
    const rule = await house.rule(together);
    await house.write({ 'a.jpg': 100, 'b.jpg': 200 });
    await house.untilComplete(rule, './batch-1');
    await house.restart();
    await lookThrough(house);
    await house.write({ 'c.jpg': 300 });
    await house.untilComplete(rule, './batch-2');
    expect(await uploaded(house)).toEqual(['a.jpg b.jpg', 'c.jpg']);
  });

  it('ignores new file times of a batch and holds it when a file changes or disappears', async () => {
    const house = await open();
    const rule = await house.rule(together);
    await house.write({ 'a.jpg': 100, 'b.jpg': 200, 'c.jpg': 300 });
    await house.untilComplete(rule, './batch-1');
    await utimes(join(house.incoming, 'a.jpg'), 1_700_000_000, 1_700_000_000);
    await lookThrough(house);
    await house.untilComplete(rule, './batch-1');
    await house.write({ 'a.jpg': 90 });
    const held = await house.untilSource(rule, './batch-1', ({ state }) => state === 'held');
    await vi.waitFor(() => expect(house.watch.sources(rule.id).map(saidSource)[0]?.why).toContain('a.jpg'));
    await rm(join(house.incoming, 'c.jpg'));
    await house.untilSource(rule, './batch-1', ({ files }) => files === 2);
    expect(held.actions).toEqual(['leave-it', 'make-asset']);
    // New files continue in another batch.
    await house.write({ 'd.jpg': 400 });
    await house.untilComplete(rule, './batch-2');
    await house.watch.act(rule.id, './batch-1', 'leave-it');
    await house.untilComplete(rule, './batch-1');
    await lookThrough(house);
    expect(await uploaded(house)).toEqual(['a.jpg b.jpg c.jpg', 'd.jpg']);
  });

  it('ignores derived files after its end and leaves a lone sidecar to the next batch', async () => {
    const house = await open();
    const rule = await house.rule({ ...together, ...imagery });
    await house.write({ 'a.jpg': 100 });
    await house.untilComplete(rule, './batch-1');
    await house.write({ 'a.jpg.aux.xml': '<PAMDataset/>', 'a.jpg.ovr': 50, 'lone.tfw': '1' });
    await lookThrough(house);
    expect(house.watch.sources(rule.id).map(({ path, state }) => [path, state])).toEqual([
      ['./batch-1', 'complete'],
    ]);
    await house.write({ 'b.jpg': 200 });
    await house.untilComplete(rule, './batch-2');
    expect(await uploaded(house)).toEqual(['a.jpg', 'b.jpg lone.tfw']);
  });

  it('skips a batch until it contains data of the rule’s kind', async () => {
    const house = await open();
    const rule = await house.rule({ ...together, ...imagery });
    await house.write({ 'Lies_mich.txt': 'hello', 'report.pdf': 100 });
    await house.untilSource(rule, './batch-1', ({ state }) => state === 'left-alone');
    await house.write({ 'b.jpg': 200 });
    await house.untilComplete(rule, './batch-1');
    expect(await uploaded(house)).toEqual(['Lies_mich.txt b.jpg report.pdf']);
  });

  it('moves a batch with its folder structure, after which the same names may arrive again', async () => {
    const house = await open();
    const rule = await house.rule({ ...together, afterSuccess: { kind: 'move', folder: 'done' } });
    await house.write({ 'a.jpg': 100, 'sub/b.jpg': 200 });
    const { movedTo } = await house.untilComplete(rule, './batch-1');
    expect(movedTo).toContain(join(house.incoming, 'done'));
    expect((await readdir(join(house.incoming, 'done'), { recursive: true })).sort()).toEqual([
      'a.jpg',
      'sub',
      'sub/b.jpg',
    ]);
    await house.write({ 'a.jpg': 111, 'sub/b.jpg': 222 });
    const second = await house.untilComplete(rule, './batch-2');
    expect(second.movedTo).toMatch(/incoming \d{4}-\d\d-\d\d/);
    expect(await uploaded(house)).toEqual(['a.jpg sub/b.jpg', 'a.jpg sub/b.jpg']);
    expect(await readdir(join(house.incoming, 'sub'))).toEqual([]);
  });

  it('skips a batch that existed before the rule', async () => {
    const house = await open();
    await house.write({ 'a.jpg': 100, 'b.jpg': 200 });
    const rule = await house.rule(together, false);
    await house.write({ 'c.jpg': 300 });
    await house.untilComplete(rule, './batch-2');
    expect(await uploaded(house)).toEqual(['c.jpg']);
    expect(house.watch.sources(rule.id).find(({ path }) => path === './batch-1')?.state).toBe('skipped');
  });
});

it('uploads a later batch while another one waits for a person’s choice', async () => {
  const house = await open();
  const rule = await house.rule({ ...together, kindFrom: 'content', hold: 'never' });
  await house.write({ 'x.dat': 'what is this' });
  await house.untilSource(rule, './batch-1', ({ state }) => state === 'held');
  await house.write({ 'a.jpg': 100, 'b.jpg': 200 });
  await house.untilComplete(rule, './batch-2');
  expect(await uploaded(house)).toEqual(['a.jpg b.jpg']);
  await house.watch.act(rule.id, './batch-1', 'leave-it');
  await house.untilSource(rule, './batch-1', ({ state }) => state === 'skipped');
});

describe('a rule for batches', () => {
  it('skips sources that it uploaded under another unit, even if it includes existing files', async () => {
    const house = await open();
    const rule = await house.rule({ unit: { kind: 'entries' }, whenChanged: 'hold' });
    await house.write({ 'flight/a.jpg': 100, 'b.jpg': 200 });
    await house.untilComplete(rule, 'flight');
    await house.untilComplete(rule, 'b.jpg');
    await house.watch.save({ ...rule, ...together }, true);
    await lookThrough(house);
    await house.write({ 'c.jpg': 300 });
    await house.untilComplete(rule, './batch-1');
    expect([...(await uploaded(house))].sort()).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
    // Earlier sources are still watched for changes.
    await house.write({ 'flight/a.jpg': 90 });
    await house.untilSource(rule, 'flight', ({ state }) => state === 'held');
    expect(house.assets()).toHaveLength(3);
  });

  it('recognizes its batches after it is removed and created again', async () => {
    const house = await open();
    const rule = await house.rule(together);
    await house.write({ 'a.jpg': 100, 'b.jpg': 200 });
    await house.untilComplete(rule, './batch-1');
    house.watch.remove(rule.id);
    const again = await house.rule(together);
    await lookThrough(house);
    await house.write({ 'c.jpg': 300 });
    await house.untilComplete(again, './batch-2');
    expect(await uploaded(house)).toEqual(['a.jpg b.jpg', 'c.jpg']);
  });

  it('lists one asset with all new files in a dry run', async () => {
    const house = await open();
    await house.write({ 'a.jpg': 100, 'sub/b.jpg': 200 });
    const rule = await house.rule({ ...together, on: false }, false);
    const run = await house.watch.dryRun(rule);
    expect(run).toMatchObject({ wouldBeTaken: 0, known: 1 });
    await house.write({ 'c.jpg': 300, 'd.jpg': 400 });
    const more = await house.watch.dryRun(rule);
    expect(more).toMatchObject({ wouldBeTaken: 1, known: 1 });
    expect(more.sources[1]).toMatchObject({ path: './batch-2', files: 2, name: 'incoming 001' });
  });

  it('refuses to wait for a marker with a rule for batches', async () => {
    const house = await open();
    await expect(
      house.rule({ ...together, readyWhen: { kind: 'marker', name: '_SUCCESS' } }),
    ).rejects.toMatchObject({ code: 'watch-marker-for-batch' });
  });
});

describe('two computers on one folder', () => {
  const shared = { ...together, shared: true };

  it('create one asset from each batch, even after a takeover', async () => {
    const timing = { renewLeaseMs: 50, staleLeaseMs: 600 };
    const one = await open({ timing });
    const other = await open({ service: one.service, incoming: one.incoming, timing });
    const rule = await one.rule(shared);
    const theirs = await other.rule(shared);
    await one.write({ 'a.jpg': 100, 'b.jpg': 200 });
    await one.untilComplete(rule, './batch-1');
    await one.stop();
    await other.write({ 'c.jpg': 300 });
    await other.untilSource(theirs, './batch-1', ({ state }) => state === 'skipped');
    await other.untilComplete(theirs, './batch-2');
    await other.stop();
    await one.restart();
    await one.write({ 'd.jpg': 400 });
    await one.untilSource(rule, './batch-2', ({ state }) => state === 'skipped');
    await one.untilComplete(rule, './batch-3');
    expect(await uploaded(one)).toEqual(['a.jpg b.jpg', 'c.jpg', 'd.jpg']);
    expect(one.assets()).toHaveLength(3);
  }, 60_000);

  it('pick up the same names again after the other computer moved the batch away', async () => {
    const moving: Partial<WatchRule> = { ...shared, afterSuccess: { kind: 'move', folder: 'done' } };
    const one = await open();
    const rule = await one.rule(moving);
    await one.write({ 'a.jpg': 100, 'b.jpg': 200 });
    await one.untilSource(rule, './batch-1', ({ movedTo }) => movedTo !== undefined);
    await one.stop();
    const other = await open({ service: one.service, incoming: one.incoming });
    const theirs = await other.rule(moving);
    await other.write({ 'a.jpg': 101, 'b.jpg': 201 });
    await other.untilSource(theirs, './batch-1', ({ movedTo }) => movedTo !== undefined);
    expect(await uploaded(one)).toEqual(['a.jpg b.jpg', 'a.jpg b.jpg']);
    expect(one.assets()).toHaveLength(2);
  }, 60_000);
});
