import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { sayPhrase } from '../../../../renderer/say.ts';
import type { DryRunLooked } from '../../../../shared/watch.ts';
import { jpeg, las } from '../../../deliveries/data.ts';
import { saidSource } from '../../../said.ts';
import { cityModel } from '../../../unit/inspect/formats/sample-heads.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';

let fixture: WatchFixture;
beforeEach(async () => {
  fixture = await openWatchFixture();
});
afterEach(() => fixture.close());

/** No file extension here fits a city model. */
const model = { 'Kai/town.obj': 'v 0 0 0\n', 'Kai/wall.jpg': jpeg() };
const reason = 'The kind of data is 3D model, but the rule expects CityGML: town.obj, wall.jpg.';
const isHeld = ({ state }: { readonly state: string }) => state === 'held';
const leftAlone = (rule: WatchRule) =>
  fixture.watch
    .sources(rule.id)
    .map(saidSource)
    .filter(({ state }) => state === 'left-alone')
    .map(({ path, why }) => `${path}: ${why}`);

it('holds a folder of another kind across a restart and uploads it once the rule fits', async () => {
  const rule = await fixture.rule({ sourceType: 'CITYGML' });
  await fixture.write(model);
  const { why, actions } = await fixture.untilSource(rule, 'Kai', isHeld);
  expect(why).toBe(`${reason} Nothing is uploaded until you choose.`);
  expect(actions).toEqual(['leave-it', 'take-anyway']);
  expect(fixture.watch.sources(rule.id)[0]).toMatchObject({ otherKind: true });
  await fixture.restart();
  await fixture.untilSource(rule, 'Kai', isHeld);
  expect(fixture.assets()).toEqual([]);
  await fixture.watch.save({ ...rule, sourceType: '3D_MODEL' }, false);
  await fixture.untilComplete(rule, 'Kai');
});

it('uploads or skips a folder of another kind as a person chooses', async () => {
  const rule = await fixture.rule({ sourceType: 'CITYGML' });
  await fixture.write({ ...model, 'Hafen/a.las': las(), 'Hafen/b.las': las(11) });
  await fixture.untilSource(rule, 'Kai', isHeld);
  await fixture.untilSource(rule, 'Hafen', isHeld);
  await fixture.watch.act(rule.id, 'Kai', 'take-anyway');
  await fixture.watch.act(rule.id, 'Hafen', 'leave-it');
  await fixture.untilComplete(rule, 'Kai');
  await fixture.untilSource(rule, 'Hafen', ({ state }) => state === 'skipped');
  expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
});

it('names the file format as the kind of data if the files show no more', async () => {
  const rule = await fixture.rule({ sourceType: 'POINT_CLOUD' });
  await fixture.write({ 'Netz/a.gml': '<FeatureCollection/>', 'Bild/a.tif': 'no TIFF at all' });
  const netz = await fixture.untilSource(rule, 'Netz', isHeld);
  expect(netz.why).toMatch(/^The kind of data is GML, but the rule expects Point cloud: a\.gml\./);
  const bild = await fixture.untilSource(rule, 'Bild', isHeld);
  expect(bild.why).toMatch(/^The kind of data is Raster data, but the rule expects Point cloud: a\.tif\./);
});

it('skips previews, reports and single files of another kind', async () => {
  const rule = await fixture.rule({ sourceType: 'CITYGML' });
  await fixture.write({
    'Vorschau/a.jpg': jpeg(),
    'Vorschau/b.png': 'png',
    'Bericht/Bericht.docx': 'words',
    'Bericht/Rechnung.pdf': 'words',
    'Bericht/a.obj': 'v 0 0 0',
    'Netz/a.shp': 'x',
    'model.glb': 'glTF',
  });
  await vi.waitFor(() => expect(leftAlone(rule)).toHaveLength(4), { timeout: 40_000 });
  expect(leftAlone(rule).sort()).toEqual([
    'Bericht: Contains none of the kind of data expected here',
    'Netz: Contains none of the kind of data expected here',
    'Vorschau: Contains none of the kind of data expected here',
    'model.glb: Not the kind of data expected here',
  ]);
});

it('skips a folder of another kind if the rule holds nothing', async () => {
  const rule = await fixture.rule({ sourceType: 'CITYGML', hold: 'never' });
  await fixture.write(model);
  await vi.waitFor(() => expect(leftAlone(rule)).toHaveLength(1), { timeout: 40_000 });
  expect((await fixture.watch.dryRun(rule)).sources).toEqual([]);
  expect(fixture.assets()).toEqual([]);
});

it('counts newly held sources separately when an edit of the rule includes them', async () => {
  const rule = await fixture.rule({ sourceType: 'CITYGML', on: false, ignore: ['/Kai'] });
  await fixture.write({ ...model, 'Hafen/a.gml': cityModel() });
  const reported: DryRunLooked[] = [];
  const follow = {
    signal: new AbortController().signal,
    onProgress: (one: DryRunLooked) => void reported.push(one),
  };
  expect(await fixture.watch.dryRun({ ...rule, ignore: [] }, follow)).toMatchObject({
    ...{ wouldBeTaken: 2, wouldBeHeld: 1 },
    ...{ newlyTaken: 1, newlyHeld: 1 },
  });
  await vi.waitFor(() => expect(reported.at(-1)?.isOver).toBe(true), { timeout: 20_000 });
  expect(reported.at(-1)).toMatchObject({ heldCount: 1, newlyHeld: 1 });
  expect(await fixture.watch.dryRun({ ...rule, hold: 'never' })).not.toHaveProperty('newlyHeld');
});

it('lists a folder of another kind in a dry run immediately, with its kind and the reason', async () => {
  const rule = await fixture.rule({ sourceType: 'CITYGML', on: false });
  await fixture.write({ ...model, 'Hafen/a.gml': cityModel() });
  const reported: DryRunLooked[] = [];
  const follow = {
    signal: new AbortController().signal,
    onProgress: (one: DryRunLooked) => void reported.push(one),
  };
  const run = await fixture.watch.dryRun(rule, follow);
  expect(run).toMatchObject({ wouldBeTaken: 2, wouldBeHeld: 1 });
  const shown = run.sources.map(({ path, sourceType, held }) => [path, sourceType, held?.map(sayPhrase)]);
  expect(shown).toEqual([
    ['Hafen', undefined, undefined],
    ['Kai', '3D_MODEL', [reason]],
  ]);
  await vi.waitFor(() => expect(reported.at(-1)?.isOver).toBe(true), { timeout: 20_000 });
  expect(reported.at(-1)?.held.map(({ path, why }) => [path, ...why.map(sayPhrase)])).toEqual([
    ['Kai', reason],
  ]);
  const fitting = await fixture.watch.dryRun({ ...rule, sourceType: '3D_MODEL' });
  expect(fitting.sources.map(({ path, held }) => [path, held !== undefined])).toEqual([
    ['Hafen', true],
    ['Kai', false],
  ]);
});
