import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jpeg } from '../../../deliveries/data.ts';
import { saidLines } from '../../../said.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';
import { SlowWriter } from './slow-writer.ts';

const MiB = 1024 * 1024;
let fixture: WatchFixture;
beforeEach(async () => {
  fixture = await openWatchFixture();
});
afterEach(() => fixture.close());

const at = (name: string) => join(fixture.incoming, name);

/** Sums the bytes of a source’s uploaded objects. */
async function bytesOf(assetId: number | null): Promise<number> {
  const objects = await fixture.service.control.objects(`sources/${assetId}/`);
  return objects.reduce((sum, { size }) => sum + size, 0);
}

/** Completes another source, so that all earlier ones have had time to settle. */
async function waitForAnother(ruleId: string, name: string): Promise<void> {
  await fixture.write({ [`${name}/a.jpg`]: 100 });
  await expect
    .poll(() => fixture.watch.sources(ruleId).find(({ path }) => path === name)?.state)
    .toBe('complete');
}

describe('a source that arrives slowly', () => {
  it('waits while a program keeps a preallocated file open, even if it pauses', async ({ skip }) => {
    if (process.platform !== 'linux') skip('only Linux tells which files are open');
    const rule = await fixture.rule();
    await using writer = new SlowWriter();
    await writer.do({ kind: 'open', path: at('scan.bin'), flags: 'w' });
    await writer.do({ kind: 'truncate', size: 2 * MiB });
    await writer.do({ kind: 'write', byte: 7, length: 2 * MiB, at: 0 });
    await fixture.untilSource(rule, 'scan.bin', ({ why }) => why.includes('still open in another program'));
    await waitForAnother(rule.id, 'meanwhile');
    await waitForAnother(rule.id, 'later');
    expect(fixture.statuses()).toEqual(['meanwhile COMPLETE', 'later COMPLETE']);
    await writer.do({ kind: 'write', byte: 8, length: MiB, at: 0 });
    await writer.do({ kind: 'close' });
    const { assetId } = await fixture.untilComplete(rule, 'scan.bin');
    expect(await bytesOf(assetId)).toBe(2 * MiB);
    expect(fixture.statuses()).toHaveLength(3);
  });

  it('creates one asset although a program saves the file repeatedly by renaming', async () => {
    const rule = await fixture.rule();
    for (const size of [1_000, 2_000, 3_000]) {
      await fixture.write({ 'scan.bin.tmp': size });
      await rename(at('scan.bin.tmp'), at('scan.bin'));
      await fixture.untilSource(rule, 'scan.bin', ({ bytes }) => bytes === size);
    }
    const { assetId } = await fixture.untilComplete(rule, 'scan.bin');
    expect(await bytesOf(assetId)).toBe(3_000);
    expect(fixture.statuses()).toHaveLength(1);
  });
});

describe('an incomplete source', () => {
  it('uploads an incomplete source when a person asks', async () => {
    const rule = await fixture.rule();
    await fixture.write({ 'tiles.zip': Buffer.alloc(20_000, 1) });
    const waiting = await fixture.untilSource(rule, 'tiles.zip', ({ why }) => why.includes('truncated'));
    expect(waiting.actions).toEqual(['take-now']);
    await fixture.watch.act(rule.id, 'tiles.zip', 'take-now');
    await fixture.untilComplete(rule, 'tiles.zip');
  });

  it('reports an unreadable source without delaying others, and uploads it once it is readable', async () => {
    const rule = await fixture.rule();
    await fixture.write({ 'Deep/a.jpg': 100 });
    // A path that is too long for the system stops every user, even root.
    const below = join(...Array.from({ length: 12 }, () => 'n'.repeat(200)));
    await mkdir(join(fixture.folder, 'other', below), { recursive: true });
    await mkdir(at(join('Deep', below)), { recursive: true });
    await rename(join(fixture.folder, 'other'), at(join('Deep', below, 'other')));

    fixture.watch.rescanAll('the test');
    await fixture.untilSource(rule, 'Deep', ({ why }) => why.includes('can’t be read'));
    fixture.watch.rescanAll('the test');
    await waitForAnother(rule.id, 'next');
    expect(fixture.statuses()).toEqual(['next COMPLETE']);

    const said = saidLines(fixture.watch.activity(rule.id)).filter(({ text }) =>
      text.endsWith('can’t be read.'),
    );
    expect(said.map(({ text }) => text)).toEqual([expect.stringMatching(/^Deep is waiting: /)]);

    await rename(at(join('Deep', below, 'other')), join(fixture.folder, 'other'));
    fixture.watch.rescanAll('the test');
    await fixture.untilComplete(rule, 'Deep');
  });

  it('keeps a source waiting whose name no asset can have, without delaying others', async () => {
    const rule = await fixture.rule();
    await fixture.write({ ' /a.jpg': 100 });
    await fixture.untilSource(rule, ' ', ({ why }) => why.includes('name'));
    await waitForAnother(rule.id, 'next');
    expect(fixture.statuses()).toEqual(['next COMPLETE']);
  });
});

describe('change hints', () => {
  it('create one asset from a folder with thousands of changed files', async () => {
    const rule = await fixture.rule();
    const names = Array.from({ length: 1_500 }, (_, index) => `Kai/${index}.jpg`);
    const files = Object.fromEntries(names.map((name) => [name, jpeg()]));
    await fixture.write(files);
    const source = await fixture.untilComplete(rule, 'Kai');
    expect(source.files).toBe(1_500);
    expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
  });
});
