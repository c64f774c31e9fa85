import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { anyFile } from '../../../deliveries/data.ts';
import { type HouseOptions, openWatchHouse, type WatchHouse } from '../house.ts';

const hourMs = 3_600_000;
/** Time of every file in an archive. */
const zipTime = Date.parse('2024-11-21T09:00:00Z');

const houses: WatchHouse[] = [];
afterEach(async () => {
  for (const one of houses.splice(0).toReversed()) await one.close();
});
async function open(options?: HouseOptions): Promise<WatchHouse> {
  const house = await openWatchHouse(options);
  houses.push(house);
  return house;
}

/** Delivers a folder with one photo at once, with this time. */
async function deliver(house: WatchHouse, name: string, content: Uint8Array, mtimeMs = zipTime) {
  const staged = join(house.folder, 'staged', name);
  await mkdir(staged, { recursive: true });
  await writeFile(join(staged, 'a.jpg'), content);
  await utimes(join(staged, 'a.jpg'), mtimeMs / 1000, mtimeMs / 1000);
  await rename(staged, join(house.incoming, name));
}
const takeAway = (house: WatchHouse, name: string) =>
  rm(join(house.incoming, name), { recursive: true, force: true });
/** Replaces the photo in one step. */
async function replace(house: WatchHouse, name: string, content: Uint8Array, mtimeMs = zipTime) {
  await writeFile(join(house.folder, 'next'), content);
  await utimes(join(house.folder, 'next'), mtimeMs / 1000, mtimeMs / 1000);
  await rename(join(house.folder, 'next'), join(house.incoming, name, 'a.jpg'));
}
const photo = () => anyFile('a.jpg', 2_000);

/** Completes a later source to prove that nothing else is left to pick up. */
async function settled(house: WatchHouse, rule: WatchRule, name: string): Promise<void> {
  await lookThrough(house);
  await deliver(house, name, anyFile('a.jpg', 100));
  await house.untilComplete(rule, name);
  await lookThrough(house);
}
async function lookThrough(house: WatchHouse): Promise<void> {
  const before = house.watch.rules()[0]?.lastLookAt ?? 0;
  house.watch.lookAgain('the test');
  await expect.poll(() => house.watch.rules()[0]?.lastLookAt ?? 0).toBeGreaterThan(before);
}

const assetsOf = (house: WatchHouse, name: string) => house.assets().filter((asset) => asset.name === name);

describe('other content of the same size', { timeout: 60_000 }, () => {
  it('uploads a new tile, although a removed one has its size and archive time', async () => {
    const house = await open();
    const rule = await house.rule();
    await deliver(house, 'Tile_1', photo());
    await house.untilComplete(rule, 'Tile_1');
    await takeAway(house, 'Tile_1');
    await lookThrough(house);
    await deliver(house, 'Tile_2', photo());
    await house.untilComplete(rule, 'Tile_2');
    expect(house.statuses()).toEqual(['Tile_1 COMPLETE', 'Tile_2 COMPLETE']);
  });

  it('detects changed content that is exactly an hour newer', async () => {
    const house = await open();
    const rule = await house.rule({ whenChanged: 'new-asset' });
    await deliver(house, 'Hourly', photo());
    await house.untilComplete(rule, 'Hourly');
    await replace(house, 'Hourly', photo(), zipTime + hourMs);
    await expect.poll(() => house.statuses(), { timeout: 20_000 }).toHaveLength(2);
  });

  it('detects changed content with the same time', async () => {
    const house = await open();
    const rule = await house.rule({ whenChanged: 'new-asset' });
    await deliver(house, 'Tile', photo());
    await house.untilComplete(rule, 'Tile');
    await replace(house, 'Tile', photo());
    await expect.poll(() => house.statuses(), { timeout: 20_000 }).toHaveLength(2);
  });

  it('keeps a source in place that was replaced during tiling', async () => {
    const house = await open({ serviceSettings: { tilingMs: 1_500 } });
    const rule = await house.rule({ whenChanged: 'leave', afterSuccess: { kind: 'move', folder: 'done' } });
    await deliver(house, 'Tile', photo());
    await house.untilSource(rule, 'Tile', ({ why }) => why.startsWith('Tiling'));
    await replace(house, 'Tile', photo());
    await house.untilComplete(rule, 'Tile');
    await settled(house, rule, 'Last');
    expect(await readdir(join(house.incoming, 'Tile'))).toEqual(['a.jpg']);
    expect(house.ledger().find(rule.id, 'Tile')?.movedTo).toBeNull();
    expect(house.ledger().find(rule.id, 'Last')?.movedTo).not.toBeNull();
  });
});

describe('the same content', { timeout: 60_000 }, () => {
  it('creates no second asset after a rename, a new time, a return or a shift by an hour', async () => {
    const house = await open();
    const rule = await house.rule({ whenChanged: 'new-asset' });
    const content = photo();
    await deliver(house, 'Flight', content);
    await deliver(house, 'Other', photo());
    await house.untilComplete(rule, 'Flight');
    await house.untilComplete(rule, 'Other');

    await rename(join(house.incoming, 'Flight'), join(house.incoming, 'Flight_2'));
    await house.untilComplete(rule, 'Flight_2');
    for (const time of [Date.now(), zipTime + hourMs]) {
      for (const name of ['Flight_2', 'Other'])
        await utimes(join(house.incoming, name, 'a.jpg'), time / 1000, time / 1000);
      await settled(house, rule, `Last ${time}`);
      await house.untilComplete(rule, 'Flight_2');
      expect(house.ledger().find(rule.id, 'Flight_2')?.newestMs).toBe(Math.floor(time));
    }
    await takeAway(house, 'Flight_2');
    await lookThrough(house);
    await deliver(house, 'Flight_2', content, Date.now());
    await settled(house, rule, 'Last');
    await house.untilComplete(rule, 'Flight_2');
    expect(house.statuses()).toHaveLength(5);
  });
});

describe('the successor of another computer', { timeout: 60_000 }, () => {
  it('uploads other content of the same size and time after the other computer is gone', async () => {
    const retired = await open();
    const { service, incoming } = retired;
    const content = photo();
    const rule = await retired.rule({ shared: true });
    await deliver(retired, 'Tile', content);
    await deliver(retired, 'Kept', photo());
    await retired.untilComplete(rule, 'Tile');
    await retired.untilComplete(rule, 'Kept');
    await retired.stop();
    await replace(retired, 'Tile', photo());

    const successor = await open({ service, incoming });
    const its = await successor.rule({ shared: true });
    await successor.untilComplete(its, 'Tile');
    await successor.untilSource(its, 'Kept', ({ state }) => state === 'skipped');
    expect(assetsOf(successor, 'Tile')).toHaveLength(2);
    expect(assetsOf(successor, 'Kept')).toHaveLength(1);
  });
});
