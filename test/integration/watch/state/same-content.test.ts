import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { anyFile } from '../../../deliveries/data.ts';
import { type FixtureOptions, openWatchFixture, type WatchFixture } from '../fixture.ts';

const hourMs = 3_600_000;
/** Time of every file in an archive. */
const zipTime = Date.parse('2024-11-21T09:00:00Z');

const fixtures: WatchFixture[] = [];
afterEach(async () => {
  for (const one of fixtures.splice(0).toReversed()) await one.close();
});
async function open(options?: FixtureOptions): Promise<WatchFixture> {
  const fixture = await openWatchFixture(options);
  fixtures.push(fixture);
  return fixture;
}

/** Delivers a folder with one photo at once, with this time. */
async function deliver(fixture: WatchFixture, name: string, content: Uint8Array, mtimeMs = zipTime) {
  const staged = join(fixture.folder, 'staged', name);
  await mkdir(staged, { recursive: true });
  await writeFile(join(staged, 'a.jpg'), content);
  await utimes(join(staged, 'a.jpg'), mtimeMs / 1000, mtimeMs / 1000);
  await rename(staged, join(fixture.incoming, name));
}
const takeAway = (fixture: WatchFixture, name: string) =>
  rm(join(fixture.incoming, name), { recursive: true, force: true });
/** Replaces the photo in one step. */
async function replace(fixture: WatchFixture, name: string, content: Uint8Array, mtimeMs = zipTime) {
  await writeFile(join(fixture.folder, 'next'), content);
  await utimes(join(fixture.folder, 'next'), mtimeMs / 1000, mtimeMs / 1000);
  await rename(join(fixture.folder, 'next'), join(fixture.incoming, name, 'a.jpg'));
}
const photo = () => anyFile('a.jpg', 2_000);

/** Completes a later source to prove that nothing else is left to pick up. */
async function settled(fixture: WatchFixture, rule: WatchRule, name: string): Promise<void> {
  await scanAll(fixture);
  await deliver(fixture, name, anyFile('a.jpg', 100));
  await fixture.untilComplete(rule, name);
  await scanAll(fixture);
}
async function scanAll(fixture: WatchFixture): Promise<void> {
  const before = fixture.watch.rules()[0]?.lastLookAt ?? 0;
  fixture.watch.rescanAll('the test');
  await expect.poll(() => fixture.watch.rules()[0]?.lastLookAt ?? 0).toBeGreaterThan(before);
}

describe('other content of the same size', { timeout: 60_000 }, () => {
  it('detects changed content with the same time', async () => {
    const fixture = await open();
    const rule = await fixture.rule({ whenChanged: 'new-asset' });
    await deliver(fixture, 'Tile', photo());
    await fixture.untilComplete(rule, 'Tile');
    await replace(fixture, 'Tile', photo());
    await expect.poll(() => fixture.statuses(), { timeout: 20_000 }).toHaveLength(2);
  });

  it('keeps a source in place that was replaced during tiling', async () => {
    const fixture = await open({ serviceSettings: { tilingMs: 1_500 } });
    const rule = await fixture.rule({ whenChanged: 'leave', afterSuccess: { kind: 'move', folder: 'done' } });
    await deliver(fixture, 'Tile', photo());
    await fixture.untilSource(rule, 'Tile', ({ why }) => why.startsWith('Tiling'));
    await replace(fixture, 'Tile', photo());
    await fixture.untilComplete(rule, 'Tile');
    await settled(fixture, rule, 'Last');
    expect(await readdir(join(fixture.incoming, 'Tile'))).toEqual(['a.jpg']);
    expect(fixture.ledger().find(rule.id, 'Tile')?.movedTo).toBeNull();
    expect(fixture.ledger().find(rule.id, 'Last')?.movedTo).not.toBeNull();
  });
});

describe('the same content', { timeout: 60_000 }, () => {
  it('creates no second asset after a rename, a new time, a return or a shift by an hour', async () => {
    const fixture = await open();
    const rule = await fixture.rule({ whenChanged: 'new-asset' });
    const content = photo();
    await deliver(fixture, 'Flight', content);
    await deliver(fixture, 'Other', photo());
    await fixture.untilComplete(rule, 'Flight');
    await fixture.untilComplete(rule, 'Other');

    await rename(join(fixture.incoming, 'Flight'), join(fixture.incoming, 'Flight_2'));
    await fixture.untilComplete(rule, 'Flight_2');
    for (const time of [Date.now(), zipTime + hourMs]) {
      for (const name of ['Flight_2', 'Other'])
        await utimes(join(fixture.incoming, name, 'a.jpg'), time / 1000, time / 1000);
      await settled(fixture, rule, `Last ${time}`);
      await fixture.untilComplete(rule, 'Flight_2');
      expect(fixture.ledger().find(rule.id, 'Flight_2')?.newestMs).toBe(Math.floor(time));
    }
    await takeAway(fixture, 'Flight_2');
    await scanAll(fixture);
    await deliver(fixture, 'Flight_2', content, Date.now());
    await settled(fixture, rule, 'Last');
    await fixture.untilComplete(rule, 'Flight_2');
    expect(fixture.statuses()).toHaveLength(5);
  });
});
