import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { openWatchHouse, type WatchHouse } from '../house.ts';

let house: WatchHouse;
afterEach(() => house.close());

const flight = { 'Kai/a.jpg': 1_000, 'Kai/b.jpg': 2_000, 'Kai/c.jpg': 3_000 };
const isHeld = ({ state }: { readonly state: string }) => state === 'held';

/** A flight that has become an asset, under a rule that asks. */
async function finished(): Promise<WatchRule> {
  house = await openWatchHouse();
  const rule = await house.rule({ whenChanged: 'hold' });
  await house.write(flight);
  await house.untilComplete(rule, 'Kai');
  return rule;
}

/**
 * A file that is older than all others: the rule learns no pause from it, however long the upload before
 * took.
 */
async function addOlderFile(name: string): Promise<void> {
  const elsewhere = `${house.incoming}-older`;
  await writeFile(elsewhere, '0123456789');
  await utimes(elsewhere, 1, 1);
  await rename(elsewhere, join(house.incoming, name));
}

/** All that the rule would do by itself is done once a source that came later is complete. */
async function settleDown(rule: WatchRule, marker: string): Promise<void> {
  await house.write({ [`${marker}/a.jpg`]: 500 });
  // After a look comes a rest, unless someone asks for another.
  house.watch.lookAgain('the test');
  await house.untilComplete(rule, marker);
}

describe('a finished source that changes', { timeout: 60_000 }, () => {
  it('is held and reported, also after a restart, until a person has chosen', async () => {
    const rule = await finished();
    await rm(join(house.incoming, 'Kai/c.jpg'));
    const words = '1 file was removed or excluded: c.jpg. Nothing is uploaded until you choose.';
    const held = await house.untilSource(rule, 'Kai', (source) => isHeld(source) && source.why === words);
    expect(held).toMatchObject({
      files: 2,
      actions: ['leave-it', 'make-asset'],
      assetId: expect.any(Number),
    });
    await settleDown(rule, 'Later');
    expect(house.watch.rules()[0]?.counts).toMatchObject({ held: 1, complete: 2 });
    await house.restart();
    await house.untilSource(rule, 'Kai', isHeld);
    await settleDown(rule, 'Latest');
    expect(house.statuses()).toEqual(['Kai COMPLETE', 'Later COMPLETE', 'Latest COMPLETE']);
  });

  it('is left as it is where a person says so, and asked about again when it changes once more', async () => {
    const rule = await finished();
    await addOlderFile('Kai/d.jpg');
    await house.untilSource(rule, 'Kai', isHeld);
    await house.watch.act(rule.id, 'Kai', 'leave-it');
    await house.untilComplete(rule, 'Kai');
    await house.restart();
    await settleDown(rule, 'Later');
    expect(house.watch.rules()[0]?.counts).toMatchObject({ held: 0, complete: 2 });
    await addOlderFile('Kai/e.jpg');
    house.watch.lookAgain('the test');
    await house.untilSource(rule, 'Kai', isHeld);
    expect(house.statuses()).toEqual(['Kai COMPLETE', 'Later COMPLETE']);
  });

  it('becomes one more asset where a person says so, also when Tilelift ends before it is made', async () => {
    const rule = await finished();
    const first = await house.untilComplete(rule, 'Kai');
    await addOlderFile('Kai/d.jpg');
    await house.untilSource(rule, 'Kai', isHeld);
    await house.watch.act(rule.id, 'Kai', 'make-asset');
    await house.restart();
    await house.untilSource(rule, 'Kai', ({ state, jobId }) => state === 'complete' && jobId !== first.jobId);
    await addOlderFile('Kai/e.jpg');
    house.watch.lookAgain('the test');
    await house.untilSource(rule, 'Kai', isHeld);
    expect(house.statuses()).toEqual(['Kai COMPLETE', 'Kai COMPLETE']);
  });

  it('is held no longer when it is as it was', async () => {
    const rule = await finished();
    await addOlderFile('Kai/d.jpg');
    await house.untilSource(rule, 'Kai', isHeld);
    await rm(join(house.incoming, 'Kai/d.jpg'));
    await house.untilComplete(rule, 'Kai');
    expect(house.watch.rules()[0]?.counts.held).toBe(0);
  });
});
