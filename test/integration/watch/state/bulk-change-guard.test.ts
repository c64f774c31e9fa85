import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { unverifiable } from '../../../../main/watch/scan/content.ts';
import { type FixtureOptions, openWatchFixture, type WatchFixture } from '../fixture.ts';

let fixture: WatchFixture;
afterEach(() => fixture.close());

/** Creates finished flights of two files each, a photo and a pilot’s note. */
async function finished(
  count: number,
  change: Partial<WatchRule>,
  options?: FixtureOptions,
): Promise<WatchRule> {
  fixture = await openWatchFixture(options);
  const rule = await fixture.rule(change);
  for (let at = 0; at < count; at++)
    await fixture.write({ [`Flight_${at}/a.jpg`]: 300 + at, [`Flight_${at}/pilot.note`]: `Note ${at}` });
  fixture.watch.rescanAll('the test');
  await expect.poll(() => fixture.watch.rules()[0]?.counts.complete, { timeout: 30_000 }).toBe(count);
  return rule;
}

/** Removes every note. */
async function tidyUp(): Promise<void> {
  for (const name of await readdir(fixture.incoming)) await rm(join(fixture.incoming, name, 'pilot.note'));
  fixture.watch.rescanAll('the test');
}

/** Touches all files and removes the checksums that identify their uploaded content. */
async function touchIncomparable(rule: WatchRule): Promise<void> {
  for (const name of await readdir(fixture.incoming)) {
    fixture.ledger().change(rule.id, name, { content: unverifiable });
    await utimes(join(fixture.incoming, name, 'a.jpg'), new Date(), new Date());
  }
  fixture.watch.rescanAll('the test');
}

const question = () => fixture.watch.rules()[0]?.question ?? null;
const untilAsked = (count: number) =>
  expect.poll(question, { timeout: 20_000 }).toEqual({ why: 'many-changed', count });

/** Completes a later source, after which all automatic work of the rule is done. */
async function settleDown(rule: WatchRule, marker: string): Promise<void> {
  await fixture.write({ [`${marker}/a.jpg`]: 500 });
  fixture.watch.rescanAll('the test');
  await fixture.untilComplete(rule, marker);
}

describe('many finished sources that look changed at once', { timeout: 90_000 }, () => {
  it('creates no new assets when an ignore line is edited, even for few sources', async () => {
    const rule = await finished(3, { whenChanged: 'new-asset' });
    // The preselected answer leaves existing sources as they are.
    await fixture.watch.save({ ...rule, ignore: ['*.note'] }, false);
    await settleDown(rule, 'Later');
    expect(fixture.assets()).toHaveLength(4);
    await expect.poll(() => fixture.watch.rules()[0]?.counts.held).toBe(0);
    expect(question()).toBeNull();
  });

  it('holds changes that can’t be compared, asks once across restarts and uploads new sources', async () => {
    const rule = await finished(5, { whenChanged: 'new-asset' });
    await touchIncomparable(rule);
    await untilAsked(5);
    await settleDown(rule, 'Later');
    await fixture.restart();
    await untilAsked(5);
    await settleDown(rule, 'Latest');
    expect(fixture.assets()).toHaveLength(7);

    await fixture.watch.answer(rule.id, 'leave-all');
    expect(question()).toBeNull();
    await fixture.restart();
    await settleDown(rule, 'Last');
    expect(fixture.watch.rules()[0]?.counts).toMatchObject({ held: 0, complete: 8 });
    expect(fixture.assets()).toHaveLength(8);
    // A single change follows its rule.
    await fixture.write({ 'Flight_0/b.jpg': 10 });
    fixture.watch.rescanAll('the test');
    // A source that grows after its upload settles for longer.
    await fixture.untilSource(rule, 'Flight_0', ({ actions }) => actions.includes('take-now'));
    await fixture.watch.act(rule.id, 'Flight_0', 'take-now');
    await expect.poll(() => fixture.assets().length, { timeout: 20_000 }).toBe(9);
  });

  it('creates an asset from each changed source if a person chooses all', async () => {
    const rule = await finished(4, { whenChanged: 'hold' });
    await tidyUp();
    await untilAsked(4);
    // Their contents were compared, so that each names its change, and the guard has nothing to report.
    await fixture.untilSource(rule, 'Flight_3', ({ why }) => JSON.stringify(why).includes('pilot.note'));
    expect(JSON.stringify(fixture.watch.activity(rule.id))).not.toContain('sources.manyHeld');
    await fixture.watch.answer(rule.id, 'make-all');
    fixture.watch.rescanAll('the test');
    await expect.poll(() => fixture.assets().length, { timeout: 30_000 }).toBe(8);
    await expect.poll(() => fixture.watch.rules()[0]?.counts).toMatchObject({ held: 0 });
  });

  it('holds changed sources until a person chooses them one by one', async () => {
    const rule = await finished(4, { whenChanged: 'hold' });
    await tidyUp();
    await untilAsked(4);
    await fixture.watch.act(rule.id, 'Flight_1', 'leave-it');
    await fixture.restart();
    await settleDown(rule, 'Later');
    await expect.poll(() => fixture.watch.rules()[0]?.counts.held).toBe(3);
    expect(question()).toBeNull();
    expect(fixture.assets()).toHaveLength(5);
  });
});
