import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';

let fixture: WatchFixture;
afterEach(() => fixture.close());

const flight = { 'Kai/a.jpg': 1_000, 'Kai/b.jpg': 2_000, 'Kai/c.jpg': 3_000 };
const isHeld = ({ state }: { readonly state: string }) => state === 'held';

/** Completes a flight under a rule that asks about changes. */
async function finished(): Promise<WatchRule> {
  fixture = await openWatchFixture();
  const rule = await fixture.rule({ whenChanged: 'hold' });
  await fixture.write(flight);
  await fixture.untilComplete(rule, 'Kai');
  return rule;
}

/** Adds a file older than all others, so that the rule learns no settle time from it. */
async function addOlderFile(name: string): Promise<void> {
  const elsewhere = `${fixture.incoming}-older`;
  await writeFile(elsewhere, '0123456789');
  await utimes(elsewhere, 1, 1);
  await rename(elsewhere, join(fixture.incoming, name));
}

/** Completes a later source, after which all automatic work of the rule is done. */
async function settleDown(rule: WatchRule, marker: string): Promise<void> {
  await fixture.write({ [`${marker}/a.jpg`]: 500 });
  // A watch rests after a scan unless another one is requested.
  fixture.watch.rescanAll('the test');
  await fixture.untilComplete(rule, marker);
}

describe('a finished source that changes', { timeout: 60_000 }, () => {
  it('holds a changed source across a restart until a person chooses', async () => {
    const rule = await finished();
    await rm(join(fixture.incoming, 'Kai/c.jpg'));
    const words = '1 file was removed or excluded: c.jpg. Nothing is uploaded until you choose.';
    const held = await fixture.untilSource(rule, 'Kai', (source) => isHeld(source) && source.why === words);
    expect(held).toMatchObject({
      files: 2,
      actions: ['leave-it', 'make-asset'],
      assetId: expect.any(Number),
    });
    await settleDown(rule, 'Later');
    expect(fixture.watch.rules()[0]?.counts).toMatchObject({ held: 1, complete: 2 });
    await fixture.restart();
    await fixture.untilSource(rule, 'Kai', isHeld);
    await settleDown(rule, 'Latest');
    expect(fixture.statuses()).toEqual(['Kai COMPLETE', 'Later COMPLETE', 'Latest COMPLETE']);
  });

  it('leaves a changed source on request and asks again after its next change', async () => {
    const rule = await finished();
    await addOlderFile('Kai/d.jpg');
    await fixture.untilSource(rule, 'Kai', isHeld);
    await fixture.watch.act(rule.id, 'Kai', 'leave-it');
    await fixture.untilComplete(rule, 'Kai');
    await fixture.restart();
    await settleDown(rule, 'Later');
    expect(fixture.watch.rules()[0]?.counts).toMatchObject({ held: 0, complete: 2 });
    await addOlderFile('Kai/e.jpg');
    fixture.watch.rescanAll('the test');
    await fixture.untilSource(rule, 'Kai', isHeld);
    expect(fixture.statuses()).toEqual(['Kai COMPLETE', 'Later COMPLETE']);
  });

  it('creates another asset on request, even if Tilelift ends before creating it', async () => {
    const rule = await finished();
    const first = await fixture.untilComplete(rule, 'Kai');
    await addOlderFile('Kai/d.jpg');
    await fixture.untilSource(rule, 'Kai', isHeld);
    await fixture.watch.act(rule.id, 'Kai', 'make-asset');
    await fixture.restart();
    await fixture.untilSource(
      rule,
      'Kai',
      ({ state, jobId }) => state === 'complete' && jobId !== first.jobId,
    );
    await addOlderFile('Kai/e.jpg');
    fixture.watch.rescanAll('the test');
    await fixture.untilSource(rule, 'Kai', isHeld);
    expect(fixture.statuses()).toEqual(['Kai COMPLETE', 'Kai COMPLETE']);
  });
});
