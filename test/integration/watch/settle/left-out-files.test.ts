import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { kml, las, tiff } from '../../../deliveries/data.ts';
import { openWatchHouse, type WatchHouse } from '../house.ts';

let house: WatchHouse;
beforeEach(async () => {
  house = await openWatchHouse();
});
afterEach(() => house.close());

const clouds = { sourceType: 'POINT_CLOUD' } as const;
const delivery = {
  'Kai/a.las': las(),
  'Kai/overview.jpg': 'a preview',
  'Kai/report.pdf': 'a report',
  'Kai/roads.gpkg': 'a map',
};
const sentBy = (ruleId: string) =>
  Array.from(house.watch.receipts(ruleId), ({ files }) => files.map(({ key }) => key));

it('uploads a folder without the files that the sheet leaves out', async () => {
  const rule = await house.rule(clouds);
  await house.write({ ...delivery, 'Kai/a.prj': '' });
  await house.untilComplete(rule, 'Kai');
  expect(sentBy(rule.id)).toEqual([['a.las', 'a.prj']]);
});

it('uploads a KML without the shapefile next to it if the rule detects the kind', async () => {
  const rule = await house.rule({ kindFrom: 'content' });
  const parts = Object.fromEntries(['shp', 'shx', 'dbf', 'prj'].map((ending) => [`Plan/a.${ending}`, 'x']));
  await house.write({ 'Plan/p.kml': kml(), ...parts });
  await house.untilComplete(rule, 'Plan');
  expect(sentBy(rule.id)).toEqual([['p.kml']]);
});

it('waits for no missing parts of a shapefile that the sheet leaves out', async () => {
  const rule = await house.rule(clouds);
  await house.write({ 'Kai/a.las': las(), 'Kai/roads.shp': 'x' });
  await house.untilComplete(rule, 'Kai');
  expect(sentBy(rule.id)).toEqual([['a.las']]);
});

it('holds nothing for findings of files that the sheet leaves out', async () => {
  const rule = await house.rule(clouds);
  await house.write({ ...delivery, 'Kai/plan.geojson': '' });
  await house.untilComplete(rule, 'Kai');
});

it('creates no second asset when only the time of a file changes', async () => {
  const rule = await house.rule({ sourceType: 'POINT_CLOUD', whenChanged: 'new-asset' });
  await house.write(delivery);
  await house.untilComplete(rule, 'Kai');
  await utimes(join(house.incoming, 'Kai', 'a.las'), new Date(1e12), new Date(1e12));
  await house.write({ 'Hafen/b.las': las(11) });
  await house.untilComplete(rule, 'Hafen');
  await house.untilComplete(rule, 'Kai');
  expect(house.assets()).toHaveLength(2);
});

it('uploads all files for a kind of data that the sheet does not know', async () => {
  const rule = await house.rule({ assetType: 'IMAGERY', sourceType: 'MY_OWN' });
  await house.write({ 'Kai/a.tif': tiff(), 'Kai/report.pdf': 'a report' });
  await house.untilComplete(rule, 'Kai');
  expect(sentBy(rule.id)).toEqual([['a.tif', 'report.pdf']]);
});
