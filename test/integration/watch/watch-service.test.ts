import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { speak } from '../../../renderer/say.ts';
import { jpeg } from '../../deliveries/data.ts';
import { saidLines } from '../../said.ts';
import { type FixtureOptions, openWatchFixture, type WatchFixture } from './fixture.ts';

let fixture: WatchFixture;
const open = async (options?: FixtureOptions) => {
  fixture = await openWatchFixture(options);
  return fixture;
};
afterEach(async () => {
  speak({ language: 'en', locale: 'en-GB' });
  await fixture.close();
});

const statuses = () => fixture.assets().map(({ name, status }) => `${name} ${status}`);

describe('a watched folder', () => {
  it('creates one asset from each arriving folder and logs it in the user’s language', async () => {
    await open();
    const rule = await fixture.rule();
    await fixture.write({ 'Kai_3/a.jpg': 40_000, 'Kai_3/sub/b.jpg': 50_000, 'Hafen/c.jpg': 3_000 });
    const kai = await fixture.untilComplete(rule, 'Kai_3');
    await fixture.untilComplete(rule, 'Hafen');

    expect(kai).toMatchObject({ files: 2, bytes: 90_000, why: 'Complete' });
    expect(statuses().sort()).toEqual(['Hafen COMPLETE', 'Kai_3 COMPLETE']);
    const keys = (await fixture.service.control.objects(`sources/${kai.assetId}/`)).map(({ key }) => key);
    expect(keys).toEqual([`sources/${kai.assetId}/a.jpg`, `sources/${kai.assetId}/sub/b.jpg`]);
    expect(fixture.watch.rules()[0]).toMatchObject({
      state: 'watching',
      counts: { complete: 2, underWay: 0 },
    });
    expect(saidLines(fixture.watch.activity(rule.id)).map(({ text }) => text)).toContain(
      'Picked up Kai_3: 2 files, 90.0\u00a0kB.',
    );

    speak({ language: 'de', locale: 'de-DE' });
    const inGerman = saidLines(fixture.watch.activity(rule.id)).map(({ text }) => text);
    expect(inGerman).toContain('Kai_3: 2 Dateien, 90,0\u00a0kB übernommen.');
    expect(inGerman).toContain(`Kai_3 ist fertig, als Asset ${kai.assetId}.`);
    expect(inGerman.at(-1)).toBe('Die Regel wurde angelegt.');
  });

  it('creates another asset from a changed source unless the rule says to leave it', async () => {
    await open();
    const rule = await fixture.rule();
    await fixture.write({ 'Kai_3/a.jpg': 3_000 });
    const first = await fixture.untilComplete(rule, 'Kai_3');
    await fixture.write({ 'Kai_3/a.jpg': 2_000 });
    await fixture.untilSource(
      rule,
      'Kai_3',
      ({ state, jobId }) => state === 'complete' && jobId !== first.jobId,
    );
    expect(statuses()).toEqual(['Kai_3 COMPLETE', 'Kai_3 COMPLETE']);

    await fixture.watch.save({ ...rule, whenChanged: 'leave' }, true);
    await fixture.write({ 'Kai_3/a.jpg': 1_000, 'Hafen/a.jpg': 1_000 });
    await fixture.untilComplete(rule, 'Hafen');
    expect(statuses()).toHaveLength(3);
  });

  it('skips existing sources if a new rule wants new arrivals only', async () => {
    await open();
    await fixture.write({ 'Old/a.jpg': 1_000 });
    const rule = await fixture.rule({}, false);
    await fixture.write({ 'New/a.jpg': 1_000 });
    await fixture.untilComplete(rule, 'New');
    expect(statuses()).toEqual(['New COMPLETE']);
    expect(fixture.watch.rules()[0]?.counts).toMatchObject({ complete: 1, skipped: 1 });
    await fixture.watch.act(rule.id, 'Old', 'try-again');
    await fixture.untilComplete(rule, 'Old');
  });

  it('sends the options of its rule to the service, also after an edit', async () => {
    await open();
    const baseTerrainId = fixture.service.control.seedAsset({ name: 'Ground', type: 'TERRAIN' });
    const options = '{"textureFormat":"WEBP","position":[13.4,52.5,34],"own":{"depth":[1,null]}}';
    const rule = await fixture.rule({ options, clampToTerrain: true, baseTerrainId });
    await fixture.write({ 'Kai_3/a.jpg': 1_000 });
    const kai = await fixture.untilComplete(rule, 'Kai_3');
    expect(fixture.service.control.optionsOf(Number(kai.assetId))).toEqual({
      sourceType: '3D_CAPTURE',
      clampToTerrain: true,
      baseTerrainId,
      textureFormat: 'WEBP',
      position: [13.4, 52.5, 34],
      own: { depth: [1, null] },
    });

    await fixture.watch.save({ ...rule, options: '{}', clampToTerrain: false }, true);
    await fixture.write({ 'Hafen/a.jpg': 1_000 });
    const harbour = await fixture.untilComplete(rule, 'Hafen');
    expect(fixture.service.control.optionsOf(Number(harbour.assetId))).toEqual({ sourceType: '3D_CAPTURE' });
    expect(fixture.statuses()).toEqual(['Ground COMPLETE', 'Kai_3 COMPLETE', 'Hafen COMPLETE']);
  });
});

describe('an ended source', () => {
  it('moves a complete source to a free name and writes a receipt', async () => {
    await open();
    const rule = await fixture.rule({ afterSuccess: { kind: 'move', folder: 'done' } });
    await fixture.write({ 'done/Kai_3/old.jpg': 'kept', 'Kai_3/a.jpg': 1_000 });
    const source = await fixture.untilSource(rule, 'Kai_3', ({ movedTo }) => movedTo !== undefined);
    expect(await readdir(join(fixture.incoming, 'done'))).toEqual(['Kai_3', 'Kai_3 (2)']);
    expect(await readdir(join(fixture.incoming, 'done', 'Kai_3'))).toEqual(['old.jpg']);
    expect(await readdir(fixture.incoming)).toEqual(['done']);
    const [receipt] = fixture.watch.receipts(rule.id);
    expect(receipt).toMatchObject({
      source: 'Kai_3',
      outcome: 'complete',
      assetId: source.assetId,
      assetName: 'Kai_3',
    });
    expect(receipt?.files).toEqual([
      expect.objectContaining({ key: 'a.jpg', size: 1_000, etag: expect.stringMatching(/^[0-9a-f]{32}$/) }),
    ]);
  });

  it('moves a source away after a data error and uploads the next one', async () => {
    await open();
    fixture.service.control.setTiling({ end: 'DATA_ERROR', error: 'No positions' });
    const rule = await fixture.rule({ afterFailure: { kind: 'move', folder: 'failed' } });
    await fixture.write({ 'Bad/a.jpg': 1_000 });
    const moved = join(fixture.incoming, 'failed/Bad/a.jpg');
    await expect.poll(() => existsSync(moved), { timeout: 10_000 }).toBe(true);
    fixture.service.control.setTiling({ end: 'COMPLETE' });
    await fixture.write({ 'Good/a.jpg': 1_000 });
    await fixture.untilComplete(rule, 'Good');
    expect(statuses()).toEqual(['Bad DATA_ERROR', 'Good COMPLETE']);
  });

  it.each(['leave-it', 'make-asset'] as const)(
    'retries nothing on “%s” while its rule is paused',
    async (action) => {
      await open();
      fixture.service.control.setTiling({ end: 'DATA_ERROR', error: 'No positions' });
      const rule = await fixture.rule();
      await fixture.write({ 'Bad/a.jpg': 1_000 });
      await fixture.untilSource(rule, 'Bad', ({ state }) => state === 'failed');
      fixture.watch.setOn(rule.id, false);
      const before = fixture.watch.sources(rule.id);
      await fixture.watch.act(rule.id, 'Bad', action);
      expect(fixture.watch.sources(rule.id)).toEqual(before);
    },
  );
});

it('suspends the rule of a missing folder with a notice and resumes it on its return', async () => {
  await open();
  const rule = await fixture.rule();
  await fixture.write({ 'One/a.jpg': 1_000 });
  await fixture.untilComplete(rule, 'One');
  await rename(fixture.incoming, `${fixture.incoming}-away`);
  await expect
    .poll(() => fixture.watch.rules()[0], { timeout: 10_000 })
    .toMatchObject({ state: 'suspended', notice: { code: 'watch-folder-missing' } });
  await mkdir(join(`${fixture.incoming}-away`, 'Two'));
  await writeFile(join(`${fixture.incoming}-away`, 'Two', 'a.jpg'), jpeg());
  await rename(`${fixture.incoming}-away`, fixture.incoming);
  await fixture.untilComplete(rule, 'Two');
  expect(fixture.watch.rules()[0]).toMatchObject({ state: 'watching', notice: null });
});
