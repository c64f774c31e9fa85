import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';

let fixture: WatchFixture;
beforeEach(async () => {
  fixture = await openWatchFixture();
});
afterEach(() => fixture.close());

const marked = (name: string): Partial<WatchRule> => ({ readyWhen: { kind: 'marker', name } });

/** Completes another source with its marker, so that all earlier ones have had time to settle. */
async function waitForAnother(
  rule: WatchRule,
  files: Readonly<Record<string, number>>,
  path: string,
): Promise<void> {
  await fixture.write(files);
  await fixture.untilComplete(rule, path);
}

/** Lists the keys of an asset’s objects, relative to the asset. */
async function keysOf(assetId: number | null): Promise<readonly string[]> {
  const objects = await fixture.service.control.objects(`sources/${assetId}/`);
  return objects.map(({ key }) => key.split('/').slice(2).join('/'));
}

describe('a source whose rule waits for a marker', () => {
  it('accepts a marker named without the extension', async () => {
    const rule = await fixture.rule(marked('{name}.ready'));
    await fixture.write({ 'scan.laz': 5_000, 'scan.ready': 'done' });
    await fixture.untilComplete(rule, 'scan.laz');
    await fixture.write({ 'flight/a.jpg': 100, 'flight.ready': '' });
    await fixture.untilComplete(rule, 'flight');
    expect(fixture.statuses()).toEqual(['scan COMPLETE', 'flight COMPLETE']);
  });

  const wholeFolder = { ...marked('_ready'), unit: { kind: 'whole-folder' } } as const;

  it('uploads a whole folder when its marker comes, also if the rule leaves existing data', async () => {
    await fixture.write({ 'a.jpg': 100 });
    const rule = await fixture.rule(wholeFolder, false);
    await fixture.write({ 'b.jpg': 100, _ready: '' });
    const { assetId } = await fixture.untilComplete(rule, '.');
    expect(await keysOf(assetId)).toEqual(['a.jpg', 'b.jpg']);
  });

  it('leaves a whole folder that has its marker already', async () => {
    await fixture.write({ 'a.jpg': 100, _ready: '' });
    const rule = await fixture.rule(wholeFolder, false);
    await fixture.untilSource(rule, '.', ({ state }) => state === 'skipped');
  });

  it('ignores a folder or link with the marker’s name', async () => {
    const rule = await fixture.rule(marked('{name}.ok'));
    await mkdir(join(fixture.incoming, 'a.tif.ok'));
    await fixture.write({ 'elsewhere.txt.ok': '' });
    await symlink('elsewhere.txt.ok', join(fixture.incoming, 'b.tif.ok'));
    await fixture.write({ 'a.tif': 5_000, 'b.tif': 5_000 });
    await waitForAnother(rule, { 'c.tif.ok': 0, 'c.tif': 5_000 }, 'c.tif');
    expect(fixture.statuses()).toEqual(['c COMPLETE']);
  });

  it('still waits until a source with its marker is settled and complete', async () => {
    const rule = await fixture.rule(marked('{name}.ok'));
    // A zip without its end.
    await fixture.write({ 'cut.zip.ok': '', 'cut.zip': `PK\u0003\u0004${'and no more '.repeat(1_000)}` });
    await fixture.untilSource(
      rule,
      'cut.zip',
      ({ why }) => why.includes('cut.zip') && !why.includes('“done” file'),
    );
    expect(fixture.statuses()).toEqual([]);
  });

  it('creates no second asset when the marker of a source disappears and returns', async () => {
    const rule = await fixture.rule({ ...marked('_SUCCESS'), whenChanged: 'new-asset' });
    await fixture.write({ 'flight/a.jpg': 100, 'flight/_SUCCESS': '' });
    await fixture.untilComplete(rule, 'flight');
    await rm(join(fixture.incoming, 'flight/_SUCCESS'));
    fixture.watch.rescanAll('a test');
    await fixture.write({ 'flight/_SUCCESS': 'once more' });
    await waitForAnother(rule, { 'c/_SUCCESS': 0, 'c/a.jpg': 20 }, 'c');
    expect(fixture.statuses()).toHaveLength(2);
  });

  it('takes its marker along when it moves, so that its successor waits for its own', async () => {
    const rule = await fixture.rule({
      ...marked('{name}.ok'),
      afterSuccess: { kind: 'move', folder: 'done' },
    });
    await fixture.write({ 'a.tif': 5_000, 'a.tif.ok': '' });
    await fixture.untilSource(
      rule,
      'a.tif',
      ({ movedTo }) => movedTo?.includes(join('done', 'a.tif')) === true,
    );
    await fixture.write({ 'a.tif': 6_000 });
    await waitForAnother(rule, { 'b.tif.ok': 0, 'b.tif': 5_000 }, 'b.tif');
    expect(fixture.statuses()).toEqual(['a COMPLETE', 'b COMPLETE']);
    await fixture.write({ 'a.tif.ok': '' });
    await expect.poll(() => fixture.statuses(), { timeout: 15_000 }).toHaveLength(3);
  });

  it('uploads a source without its marker when a person asks', async () => {
    const rule = await fixture.rule(marked('{name}.ok'));
    await fixture.write({ 'a.tif': 5_000 });
    await fixture.untilSource(rule, 'a.tif', ({ why }) => why.includes('“done” file'));
    await fixture.watch.act(rule.id, 'a.tif', 'take-now');
    await fixture.untilComplete(rule, 'a.tif');
  });

  it('refuses marker names that could match the data itself', async () => {
    for (const name of ['{name}', 'a/b', '..', '{name}{name}', '{stem}.ok'])
      await expect(fixture.rule(marked(name)), name).rejects.toMatchObject({ code: 'watch-pattern-invalid' });
  });
});
