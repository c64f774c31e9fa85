import { afterEach, expect, it, vi } from 'vitest';
import { sayPhrase } from '../../../../renderer/say.ts';
import type { DryRunLooked } from '../../../../shared/watch.ts';
import { jpeg, tiff, tiffWithoutSystem } from '../../../deliveries/data.ts';
import { openWatchHouse, type WatchHouse } from '../house.ts';

let house: WatchHouse;
afterEach(() => house.close());

const imagery = { assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' } as const;
const cut = tiff().subarray(0, -1);
it('is held again after a restart, and counts among what waits for a choice', async () => {
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

it('is held for a missing coordinate system, unless the rule states one', async () => {
  house = await openWatchHouse();
  const rule = await house.rule(imagery);
  await house.write({ 'Kai/a.tif': tiffWithoutSystem() });
  const { why } = await house.untilSource(rule, 'Kai', ({ state }) => state === 'held');
  expect(why).toMatch(/^1 file has no coordinate system: a\.tif\./);
  await house.watch.save({ ...rule, options: '{"inputCrs":"EPSG:25832"}' }, false);
  await house.untilComplete(rule, 'Kai');
});

it('keeps none of the others waiting', async () => {
  house = await openWatchHouse();
  const rule = await house.rule();
  await house.write({ 'Kai/a.jpg': jpeg().subarray(0, -2), 'Hafen/a.jpg': jpeg(), 'Werft/a.jpg': jpeg() });
  await house.untilComplete(rule, 'Hafen');
  await house.untilComplete(rule, 'Werft');
  await house.untilSource(rule, 'Kai', ({ state }) => state === 'held');
});

it('is taken once its rule holds nothing any more', async () => {
  house = await openWatchHouse();
  const rule = await house.rule(imagery);
  await house.write({ 'Kai/a.tif': cut });
  await house.untilSource(rule, 'Kai', ({ state }) => state === 'held');
  await house.watch.save({ ...rule, hold: 'never' }, false);
  await house.untilComplete(rule, 'Kai');
});

it('is shown by a dry run with what it would be held for, unless the rule holds nothing', async () => {
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

it('is shown by a dry run with the kind that it is, where the rule expects another', async () => {
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

it('has in its receipt what was found before it was taken, also over a stop in between', async () => {
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

it('is not held again when what was uploaded anyway failed and is tried again', async () => {
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
