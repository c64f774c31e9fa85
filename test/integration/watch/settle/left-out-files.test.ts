import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { kml, las, tiff } from '../../../deliveries/data.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';

let fixture: WatchFixture;
beforeEach(async () => {
  fixture = await openWatchFixture();
});
afterEach(() => fixture.close());

const clouds = { sourceType: 'POINT_CLOUD' } as const;
const delivery = {
  'Kai/a.las': las(),
  'Kai/overview.jpg': 'a preview',
  'Kai/report.pdf': 'a report',
  'Kai/roads.gpkg': 'a map',
};
const sentBy = (ruleId: string) =>
  Array.from(fixture.watch.receipts(ruleId), ({ files }) => files.map(({ key }) => key));

it('uploads a folder without the files that the sheet leaves out', async () => {
  const rule = await fixture.rule(clouds);
  await fixture.write({ ...delivery, 'Kai/a.prj': '' });
  await fixture.untilComplete(rule, 'Kai');
  expect(sentBy(rule.id)).toEqual([['a.las', 'a.prj']]);
});

it('uploads a KML without the shapefile next to it if the rule detects the kind', async () => {
  const rule = await fixture.rule({ kindFrom: 'content' });
  const parts = Object.fromEntries(['shp', 'shx', 'dbf', 'prj'].map((ending) => [`Plan/a.${ending}`, 'x']));
  await fixture.write({ 'Plan/p.kml': kml(), ...parts });
  await fixture.untilComplete(rule, 'Plan');
  expect(sentBy(rule.id)).toEqual([['p.kml']]);
});

it('waits for no missing parts of a shapefile that the sheet leaves out', async () => {
  const rule = await fixture.rule(clouds);
  await fixture.write({ 'Kai/a.las': las(), 'Kai/roads.shp': 'x' });
  await fixture.untilComplete(rule, 'Kai');
  expect(sentBy(rule.id)).toEqual([['a.las']]);
});

it('holds nothing for findings of files that the sheet leaves out', async () => {
  const rule = await fixture.rule(clouds);
  await fixture.write({ ...delivery, 'Kai/plan.geojson': '' });
  await fixture.untilComplete(rule, 'Kai');
});

it('creates no second asset when only the time of a file changes', async () => {
  const rule = await fixture.rule({ sourceType: 'POINT_CLOUD', whenChanged: 'new-asset' });
  await fixture.write(delivery);
  await fixture.untilComplete(rule, 'Kai');
  await utimes(join(fixture.incoming, 'Kai', 'a.las'), new Date(1e12), new Date(1e12));
  await fixture.write({ 'Hafen/b.las': las(11) });
  await fixture.untilComplete(rule, 'Hafen');
  await fixture.untilComplete(rule, 'Kai');
  expect(fixture.assets()).toHaveLength(2);
});

it('uploads all files for a kind of data that the sheet does not know', async () => {
  const rule = await fixture.rule({ assetType: 'IMAGERY', sourceType: 'MY_OWN' });
  await fixture.write({ 'Kai/a.tif': tiff(), 'Kai/report.pdf': 'a report' });
  await fixture.untilComplete(rule, 'Kai');
  expect(sentBy(rule.id)).toEqual([['a.tif', 'report.pdf']]);
});
