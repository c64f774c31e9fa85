import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { openWatchHouse, type WatchHouse } from '../house.ts';

let house: WatchHouse;
afterEach(() => house.close());

const delivery = {
  'ortho.tif': 4_000,
  'ortho.tfw': 'A world file',
  'Scan/strip_1.laz': 3_000,
  'Scan/roads.shp': 1_000,
  'Scan/roads.shx': 200,
  // One of twenty that begin at random would pass for a table that is cut off, and be held.
  'Scan/roads.dbf': 'No table',
};
const sources = ['Scan', 'ortho.tif'];
const assets = ['Scan', 'ortho'];

/** What QGIS and GDAL write when someone looks at the delivery, as they call it. */
const byQgis = ['ortho.tif.aux.xml', 'ortho.tif.ovr', 'ortho.qmd', 'Scan/roads.qix', 'Scan/strip_1.copc.laz'];
/** What ArcGIS and LAStools write. */
const byOthers = [
  ...['ortho.aux', 'ortho.rrd', 'ortho.tif.xml', 'ortho.tif.OFFICE-7.4711.812.sr.lock'],
  ...['Scan/roads.sbn', 'Scan/roads.sbx', 'Scan/roads.shp.xml', 'Scan/roads.shp.OFFICE-7.4711.812.sr.lock'],
  ...['Scan/strip_1.lasx', 'Scan/strip_1.lax'],
];
const written = [...byQgis, ...byOthers];

const look = (names: readonly string[] = written) =>
  house.write(Object.fromEntries(names.map((name) => [name, 300])));
const tidyUp = async () => {
  for (const name of written) await rm(join(house.incoming, name));
};
const names = () =>
  house
    .assets()
    .map(({ name }) => String(name))
    .sort();

/** All that the rule would do by itself is done once a source that came later is complete. */
async function settleDown(rule: WatchRule, marker: string): Promise<void> {
  await house.write({ [`${marker}/a.jpg`]: 500 });
  // After a look comes a rest, unless someone asks for another.
  house.watch.lookAgain('the test');
  await house.untilComplete(rule, marker);
}

describe('looking at data', { timeout: 60_000 }, () => {
  it('makes no other asset of what is finished, nor does tidying up after it', async () => {
    house = await openWatchHouse();
    const rule = await house.rule({ whenChanged: 'new-asset' });
    await house.write(delivery);
    for (const path of sources) await house.untilComplete(rule, path);
    await look();
    await settleDown(rule, 'Later');
    await house.restart();
    await tidyUp();
    await settleDown(rule, 'Latest');
    expect(names()).toEqual(['Later', 'Latest', ...assets].sort());
    expect(house.watch.rules()[0]?.counts).toMatchObject({ complete: 4, held: 0, failed: 0 });
  });

  it('does not end an upload that is under way', async () => {
    house = await openWatchHouse();
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 1_000 },
      action: { kind: 'delay', ms: 1_500 },
    });
    const rule = await house.rule({ whenChanged: 'new-asset' });
    await house.write(delivery);
    await expect.poll(() => house.assets().length, { timeout: 60_000 }).toBe(2);
    await look();
    for (const path of sources) await house.untilComplete(rule, path);
    house.service.control.clearFaults();
    await settleDown(rule, 'Later');
    expect(names()).toEqual(['Later', ...assets].sort());
  });

  it('before it is taken: what comes with the data is sent with it', async () => {
    house = await openWatchHouse();
    const rule = await house.rule({ unit: { kind: 'files', patterns: ['*.tif'] } });
    await house.write({ 'ortho.tif': 4_000, 'ortho.tif.ovr': 900, 'ortho.tif.aux.xml': '<PAMDataset/>' });
    const { files, assetId } = await house.untilComplete(rule, 'ortho.tif');
    expect(files).toBe(3);
    const [receipt] = house.watch.receipts(rule.id);
    expect(receipt?.files.map(({ key }) => key)).toEqual(['ortho.tif', 'ortho.tif.aux.xml', 'ortho.tif.ovr']);
    expect(assetId).not.toBeNull();
  });

  it('does not hide that the data themselves change', async () => {
    house = await openWatchHouse();
    const rule = await house.rule({ whenChanged: 'hold' });
    await house.write(delivery);
    for (const path of sources) await house.untilComplete(rule, path);
    await look();
    await house.write({ 'Scan/strip_1.laz': 3_001 });
    house.watch.lookAgain('the test');
    await house.untilSource(rule, 'Scan', ({ state }) => state === 'held');
  });
});
