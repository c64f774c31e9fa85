import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kml } from '../../../deliveries/data.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';

let fixture: WatchFixture;
beforeEach(async () => {
  fixture = await openWatchFixture();
});
afterEach(() => fixture.close());

const isHeld = ({ state }: { readonly state: string }) => state === 'held';
const photos = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`flight/${index}.jpg`, 100]));

describe('a rule that detects the kind of each source', () => {
  it('creates an asset of the detected kind with the options that apply', async () => {
    const rule = await fixture.rule({
      kindFrom: 'content',
      assetType: 'TERRAIN',
      sourceType: 'NOT_USED',
      clampToTerrain: true,
      options: '{"inputCrs":"EPSG:25832","quality":7}',
    });
    await fixture.write({
      ...photos,
      'heights.asc': 'ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n5\n',
      'places.kml': kml(),
    });
    for (const path of ['flight', 'heights.asc', 'places.kml']) await fixture.untilComplete(rule, path);
    const made = fixture
      .assets()
      .map(({ id, name, type }) => [name, type, fixture.service.control.optionsOf(Number(id))]);
    expect(made.sort()).toEqual([
      [
        'flight',
        '3DTILES',
        { sourceType: '3D_CAPTURE', clampToTerrain: true, inputCrs: 'EPSG:25832', quality: 7 },
      ],
      ['heights', 'TERRAIN', { sourceType: 'RASTER_TERRAIN', quality: 7 }],
      ['places', '3DTILES', { sourceType: 'KML', clampToTerrain: true, quality: 7 }],
    ]);
  });

  it('holds a source of unknown kind with the reason and lists it in a dry run', async () => {
    const rule = await fixture.rule({ kindFrom: 'content' });
    await fixture.write({ 'odd.dat': 'nothing that tells', 'places.kml': kml() });
    const run = await fixture.watch.dryRun(rule);
    expect(run.sources.map(({ path, sourceType }) => [path, sourceType])).toEqual([
      ['odd.dat', null],
      ['places.kml', 'KML'],
    ]);
    await fixture.untilComplete(rule, 'places.kml');
    const held = await fixture.untilSource(rule, 'odd.dat', isHeld);
    expect(held).toMatchObject({
      why: 'Tilelift can\u2019t tell what kind of data this is. Nothing is uploaded until you choose.',
      error: { code: 'watch-kind-undecided' },
      actions: ['leave-it', 'try-again'],
    });
    const [view] = fixture.watch.rules();
    expect(view).toMatchObject({
      notice: null,
      question: null,
      counts: { held: 1, settling: 0, waiting: 0 },
    });
    expect(fixture.statuses()).toEqual(['places COMPLETE']);
  });

  it('holds a source of unknown kind across a restart, and checks or skips it on request', async () => {
    const rule = await fixture.rule({ kindFrom: 'content' });
    await fixture.write({ 'odd.dat': 'nothing that tells' });
    await fixture.untilSource(rule, 'odd.dat', isHeld);
    await fixture.watch.act(rule.id, 'odd.dat', 'try-again');
    await fixture.untilSource(rule, 'odd.dat', ({ state }) => state === 'settling');
    await fixture.untilSource(rule, 'odd.dat', isHeld);
    await fixture.restart();
    await fixture.untilSource(rule, 'odd.dat', isHeld);
    await fixture.watch.act(rule.id, 'odd.dat', 'leave-it');
    await fixture.untilSource(rule, 'odd.dat', ({ state }) => state === 'skipped');
    expect(fixture.watch.rules()[0]?.counts.held).toBe(0);
    expect(fixture.assets()).toEqual([]);
  });

  it('uploads a held source once its files show their kind', async () => {
    const rule = await fixture.rule({ kindFrom: 'content' });
    await fixture.write({ 'odd/places.dat': 'nothing that tells' });
    await fixture.untilSource(rule, 'odd', isHeld);
    await fixture.write({ 'odd/places.kml': kml() });
    await fixture.untilComplete(rule, 'odd');
    expect(fixture.watch.rules()[0]?.counts.held).toBe(0);
  });
});
