import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { sayPhrase } from '../../../../renderer/say.ts';
import type { DryRunLooked } from '../../../../shared/watch.ts';
import { jpeg, las } from '../../../deliveries/data.ts';
import { saidSource } from '../../../said.ts';
import { cityModel } from '../../../unit/inspect/formats/sample-heads.ts';
import { openWatchHouse, type WatchHouse } from '../house.ts';

let house: WatchHouse;
beforeEach(async () => {
  house = await openWatchHouse();
});
afterEach(() => house.close());

/** No file extension here fits a city model. */
const model = { 'Kai/town.obj': 'v 0 0 0\n', 'Kai/wall.jpg': jpeg() };
const reason = 'The kind of data is 3D model, but the rule expects CityGML: town.obj, wall.jpg.';
const isHeld = ({ state }: { readonly state: string }) => state === 'held';
const leftAlone = (rule: WatchRule) =>
  house.watch
    .sources(rule.id)
    .map(saidSource)
    .filter(({ state }) => state === 'left-alone')
    .map(({ path, why }) => `${path}: ${why}`);

it('holds a folder of another kind across a restart and uploads it once the rule fits', async () => {
  const rule = await house.rule({ sourceType: 'CITYGML' });
  await house.write(model);
  const { why, actions } = await house.untilSource(rule, 'Kai', isHeld);
  expect(why).toBe(`${reason} Nothing is uploaded until you choose.`);
  expect(actions).toEqual(['leave-it', 'take-anyway']);
  expect(house.watch.sources(rule.id)[0]).toMatchObject({ otherKind: true });
  await house.restart();
  await house.untilSource(rule, 'Kai', isHeld);
  expect(house.assets()).toEqual([]);
  await house.watch.save({ ...rule, sourceType: '3D_MODEL' }, false);
  await house.untilComplete(rule, 'Kai');
});

it('uploads or skips a folder of another kind as a person chooses', async () => {
  const rule = await house.rule({ sourceType: 'CITYGML' });
  await house.write({ ...model, 'Hafen/a.las': las(), 'Hafen/b.las': las(11) });
  await house.untilSource(rule, 'Kai', isHeld);
  await house.untilSource(rule, 'Hafen', isHeld);
  await house.watch.act(rule.id, 'Kai', 'take-anyway');
  await house.watch.act(rule.id, 'Hafen', 'leave-it');
  await house.untilComplete(rule, 'Kai');
  await house.untilSource(rule, 'Hafen', ({ state }) => state === 'skipped');
  expect(house.statuses()).toEqual(['Kai COMPLETE']);
});

it('names the file format as the kind of data if the files show no more', async () => {
  const rule = await house.rule({ sourceType: 'POINT_CLOUD' });
  await house.write({ 'Netz/a.gml': '<FeatureCollection/>', 'Bild/a.tif': 'no TIFF at all' });
  const netz = await house.untilSource(rule, 'Netz', isHeld);
  expect(netz.why).toMatch(/^The kind of data is GML, but the rule expects Point cloud: a\.gml\./);
  const bild = await house.untilSource(rule, 'Bild', isHeld);
  expect(bild.why).toMatch(/^The kind of data is Raster data, but the rule expects Point cloud: a\.tif\./);
});

it('skips previews, reports and single files of another kind', async () => {
  const rule = await house.rule({ sourceType: 'CITYGML' });
  await house.write({
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
  const rule = await house.rule({ sourceType: 'CITYGML', hold: 'never' });
  await house.write(model);
  await vi.waitFor(() => expect(leftAlone(rule)).toHaveLength(1), { timeout: 40_000 });
  expect((await house.watch.dryRun(rule)).sources).toEqual([]);
  expect(house.assets()).toEqual([]);
});

it('counts newly held sources separately when an edit of the rule includes them', async () => {
  const rule = await house.rule({ sourceType: 'CITYGML', on: false, ignore: ['/Kai'] });
  await house.write({ ...model, 'Hafen/a.gml': cityModel() });
  const told: DryRunLooked[] = [];
  const follow = {
    signal: new AbortController().signal,
    onProgress: (one: DryRunLooked) => void told.push(one),
  };
  expect(await house.watch.dryRun({ ...rule, ignore: [] }, follow)).toMatchObject({
    ...{ wouldBeTaken: 2, wouldBeHeld: 1 },
    ...{ newlyTaken: 1, newlyHeld: 1 },
  });
  await vi.waitFor(() => expect(told.at(-1)?.isOver).toBe(true), { timeout: 20_000 });
  expect(told.at(-1)).toMatchObject({ heldCount: 1, newlyHeld: 1 });
  expect(await house.watch.dryRun({ ...rule, hold: 'never' })).not.toHaveProperty('newlyHeld');
});

it('lists a folder of another kind in a dry run immediately, with its kind and the reason', async () => {
  const rule = await house.rule({ sourceType: 'CITYGML', on: false });
  await house.write({ ...model, 'Hafen/a.gml': cityModel() });
  const told: DryRunLooked[] = [];
  const follow = {
    signal: new AbortController().signal,
    onProgress: (one: DryRunLooked) => void told.push(one),
  };
  const run = await house.watch.dryRun(rule, follow);
  expect(run).toMatchObject({ wouldBeTaken: 2, wouldBeHeld: 1 });
  const shown = run.sources.map(({ path, sourceType, held }) => [path, sourceType, held?.map(sayPhrase)]);
  expect(shown).toEqual([
    ['Hafen', undefined, undefined],
    ['Kai', '3D_MODEL', [reason]],
  ]);
  await vi.waitFor(() => expect(told.at(-1)?.isOver).toBe(true), { timeout: 20_000 });
  expect(told.at(-1)?.held.map(({ path, why }) => [path, ...why.map(sayPhrase)])).toEqual([['Kai', reason]]);
  const fitting = await house.watch.dryRun({ ...rule, sourceType: '3D_MODEL' });
  expect(fitting.sources.map(({ path, held }) => [path, held !== undefined])).toEqual([
    ['Hafen', true],
    ['Kai', false],
  ]);
});
