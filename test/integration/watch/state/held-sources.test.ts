import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { openWatchHouse, type WatchHouse } from '../house.ts';

let house: WatchHouse;
afterEach(() => house.close());

const flight = { 'Kai/a.jpg': 1_000, 'Kai/b.jpg': 2_000, 'Kai/c.jpg': 3_000 };
const isHeld = ({ state }: { readonly state: string }) => state === 'held';

/** Completes a flight under a rule that asks about changes. */
async function finished(): Promise<WatchRule> {
  house = await openWatchHouse();
  const rule = await house.rule({ whenChanged: 'hold' });
  await house.write(flight);
  await house.untilComplete(rule, 'Kai');
  return rule;
}

/** Adds a file older than all others, so that the rule learns no settle time from it. */
async function addOlderFile(name: string): Promise<void> {
  const elsewhere = `${house.incoming}-older`;
  await writeFile(elsewhere, '0123456789');
  await utimes(elsewhere, 1, 1);
  await rename(elsewhere, join(house.incoming, name));
}

/** Completes a later source, after which all automatic work of the rule is done. */
async function settleDown(rule: WatchRule, marker: string): Promise<void> {
  await house.write({ [`${marker}/a.jpg`]: 500 });
  // A watch rests after a scan unless another one is requested.
  house.watch.lookAgain('the test');
  await house.untilComplete(rule, marker);
}

describe('a finished source that changes', { timeout: 60_000 }, () => {
  it('holds a changed source across a restart until a person chooses', async () => {
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

  it('leaves a changed source on request and asks again after its next change', async () => {
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

  it('creates another asset on request, even if Tilelift ends before creating it', async () => {
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

  it('releases a held source once its files are as before', async () => {
    const rule = await finished();
    await addOlderFile('Kai/d.jpg');
    await house.untilSource(rule, 'Kai', isHeld);
    await rm(join(house.incoming, 'Kai/d.jpg'));
    await house.untilComplete(rule, 'Kai');
    expect(house.watch.rules()[0]?.counts.held).toBe(0);
  });
});
