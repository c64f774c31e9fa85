import { afterEach, expect, it, vi } from 'vitest';
import { sayPhrase } from '../../../../renderer/say.ts';
import type { DryRunLooked } from '../../../../shared/watch.ts';
import { jpeg, tiff } from '../../../deliveries/data.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';

let fixture: WatchFixture;
afterEach(() => fixture.close());

const imagery = { assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' } as const;
const cut = tiff().subarray(0, -1);
it('holds a source with findings across a restart and counts it as held', async () => {
  fixture = await openWatchFixture();
  const rule = await fixture.rule(imagery);
  await fixture.write({ 'Kai/a.tif': cut });
  await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'held');
  expect(fixture.watch.rules()[0]?.counts.held).toBe(1);
  expect(fixture.watch.activity(rule.id)[0]?.said).toMatchObject([{ key: 'sources.heldFor' }]);
  await fixture.restart();
  await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'held');
  expect(fixture.assets()).toHaveLength(0);
});

it('uploads other sources while it holds one for its findings', async () => {
  fixture = await openWatchFixture();
  const rule = await fixture.rule();
  await fixture.write({ 'Kai/a.jpg': jpeg().subarray(0, -2), 'Hafen/a.jpg': jpeg(), 'Werft/a.jpg': jpeg() });
  await fixture.untilComplete(rule, 'Hafen');
  await fixture.untilComplete(rule, 'Werft');
  await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'held');
});

it('uploads a held source once its rule holds nothing', async () => {
  fixture = await openWatchFixture();
  const rule = await fixture.rule(imagery);
  await fixture.write({ 'Kai/a.tif': cut });
  await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'held');
  await fixture.watch.save({ ...rule, hold: 'never' }, false);
  await fixture.untilComplete(rule, 'Kai');
});

it('lists the findings that would hold a source in a dry run, unless the rule holds nothing', async () => {
  fixture = await openWatchFixture();
  const rule = await fixture.rule({ ...imagery, on: false });
  await fixture.write({ 'Kai/a.tif': cut, 'Kai/b.tif': cut, 'Hafen/a.tif': tiff() });
  const reported: DryRunLooked[] = [];
  const onProgress = (looked: DryRunLooked) => reported.push(looked);
  const follow = { signal: new AbortController().signal, onProgress };
  await fixture.watch.dryRun({ ...rule, hold: 'never' }, follow);
  const { sources } = await fixture.watch.dryRun(rule, follow);
  expect(sources.map(({ path }) => path)).toEqual(['Hafen', 'Kai']);
  expect(reported).toEqual([]);
  await vi.waitFor(() => expect(reported.at(-1)?.isOver).toBe(true), { timeout: 20_000 });
  const last = reported.at(-1);
  expect(last).toMatchObject({ looked: 2, total: 2, heldCount: 1 });
  expect(last?.held.map(({ path, why }) => [path, ...why.map(sayPhrase)])).toEqual([
    ['Kai', '2 files are truncated: a.tif, b.tif.'],
  ]);
});

it('lists a source of another kind in a dry run, with its kind', async () => {
  fixture = await openWatchFixture();
  const rule = await fixture.rule({ sourceType: 'CITYGML', on: false });
  await fixture.write({ 'Kai/town.obj': 'mtllib town.mtl', 'Kai/town.mtl': 'newmtl a' });
  const shown = async (change: Partial<typeof rule>) => {
    const reported: DryRunLooked[] = [];
    const follow = {
      signal: new AbortController().signal,
      onProgress: (one: DryRunLooked) => void reported.push(one),
    };
    await fixture.watch.dryRun({ ...rule, ...change }, follow);
    await vi.waitFor(() => expect(reported.at(-1)?.isOver).toBe(true), { timeout: 20_000 });
    return reported.at(-1)?.held.flatMap(({ why }) => why.map(sayPhrase));
  };
  expect(await shown({})).toEqual(['The kind of data is 3D model, but the rule expects CityGML: town.obj.']);
  expect(await shown({ sourceType: '3D_MODEL' })).toEqual([]);
});

it('includes the findings in the receipt, even if Tilelift stops during the upload', async () => {
  fixture = await openWatchFixture({ serviceSettings: { tilingMs: 3_000 } });
  const rule = await fixture.rule(imagery);
  await fixture.write({ 'Kai/a.tif': tiff() });
  await fixture.untilSource(rule, 'Kai', ({ state, why }) => state === 'under-way' && /iling/.test(why));
  await fixture.stop();
  await fixture.restart();
  await fixture.untilComplete(rule, 'Kai');
  const [receipt] = fixture.watch.receipts(rule.id);
  expect(receipt?.findings).toContainEqual({ id: 'no-place', count: 1, files: ['a.tif'] });
});

it('retries a failed source without holding it again after a person uploaded it anyway', async () => {
  fixture = await openWatchFixture();
  const rule = await fixture.rule(imagery);
  await fixture.write({ 'Kai/a.tif': cut });
  await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'held');
  fixture.service.control.setTiling({ end: 'DATA_ERROR', error: 'Truncated' });
  await fixture.watch.act(rule.id, 'Kai', 'take-anyway');
  await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'failed');
  fixture.service.control.setTiling({ end: 'COMPLETE' });
  await fixture.watch.act(rule.id, 'Kai', 'try-again');
  await fixture.untilComplete(rule, 'Kai');
  const reported = fixture.watch.activity(rule.id).map(({ said }) => JSON.stringify(said));
  expect(reported.filter((one) => one.includes('sources.heldFor'))).toHaveLength(1);
});
