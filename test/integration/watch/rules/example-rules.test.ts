import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseServiceFile } from '../../../../main/cli/watch/service-file.ts';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { cityText, jpeg, las, tiff } from '../../../deliveries/data.ts';
import { zipOf } from '../../../unit/inspect/formats/document-files.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';

/** Tests each example file of docs/rules/ with a delivery. */

const examples = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'rules');
const today = new Date().toISOString().slice(0, 10);
const heights = `ncols 2\nnrows 2\nxllcorner 400000\nyllcorner 5700000\ncellsize 1\n1 2\n3 4\n`;
const utm32 =
  'PROJCS["ETRS89_UTM_zone_32N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["Meter",1]]';

let fixture: WatchFixture;
afterEach(() => fixture?.close());

/** Creates the rule of an example with folders of the test instead of its own. */
async function keepExample(name: string): Promise<WatchRule> {
  fixture = await openWatchFixture();
  const text = await readFile(join(examples, name), 'utf8');
  const file = parseServiceFile(text);
  if (file.kind !== 'read' || !file.data.rules[0]) throw new Error(`${name} has problems`);
  const here = <End extends object>(end: End) =>
    'folder' in end ? { ...end, folder: join(fixture.folder, 'elsewhere') } : end;
  const { afterSuccess, afterFailure, receiptFile, ...rule } = file.data.rules[0];
  if (rule.mountMarker) await fixture.write({ [rule.mountMarker]: '' });
  return fixture.rule({
    ...{ ...rule, accountId: 'account', folder: fixture.incoming },
    afterSuccess: here(afterSuccess),
    afterFailure: here(afterFailure),
    receiptFile: here(receiptFile),
  });
}

const assetNames = () => fixture.assets().map(({ name }) => name);

describe('the example rules', () => {
  it('include six files, each with a test here', async () => {
    const tests = await readFile(import.meta.filename, 'utf8');
    const files = await readdir(examples);
    expect(files).toHaveLength(6);
    for (const file of files) expect(tests).toContain(`keepExample('${file}')`);
  });

  it('create a 3D capture from each flight and move it', async () => {
    const rule = await keepExample('drone-landings.jsonc');
    await fixture.write({ 'flight-7/a.jpg': jpeg('a'), 'flight-7/b.jpg': jpeg('b'), 'flight-7/a.MRK': 'x' });
    await fixture.untilComplete(rule, 'flight-7');
    expect(assetNames()).toEqual([`flight-7 ${today}`]);
    const moved = join(fixture.folder, 'elsewhere');
    await expect.poll(() => existsSync(join(moved, 'flight-7', 'a.jpg'))).toBe(true);
  });

  it('create an asset from each nightly version of a file', async () => {
    const rule = await keepExample('nightly-orthos.jsonc');
    await fixture.write({ 'ortho.tif': tiff('monday') });
    await fixture.untilComplete(rule, 'ortho.tif');
    await fixture.write({ 'ortho.tif': tiff('tuesday') });
    await expect.poll(assetNames).toEqual([`ortho ${today}`, `ortho ${today}`]);
  });

  it('create a point cloud from each station of a scanner’s project', async () => {
    const rule = await keepExample('scanner-exports.jsonc');
    await fixture.write({ 'bridge/s1/1.las': las(), 'bridge/s2/1.las': las(20), 'bridge/notes.txt': 'x' });
    await fixture.untilComplete(rule, 'bridge/s1');
    await fixture.untilComplete(rule, 'bridge/s2');
    expect(assetNames().toSorted()).toEqual(['bridge s1', 'bridge s2']);
  });

  it('wait for the _SUCCESS of an FME workspace', async () => {
    const rule = await keepExample('fme.jsonc');
    await fixture.write({ 'city/a.gml': cityText() });
    await fixture.untilSource(rule, 'city', ({ state }) => state === 'waiting');
    await fixture.write({ 'city/b.gml': cityText(10), 'city/_SUCCESS': '' });
    await fixture.untilComplete(rule, 'city');
    expect(fixture.assets()).toMatchObject([{ name: 'city', type: '3DTILES' }]);
  });

  it('verify an authority’s archive by its checksum file and detect its kind', async () => {
    const rule = await keepExample('authority-zips.jsonc');
    const archive = zipOf('lod2.gml', cityText());
    await fixture.write({ 'lod2.zip': archive });
    await fixture.untilSource(rule, 'lod2.zip', ({ state }) => state === 'waiting');
    const sum = createHash('sha256').update(archive).digest('hex');
    await fixture.write({ 'lod2.zip.sha256': `${sum}  lod2.zip\n` });
    await fixture.untilComplete(rule, 'lod2.zip');
    expect(fixture.assets()).toMatchObject([{ name: 'lod2', type: '3DTILES' }]);
  });

  it('upload mirrored terrain and hold it when it changes', async () => {
    const rule = await keepExample('mirror.jsonc');
    await fixture.write({ 'dgm1/a.asc': heights, 'dgm1/a.prj': utm32, 'other/b.asc': heights });
    await fixture.untilComplete(rule, 'dgm1');
    await fixture.write({ 'dgm1/a.asc': heights.replace('1 2', '9 9') });
    await fixture.untilSource(rule, 'dgm1', ({ state }) => state === 'held');
    expect(assetNames()).toEqual(['dgm1']);
  });
});
