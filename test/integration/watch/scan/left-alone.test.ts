import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { verdictOn } from '../../../../main/inspect/data-extensions.ts';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { scanRule } from '../../../../main/watch/scan/scan-rule.ts';
import { jpeg } from '../../../deliveries/data.ts';
import { saidSource } from '../../../said.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';
import { createWatchedFolder, type WatchedFolder } from '../watched-folder.ts';

describe('files next to data', () => {
  let fixture: WatchFixture;
  beforeEach(async () => {
    fixture = await openWatchFixture();
  });
  afterEach(() => fixture.close());

  const leftAlone = (rule: WatchRule) =>
    fixture.watch
      .sources(rule.id)
      .map(saidSource)
      .filter(({ state }) => state === 'left-alone')
      .map(({ path, why }) => `${path}: ${why}`)
      .sort();
  const untilLeftAlone = (rule: WatchRule, count: number) =>
    vi.waitFor(() => expect(fixture.watch.rules()[0]?.counts.leftAlone, rule.id).toBe(count), {
      timeout: 40_000,
    });

  it('skips files that aren’t data and lists them with the reason', async () => {
    await fixture.write({
      'flight/a.jpg': jpeg('a'),
      'flight/Lies_mich.txt': 'read me',
      'Lies_mich.txt': 'read me',
      'report.pdf': 'report',
      'metadata.csv': 'a,b',
      '100_0001_Timestamp.MRK': '1 2',
      'city.gml': '<a/>',
      'documents/offer.docx': 'offer',
      'documents/film.mp4': 'film',
    });
    const rule = await fixture.rule();
    await fixture.untilComplete(rule, 'flight');
    await untilLeftAlone(rule, 6);
    expect(leftAlone(rule)).toEqual([
      '100_0001_Timestamp.MRK: Contains no data to tile',
      'Lies_mich.txt: Contains no data to tile',
      'city.gml: Not the kind of data expected here',
      'documents: Contains none of the kind of data expected here',
      'metadata.csv: Contains no data to tile',
      'report.pdf: Contains no data to tile',
    ]);
    expect(fixture.statuses()).toEqual(['flight COMPLETE']);
    expect(
      (await fixture.watch.dryRun({ ...rule, folder: rule.folder })).sources.map(({ path }) => path),
    ).toEqual(['flight']);
    await fixture.restart();
    await untilLeftAlone(rule, 6);
    expect(fixture.assets()).toHaveLength(1);
  });

  it('uploads a skipped file when a person asks, and only once across a restart', async () => {
    await fixture.write({ 'report.pdf': 'report', 'offer.pdf': 'offer' });
    const rule = await fixture.rule();
    await untilLeftAlone(rule, 2);
    await fixture.watch.act(rule.id, 'report.pdf', 'take-anyway');
    await fixture.untilComplete(rule, 'report.pdf');
    await fixture.restart();
    await untilLeftAlone(rule, 1);
    expect(fixture.statuses()).toEqual(['report COMPLETE']);
    await fixture.watch.act(rule.id, 'no such thing.pdf', 'take-anyway');
    expect(leftAlone(rule)).toEqual(['offer.pdf: Contains no data to tile']);
  });

  it('uploads a skipped folder once it contains data, and no longer lists removed files', async () => {
    await fixture.write({ 'flight/report.pdf': 'report', 'note.txt': 'note' });
    const rule = await fixture.rule();
    await untilLeftAlone(rule, 2);
    await fixture.write({ 'flight/a.jpg': jpeg('a') });
    await fixture.untilComplete(rule, 'flight');
    await rm(join(fixture.incoming, 'note.txt'));
    await untilLeftAlone(rule, 0);
    expect(fixture.statuses()).toEqual(['flight COMPLETE']);
  });
});

describe('skipping files that aren’t data', () => {
  let folder: WatchedFolder;
  beforeEach(async () => {
    folder = await createWatchedFolder();
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  async function sorted(change: Partial<WatchRule>, isMeant = (_path: string) => false) {
    const { sources, leftAlone } = await scanRule(folder.rule(change), { isMeant });
    return [sources.map(({ path }) => path).join(' '), leftAlone.map(({ path }) => path).join(' ')];
  }

  it('keeps earlier uploads, files that belong to data and files that patterns name', async () => {
    await folder.put('a.pdf', 'b.pdf', 'c.tif', 'c.pdf');
    expect(await sorted({}, (path) => path === 'b.pdf')).toEqual(['b.pdf c.tif', 'a.pdf']);
    expect(await sorted({ unit: { kind: 'files', patterns: ['*.pdf'] } })).toEqual(['a.pdf b.pdf', '']);
  });

  it('checks the content of a file with an ambiguous extension', async () => {
    await folder.write('city.xml', '<core:CityModel xmlns="http://www.opengis.net/citygml/2.0"/>');
    await folder.write('city16.xml', Buffer.from('\ufeff<CityModel xmlns="a"/>', 'utf16le'));
    await folder.write('metadata.xml', '<metadata/>');
    expect(await sorted({ sourceType: 'CITYGML' })).toEqual(['city.xml city16.xml', 'metadata.xml']);
    await folder.write('points.txt', 'x y z\n1.5 2.5 3\n4 5 6\n');
    await folder.write('readme.txt', 'Flown on 2024-11-21.\nPoints: 3\n');
    expect(await sorted({ sourceType: 'POINT_CLOUD' })).toEqual([
      'points.txt',
      'city.xml city16.xml metadata.xml readme.txt',
    ]);
  });

  it('skips an index of pictures and keeps the pictures', async () => {
    await folder.write('index.kml', '<kml><Icon><href>a.tif</href></Icon></kml>');
    await folder.putData('a.tif');
    expect(await sorted({ sourceType: 'RASTER_IMAGERY' })).toEqual(['a.tif', 'index.kml']);
    expect(await sorted({ sourceType: 'KML' })).toEqual(['index.kml', '']);
  });

  it('keeps files of unknown formats, and all files under a rule of an unknown kind', async () => {
    await folder.put('a.unheard', 'plain', 'a.zip', 'b.7z.001', 'c.gml');
    expect(await sorted({ sourceType: 'RASTER_IMAGERY' })).toEqual([
      'a.unheard a.zip b.7z.001 plain',
      'c.gml',
    ]);
    expect(await sorted({ sourceType: 'MY_OWN' })).toEqual(['a.unheard a.zip b.7z.001 c.gml plain', '']);
  });
});

it.each([
  ['a.tif', 'RASTER_TERRAIN', 'data'],
  ['a.jpg', 'RASTER_TERRAIN', 'other'],
  ['a.jpg', '3D_CAPTURE', 'data'],
  ['a.las', '3D_MODEL', 'other'],
  ['a.LAZ', 'POINT_CLOUD', 'data'],
  ['a.kmz', 'KML', 'data'],
  ['a.ifc', 'BIM_CAD', 'data'],
  ['tileset.json', '3DTILES', 'data'],
  ['a.terraindb', 'TERRAIN_DATABASE', 'data'],
  ['a.shp', 'RASTER_IMAGERY', 'other'],
  ['DJI_0001.MP4', '3D_CAPTURE', 'none'],
  ['README', 'CITYGML', 'none'],
])('classifies %s for a rule of %s: %s', (name, sourceType, verdict) => {
  expect(verdictOn(name, sourceType)).toBe(verdict);
});
