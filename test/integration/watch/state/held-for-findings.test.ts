import { afterEach, expect, it, vi } from 'vitest';
import { sayPhrase } from '../../../../renderer/say.ts';
import type { DryRunLooked } from '../../../../shared/watch.ts';
import { jpeg, tiff, tiffWithoutSystem } from '../../../deliveries/data.ts';
import { openWatchHouse, type WatchHouse } from '../house.ts';

let house: WatchHouse;
afterEach(() => house.close());

const imagery = { assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' } as const;
const cut = tiff().subarray(0, -1);
it('holds a source with findings across a restart and counts it as held', async () => {
  house = await openWatchHouse();
  const rule = await house.rule(imagery);
  await house.write({ 'Kai/a.tif': cut });
  await house.untilSource(rule, 'Kai', ({ state }) => state === 'held');
  expect(house.watch.rules()[0]?.counts.held).toBe(1);
  expect(house.watch.activity(rule.id)[0]?.said).toMatchObject([{ key: 'sources.heldFor' }]);
  await house.restart();
  await house.untilSource(rule, 'Kai', ({ state }) => state === 'held');
  expect(house.assets()).toHaveLength(0);
});

it('holds a source without a coordinate system unless its rule states one', async () => {
  house = await openWatchHouse();
  const rule = await house.rule(imagery);
  await house.write({ 'Kai/a.tif': tiffWithoutSystem() });
  const { why } = await house.untilSource(rule, 'Kai', ({ state }) => state === 'held');
  expect(why).toMatch(/^1 file has no coordinate system: a\.tif\./);
  await house.watch.save({ ...rule, options: '{"inputCrs":"EPSG:25832"}' }, false);
  await house.untilComplete(rule, 'Kai');
});

it('uploads other sources while it holds one for its findings', async () => {
  house = await openWatchHouse();
  const rule = await house.rule();
  await house.write({ 'Kai/a.jpg': jpeg().subarray(0, -2), 'Hafen/a.jpg': jpeg(), 'Werft/a.jpg': jpeg() });
  await house.untilComplete(rule, 'Hafen');
  await house.untilComplete(rule, 'Werft');
  await house.untilSource(rule, 'Kai', ({ state }) => state === 'held');
});

it('uploads a held source once its rule holds nothing', async () => {
  house = await openWatchHouse();
  const rule = await house.rule(imagery);
  await house.write({ 'Kai/a.tif': cut });
  await house.untilSource(rule, 'Kai', ({ state }) => state === 'held');
  await house.watch.save({ ...rule, hold: 'never' }, false);
  await house.untilComplete(rule, 'Kai');
});

it('lists the findings that would hold a source in a dry run, unless the rule holds nothing', async () => {
  house = await openWatchHouse();
  const rule = await house.rule({ ...imagery, on: false });
  await house.write({ 'Kai/a.tif': cut, 'Kai/b.tif': cut, 'Hafen/a.tif': tiff() });
  const told: DryRunLooked[] = [];
  const onProgress = (looked: DryRunLooked) => told.push(looked);
  const follow = { signal: new AbortController().signal, onProgress };
  await house.watch.dryRun({ ...rule, hold: 'never' }, follow);
  const { sources } = await house.watch.dryRun(rule, follow);
  expect(sources.map(({ path }) => path)).toEqual(['Hafen', 'Kai']);
  expect(told).toEqual([]);
  await vi.waitFor(() => expect(told.at(-1)?.isOver).toBe(true), { timeout: 20_000 });
  const last = told.at(-1);
  expect(last).toMatchObject({ looked: 2, total: 2, heldCount: 1 });
  expect(last?.held.map(({ path, why }) => [path, ...why.map(sayPhrase)])).toEqual([
    ['Kai', '2 files are truncated: a.tif, b.tif.'],
  ]);
});

it('lists a source of another kind in a dry run, with its kind', async () => {
  house = await openWatchHouse();
  const rule = await house.rule({ sourceType: 'CITYGML', on: false });
  await house.write({ 'Kai/town.obj': 'mtllib town.mtl', 'Kai/town.mtl': 'newmtl a' });
  const shown = async (change: Partial<typeof rule>) => {
    const told: DryRunLooked[] = [];
    const follow = {
      signal: new AbortController().signal,
      onProgress: (one: DryRunLooked) => void told.push(one),
    };
    await house.watch.dryRun({ ...rule, ...change }, follow);
    await vi.waitFor(() => expect(told.at(-1)?.isOver).toBe(true), { timeout: 20_000 });
    return told.at(-1)?.held.flatMap(({ why }) => why.map(sayPhrase));
  };
  expect(await shown({})).toEqual(['The kind of data is 3D model, but the rule expects CityGML: town.obj.']);
  expect(await shown({ sourceType: '3D_MODEL' })).toEqual([]);
});

it('includes the findings in the receipt, even if Tilelift stops during the upload', async () => {
  house = await openWatchHouse({ serviceSettings: { tilingMs: 3_000 } });
  const rule = await house.rule(imagery);
  await house.write({ 'Kai/a.tif': tiff() });
  await house.untilSource(rule, 'Kai', ({ state, why }) => state === 'under-way' && /iling/.test(why));
  await house.stop();
  await house.restart();
  await house.untilComplete(rule, 'Kai');
  const [receipt] = house.watch.receipts(rule.id);
  expect(receipt?.findings).toContainEqual({ id: 'no-place', count: 1, files: ['a.tif'] });
});

it('retries a failed source without holding it again after a person uploaded it anyway', async () => {
  house = await openWatchHouse();
  const rule = await house.rule(imagery);
  await house.write({ 'Kai/a.tif': cut });
  await house.untilSource(rule, 'Kai', ({ state }) => state === 'held');
  house.service.control.setTiling({ end: 'DATA_ERROR', error: 'Truncated' });
  await house.watch.act(rule.id, 'Kai', 'take-anyway');
  await house.untilSource(rule, 'Kai', ({ state }) => state === 'failed');
  house.service.control.setTiling({ end: 'COMPLETE' });
  await house.watch.act(rule.id, 'Kai', 'try-again');
  await house.untilComplete(rule, 'Kai');
  const told = house.watch.activity(rule.id).map(({ said }) => JSON.stringify(said));
  expect(told.filter((one) => one.includes('sources.heldFor'))).toHaveLength(1);
});
