import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';

let fixture: WatchFixture;
afterEach(() => fixture.close());

const delivery = {
  'ortho.tif': 4_000,
  'ortho.tfw': 'A world file',
  'Scan/strip_1.laz': 3_000,
  'Scan/roads.shp': 1_000,
  'Scan/roads.shx': 200,
  // Random bytes could pass for a truncated table, which would hold the source.
  'Scan/roads.dbf': 'No table',
};
const sources = ['Scan', 'ortho.tif'];
const assets = ['Scan', 'ortho'];

/** Files that QGIS and GDAL write when someone opens the delivery, with their real names. */
const byQgis = ['ortho.tif.aux.xml', 'ortho.tif.ovr', 'ortho.qmd', 'Scan/roads.qix', 'Scan/strip_1.copc.laz'];
/** Files that ArcGIS and LAStools write. */
const byOthers = [
  ...['ortho.aux', 'ortho.rrd', 'ortho.tif.xml', 'ortho.tif.OFFICE-7.4711.812.sr.lock'],
  ...['Scan/roads.sbn', 'Scan/roads.sbx', 'Scan/roads.shp.xml', 'Scan/roads.shp.OFFICE-7.4711.812.sr.lock'],
  ...['Scan/strip_1.lasx', 'Scan/strip_1.lax'],
];
const written = [...byQgis, ...byOthers];

const runScan = (names: readonly string[] = written) =>
  fixture.write(Object.fromEntries(names.map((name) => [name, 300])));
const tidyUp = async () => {
  for (const name of written) await rm(join(fixture.incoming, name));
};
const names = () =>
  fixture
    .assets()
    .map(({ name }) => String(name))
    .sort();

/** Completes a later source, after which all automatic work of the rule is done. */
async function settleDown(rule: WatchRule, marker: string): Promise<void> {
  await fixture.write({ [`${marker}/a.jpg`]: 500 });
  // A watch rests after a scan unless another one is requested.
  fixture.watch.rescanAll('the test');
  await fixture.untilComplete(rule, marker);
}

describe('opening data in another program', { timeout: 60_000 }, () => {
  it('creates no other asset from finished sources, nor does the removal of derived files', async () => {
    fixture = await openWatchFixture();
    const rule = await fixture.rule({ whenChanged: 'new-asset' });
    await fixture.write(delivery);
    for (const path of sources) await fixture.untilComplete(rule, path);
    await runScan();
    await settleDown(rule, 'Later');
    await fixture.restart();
    await tidyUp();
    await settleDown(rule, 'Latest');
    expect(names()).toEqual(['Later', 'Latest', ...assets].sort());
    expect(fixture.watch.rules()[0]?.counts).toMatchObject({ complete: 4, held: 0, failed: 0 });
  });

  it('doesn’t end an upload under way when derived files appear', async () => {
    fixture = await openWatchFixture();
    fixture.service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 1_000 },
      action: { kind: 'delay', ms: 1_500 },
    });
    const rule = await fixture.rule({ whenChanged: 'new-asset' });
    await fixture.write(delivery);
    await expect.poll(() => fixture.assets().length, { timeout: 60_000 }).toBe(2);
    await runScan();
    for (const path of sources) await fixture.untilComplete(rule, path);
    fixture.service.control.clearFaults();
    await settleDown(rule, 'Later');
    expect(names()).toEqual(['Later', ...assets].sort());
  });

  it('adds derived files to a source before its upload', async () => {
    fixture = await openWatchFixture();
    const rule = await fixture.rule({ unit: { kind: 'files', patterns: ['*.tif'] } });
    await fixture.write({ 'ortho.tif': 4_000, 'ortho.tif.ovr': 900, 'ortho.tif.aux.xml': '<PAMDataset/>' });
    const { files, assetId } = await fixture.untilComplete(rule, 'ortho.tif');
    expect(files).toBe(3);
    const [receipt] = fixture.watch.receipts(rule.id);
    expect(receipt?.files.map(({ key }) => key)).toEqual(['ortho.tif', 'ortho.tif.aux.xml', 'ortho.tif.ovr']);
    expect(assetId).not.toBeNull();
  });

  it('detects a change of the data next to new derived files', async () => {
    fixture = await openWatchFixture();
    const rule = await fixture.rule({ whenChanged: 'hold' });
    await fixture.write(delivery);
    for (const path of sources) await fixture.untilComplete(rule, path);
    await runScan();
    await fixture.write({ 'Scan/strip_1.laz': 3_001 });
    fixture.watch.rescanAll('the test');
    await fixture.untilSource(rule, 'Scan', ({ state }) => state === 'held');
  });
});
