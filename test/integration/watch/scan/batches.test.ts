import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { saidSource } from '../../../said.ts';
import { type FixtureOptions, openWatchFixture, type WatchFixture } from '../fixture.ts';

const together: Partial<WatchRule> = {
  unit: { kind: 'batch' },
  namePattern: '{name} {counter}',
  whenChanged: 'hold',
};

/** Accepts pictures without a coordinate system. */
const imagery = { sourceType: 'RASTER_IMAGERY', assetType: 'IMAGERY', hold: 'never' } as const;

let fixtures: WatchFixture[] = [];
async function open(options?: FixtureOptions): Promise<WatchFixture> {
  const fixture = await openWatchFixture(options);
  fixtures.push(fixture);
  return fixture;
}
afterEach(async () => {
  for (const fixture of fixtures.reverse()) await fixture.close();
  fixtures = [];
});

/** Lists the storage keys of each complete asset. */
async function uploaded({ service: { control } }: WatchFixture): Promise<readonly string[]> {
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
async function scanAll(fixture: WatchFixture): Promise<void> {
  const lastLookAt = () => Math.max(...fixture.watch.rules().map((one) => one.lastLookAt ?? 0));
  for (let count = 0; count < 2; count++) {
    const before = lastLookAt();
    fixture.watch.rescanAll('the test');
    await vi.waitFor(() => expect(lastLookAt()).toBeGreaterThan(before), { timeout: 20_000, interval: 20 });
  }
}

describe('a batch', () => {
  it('uploads nothing of a batch twice after a restart', async () => {
    const fixture = await open();
    const rule = await fixture.rule(together);
    await fixture.write({ 'a.jpg': 100, 'b.jpg': 200 });
    await fixture.untilComplete(rule, './batch-1');
    await fixture.restart();
    await scanAll(fixture);
    await fixture.write({ 'c.jpg': 300 });
    await fixture.untilComplete(rule, './batch-2');
    expect(await uploaded(fixture)).toEqual(['a.jpg b.jpg', 'c.jpg']);
  });

  it('ignores new file times of a batch and holds it when a file changes or disappears', async () => {
    const fixture = await open();
    const rule = await fixture.rule(together);
    await fixture.write({ 'a.jpg': 100, 'b.jpg': 200, 'c.jpg': 300 });
    await fixture.untilComplete(rule, './batch-1');
    await utimes(join(fixture.incoming, 'a.jpg'), 1_700_000_000, 1_700_000_000);
    await scanAll(fixture);
    await fixture.untilComplete(rule, './batch-1');
    await fixture.write({ 'a.jpg': 90 });
    const held = await fixture.untilSource(rule, './batch-1', ({ state }) => state === 'held');
    await vi.waitFor(() => expect(fixture.watch.sources(rule.id).map(saidSource)[0]?.why).toContain('a.jpg'));
    await rm(join(fixture.incoming, 'c.jpg'));
    await fixture.untilSource(rule, './batch-1', ({ files }) => files === 2);
    expect(held.actions).toEqual(['leave-it', 'make-asset']);
    // New files continue in another batch.
    await fixture.write({ 'd.jpg': 400 });
    await fixture.untilComplete(rule, './batch-2');
    await fixture.watch.act(rule.id, './batch-1', 'leave-it');
    await fixture.untilComplete(rule, './batch-1');
    await scanAll(fixture);
    expect(await uploaded(fixture)).toEqual(['a.jpg b.jpg c.jpg', 'd.jpg']);
  });

  it('ignores derived files after its end and leaves a lone sidecar to the next batch', async () => {
    const fixture = await open();
    const rule = await fixture.rule({ ...together, ...imagery });
    await fixture.write({ 'a.jpg': 100 });
    await fixture.untilComplete(rule, './batch-1');
    await fixture.write({ 'a.jpg.aux.xml': '<PAMDataset/>', 'a.jpg.ovr': 50, 'lone.tfw': '1' });
    await scanAll(fixture);
    expect(fixture.watch.sources(rule.id).map(({ path, state }) => [path, state])).toEqual([
      ['./batch-1', 'complete'],
    ]);
    await fixture.write({ 'b.jpg': 200 });
    await fixture.untilComplete(rule, './batch-2');
    expect(await uploaded(fixture)).toEqual(['a.jpg', 'b.jpg lone.tfw']);
  });

  it('skips a batch that existed before the rule', async () => {
    const fixture = await open();
    await fixture.write({ 'a.jpg': 100, 'b.jpg': 200 });
    const rule = await fixture.rule(together, false);
    await fixture.write({ 'c.jpg': 300 });
    await fixture.untilComplete(rule, './batch-2');
    expect(await uploaded(fixture)).toEqual(['c.jpg']);
    expect(fixture.watch.sources(rule.id).find(({ path }) => path === './batch-1')?.state).toBe('skipped');
  });
});

it('uploads a later batch while another one waits for a person’s choice', async () => {
  const fixture = await open();
  const rule = await fixture.rule({ ...together, kindFrom: 'content', hold: 'never' });
  await fixture.write({ 'x.dat': 'what is this' });
  await fixture.untilSource(rule, './batch-1', ({ state }) => state === 'held');
  await fixture.write({ 'a.jpg': 100, 'b.jpg': 200 });
  await fixture.untilComplete(rule, './batch-2');
  expect(await uploaded(fixture)).toEqual(['a.jpg b.jpg']);
  await fixture.watch.act(rule.id, './batch-1', 'leave-it');
  await fixture.untilSource(rule, './batch-1', ({ state }) => state === 'skipped');
});

describe('a rule for batches', () => {
  it('skips sources that it uploaded under another unit, even if it includes existing files', async () => {
    const fixture = await open();
    const rule = await fixture.rule({ unit: { kind: 'entries' }, whenChanged: 'hold' });
    await fixture.write({ 'flight/a.jpg': 100, 'b.jpg': 200 });
    await fixture.untilComplete(rule, 'flight');
    await fixture.untilComplete(rule, 'b.jpg');
    await fixture.watch.save({ ...rule, ...together }, true);
    await scanAll(fixture);
    await fixture.write({ 'c.jpg': 300 });
    await fixture.untilComplete(rule, './batch-1');
    expect([...(await uploaded(fixture))].sort()).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
    // Earlier sources are still watched for changes.
    await fixture.write({ 'flight/a.jpg': 90 });
    await fixture.untilSource(rule, 'flight', ({ state }) => state === 'held');
    expect(fixture.assets()).toHaveLength(3);
  });

  it('recognizes its batches after it is removed and created again', async () => {
    const fixture = await open();
    const rule = await fixture.rule(together);
    await fixture.write({ 'a.jpg': 100, 'b.jpg': 200 });
    await fixture.untilComplete(rule, './batch-1');
    fixture.watch.remove(rule.id);
    const again = await fixture.rule(together);
    await scanAll(fixture);
    await fixture.write({ 'c.jpg': 300 });
    await fixture.untilComplete(again, './batch-2');
    expect(await uploaded(fixture)).toEqual(['a.jpg b.jpg', 'c.jpg']);
  });

  it('lists one asset with all new files in a dry run', async () => {
    const fixture = await open();
    await fixture.write({ 'a.jpg': 100, 'sub/b.jpg': 200 });
    const rule = await fixture.rule({ ...together, on: false }, false);
    const run = await fixture.watch.dryRun(rule);
    expect(run).toMatchObject({ wouldBeTaken: 0, known: 1 });
    await fixture.write({ 'c.jpg': 300, 'd.jpg': 400 });
    const more = await fixture.watch.dryRun(rule);
    expect(more).toMatchObject({ wouldBeTaken: 1, known: 1 });
    expect(more.sources[1]).toMatchObject({ path: './batch-2', files: 2, name: 'incoming 001' });
  });

  it('refuses to wait for a marker with a rule for batches', async () => {
    const fixture = await open();
    await expect(
      fixture.rule({ ...together, readyWhen: { kind: 'marker', name: '_SUCCESS' } }),
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
    // It has the lease before the other asks for it.
    await expect.poll(() => one.watch.rules()[0]?.state, { timeout: 20_000 }).toBe('watching');
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
