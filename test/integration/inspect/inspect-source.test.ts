import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { scanSource } from '../../../main/files/walk/scan.ts';
import { readReferences } from '../../../main/inspect/grouping/read-references.ts';
import { createInspectionThread } from '../../../main/inspect/headers/inspection-thread.ts';
import { guessMs, inspectFirstFiles } from '../../../main/inspect/headers/look-inside.ts';
import { inspectSource } from '../../../main/inspect/inspect-source.ts';
import { guessOf } from '../../../main/inspect/session/guess.ts';
import { findCompanions } from '../../../main/inspect/together/companions.ts';
import { includeCompanions } from '../../../main/inspect/together/include-companions.ts';
import { createReferences } from '../../../main/inspect/together/references.ts';
import { sourceView } from '../../../main/ipc/views/source-view.ts';
import { type Clock, systemClock } from '../../../main/ports.ts';
import { sayValue } from '../../../renderer/say.ts';
import { describeFound } from '../../../renderer/words/source.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { cityModel, lasFile, projectedKeys, tiffFile } from '../../unit/inspect/formats/sample-heads.ts';
import { beginningOf } from '../../unit/inspect/together/beginnings.ts';
import { writeFiles } from '../../write-files.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

const thread = createInspectionThread();
const references = createReferences(thread, 'dropped');
afterAll(() => thread.close());

const patientClock: Clock = { ...systemClock, sleep: () => new Promise(() => {}) };

const fillFolder = (files: Readonly<Record<string, string | Buffer>>) => writeFiles(folder, files);

const inspect = async (...names: readonly string[]) => {
  const source = await inspectSource(
    names.map((name) => join(folder, name)),
    {
      scan: (paths) => scanSource(paths),
      inspectFirstFiles: (groups, files) =>
        inspectFirstFiles(groups, files, patientClock, thread.ask, guessMs),
      readReferences: (files) => readReferences(files, references.read, patientClock),
      includeCompanions: (droppedPaths) =>
        includeCompanions(droppedPaths, (at, ownNames) => findCompanions(at, ownNames, references)),
    },
  );
  return sourceView(
    guessOf(source, (groups) => groups),
    { forecast: () => null, recall: () => null },
  );
};
/** With usual spaces. */
const plain = (text: string) => text.replace(/\s/g, ' ');
const tif = tiffFile({ bands: 3, geoKeys: projectedKeys(25832) });
const laz = lasFile({ compressed: true, geoKeys: projectedKeys(25832) });

it('the inspection of dropped files lists ignored files and empty folders', async () => {
  await fillFolder({ 'town/a.gml': cityModel(), 'town/deep/Thumbs.db': '', 'town/.DS_Store': '' });
  await mkdir(join(folder, 'town', 'none', 'at all'), { recursive: true });
  const view = await inspect('town');
  expect(view.ignoredNames).toEqual(['.DS_Store', join('deep', 'Thumbs.db')]);
  expect(view.emptyFolders).toEqual(['deep', join('none', 'at all')]);
  expect([view.ignoredCount, view.emptyFolderCount]).toEqual([2, 2]);
});

describe('several dropped entries', () => {
  it('several dropped entries become an asset each if they are folders or of different kinds', async () => {
    await fillFolder({
      'a/1.gml': cityModel(),
      'b/1.gml': cityModel(),
      'scan.laz': laz,
      'scan.prj': 'PROJCS[]',
    });
    const folders = await inspect('a', 'b');
    expect(folders.suggestSeparate).toBe(true);
    expect(folders.separate.map(({ suggestedName }) => suggestedName)).toEqual(['a', 'b']);
    const mixedView = await inspect('scan.prj', 'scan.laz', 'a');
    expect(mixedView.suggestSeparate).toBe(true);
    expect(
      mixedView.separate.map(({ paths, suggestion }) => [paths.length, sayValue(suggestion?.reason ?? '')]),
    ).toEqual([
      [2, '1 .laz file, LAZ 1.4'],
      [1, '1 .gml file'],
    ]);
  });

  it('several assets of one dropped folder all begin with its name', async () => {
    await fillFolder({
      'Delivery/ortho/1.tif': tiffFile({ bands: 3 }),
      'Delivery/town/1.gml': cityModel(),
      'Delivery/scan_1.laz': laz,
      'Delivery/scan_2.laz': laz,
    });
    const view = await inspect('Delivery');
    expect(view.separate.map(({ suggestedName }) => suggestedName).toSorted()).toEqual([
      'Delivery · Point cloud',
      'Delivery · ortho',
      'Delivery · town',
    ]);
  });

  it('several dropped entries become one asset if they are tiles, but can be separated with their sidecars', async () => {
    await fillFolder({
      'x_1.tif': tiffFile({ bands: 3 }),
      'x_1.tfw': '',
      'x_2.tif': tiffFile({ bands: 3 }),
      'x_2.tab': 'CoordSys Earth Projection 8, 115',
    });
    const view = await inspect('x_1.tif', 'x_1.tfw', 'x_2.tif', 'x_2.tab');
    expect(view.suggestSeparate).toBe(false);
    expect(view.separate.map(({ paths }) => paths.length)).toEqual([2, 2]);
    expect(view.findings[0]).toMatchObject({ id: 'no-system-raster', count: 1, keys: ['x_1.tif'] });
  });

  it('several dropped entries become one asset if their kind is unknown, and empty entries none', async () => {
    await fillFolder({ 'a/1.e57': 'x', 'b/1.gml': cityModel() });
    await mkdir(join(folder, 'c'));
    expect((await inspect('a', 'b')).suggestSeparate).toBe(false);
    expect((await inspect('b', 'c')).separate).toEqual([]);
  });

  it('C13: keep a city model’s folder of pictures with it', async () => {
    await fillFolder({ 'mitte.gml': cityModel(), 'mitte_appearance/1.jpg': 'x', 'nord.gml': cityModel() });
    const view = await inspect('mitte.gml', 'mitte_appearance', 'nord.gml');
    expect(view.separate.map(({ fileCount }) => fileCount)).toEqual([2, 1]);
  });
});

it('single dropped file: includes its sidecars and neighbours', async () => {
  await fillFolder({
    'ortho.tif': tif,
    'ortho.tfw': '1',
    'ortho.prj': 'x',
    'ortho.pdf': 'x',
    'other.tif': tif,
  });
  const view = await inspect('ortho.tif');
  expect(view.paths).toEqual(['ortho.tif', 'ortho.prj', 'ortho.tfw'].map((name) => join(folder, name)));
  expect([view.taken.toSorted(), view.fileCount, view.separate]).toEqual([['ortho.prj', 'ortho.tfw'], 3, []]);
  expect(view.suggestedName).toBe('ortho');
});

it('single dropped file: becomes one item with its sidecars if the service doesn’t list its format', async () => {
  const names = ['parcels.shp', 'parcels.shx', 'parcels.dbf', 'parcels.prj'];
  await fillFolder(Object.fromEntries(names.map((name) => [name, 'x'])));
  for (const droppedNames of [['parcels.shp'], names]) {
    const view = await inspect(...droppedNames);
    expect([view.suggestion, view.separate, view.pieces.length, view.fileCount]).toEqual([null, [], 1, 4]);
  }
  expect(plain(describeFound(await inspect('parcels.shp')))).toBe('parcels.shp · 4 files · 4 bytes');
});

it('single dropped file: includes files that a model names, and nothing else of that folder', async () => {
  await fillFolder({
    'k.obj': 'mtllib k.mtl\nv 0 0 0\n',
    'k.mtl': 'newmtl a\nmap_Kd textures/wall.jpg\n',
    'textures/wall.jpg': beginningOf('wall.jpg'),
    'textures/other.jpg': 'x',
  });
  const view = await inspect('k.obj');
  expect(view.taken.toSorted()).toEqual(['k.mtl', 'textures/wall.jpg']);
  expect([view.fileCount, view.suggestion?.sourceType]).toEqual([3, '3D_MODEL']);
});
