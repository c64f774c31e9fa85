import { mkdir, symlink } from 'node:fs/promises';
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
import { capture } from '../../unit/inspect/findings/model-files.ts';
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

const patient: Clock = { ...systemClock, sleep: () => new Promise(() => {}) };

const fill = (files: Readonly<Record<string, string | Buffer>>) => writeFiles(folder, files);

const inspect = async (...names: readonly string[]) => {
  const source = await inspectSource(
    names.map((name) => join(folder, name)),
    {
      scan: (paths) => scanSource(paths),
      inspectFirstFiles: (sources) => inspectFirstFiles(sources, patient, thread, guessMs),
      readReferences: (files) => readReferences(files, references.read, patient),
      includeCompanions: (dropped) =>
        includeCompanions(dropped, (at, own) => findCompanions(at, own, references)),
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

describe('inspection of dropped files', () => {
  it('detects the kind by headers and missing coordinate systems', async () => {
    await fill({
      'dgm/north.tif': tiffFile({ bits: 32, sampleFormat: 3, geoKeys: projectedKeys(25833) }),
      'dgm/south.tif': tiffFile({ bits: 32, sampleFormat: 3 }),
    });
    const view = await inspect('dgm');
    expect(view.suggestion?.sourceType).toBe('RASTER_TERRAIN');
    expect(sayValue(view.suggestion?.reason ?? '')).toBe(
      '2 .tif files, 1 band of 32-bit floats, EPSG:25833 · ETRS89 / UTM zone 33N · Europe between 12°E and 18°E',
    );
    expect(view.findings[0]).toMatchObject({
      id: 'no-system-raster',
      count: 1,
      looked: 2,
      total: 2,
      keys: ['south.tif'],
    });
    expect(view.kindKey).toBe('RASTER_TERRAIN');
    expect(view.footprints).toEqual([]);
  });

  it('treats models around capture metadata as a capture and ignores previews of scans', async () => {
    await fill({
      'mesh/metadata.xml': capture('EPSG:25832', '0,0,0'),
      'mesh/Data/a.obj': 'v 0 0 0\n',
      'scans/a.e57': 'x',
      'scans/preview.jpg': 'x',
    });
    expect((await inspect('mesh')).suggestion?.sourceType).toBe('3D_CAPTURE');
    expect((await inspect('scans')).suggestion).toBe(null);
  });

  it('reports the files’ location', async () => {
    const box = [550_000, 5_800_000, 551_000, 5_801_000] as const;
    await fill({
      'als/a.las': lasFile({ geoKeys: projectedKeys(25832), box }),
      'als/b.las': lasFile({ geoKeys: [], box }),
    });
    const { footprints } = await inspect('als');
    expect(footprints.map(({ key }) => key)).toEqual(['a.las']);
    const [lon = 0, lat = 0] = footprints[0]?.ring[0] ?? [];
    expect([lon.toFixed(3), lat.toFixed(3)]).toEqual(['9.734', '52.357']);
  });

  it('lists ignored files and empty folders', async () => {
    await fill({ 'town/a.gml': cityModel(), 'town/deep/Thumbs.db': '', 'town/.DS_Store': '' });
    await mkdir(join(folder, 'town', 'none', 'at all'), { recursive: true });
    const view = await inspect('town');
    expect(view.ignoredNames).toEqual(['.DS_Store', join('deep', 'Thumbs.db')]);
    expect(view.emptyFolders).toEqual(['deep', join('none', 'at all')]);
    expect([view.ignoredCount, view.emptyFolderCount]).toEqual([2, 2]);
  });

  it('lists links without following them', async () => {
    await fill({ 'town/a.gml': cityModel() });
    await symlink('/no/such/thing', join(folder, 'town', 'b.gml'));
    const view = await inspect('town');
    expect([view.linkCount, view.links, view.ignoredCount]).toEqual([1, ['b.gml'], 0]);
  });
});

describe('textures that a model names', () => {
  const model = {
    'kirche/k.obj': 'mtllib mtl/farben.mtl\nv 0 0 0\n',
    'kirche/mtl/farben.mtl': 'newmtl a\nmap_Kd tex/Wand.TIF\nmap_d -bm 1 tex/licht.png\n',
    'kirche/tex/wand.tif': tif,
    'kirche/tex/wand.tfw': '',
    'kirche/tex/licht.png': '',
  };

  it('treats textures as neither imagery nor located files', async () => {
    await fill({ ...model, 'dop/1.tif': tif, 'dop/2.tif': tif, 'scan/a.laz': laz, 'town.gml': cityModel() });
    const view = await inspect('.');
    const own = view.separate.map(({ suggestion, fileCount, group }) => ({
      kind: suggestion?.sourceType,
      ...{ fileCount, system: view.assets[group]?.systems[0]?.system ?? null },
    }));
    expect(own).toEqual([
      { kind: 'RASTER_IMAGERY', fileCount: 2, system: 'EPSG:25832' },
      { kind: '3D_MODEL', fileCount: 5, system: null },
      { kind: 'POINT_CLOUD', fileCount: 1, system: 'EPSG:25832' },
      { kind: 'CITYGML', fileCount: 1, system: 'EPSG:25832 + EPSG:5783' },
    ]);
  });

  it('finds textures of glTF and COLLADA too, and in each dropped folder', async () => {
    await fill({
      'a/x.gltf': JSON.stringify({ images: [{ uri: 'x.tif' }], buffers: [{ uri: 'x.bin' }] }),
      ...{ 'a/x.tif': tif, 'a/x.bin': 'x', 'b/y.tif': tif, 'c/1.tif': tif },
      'b/y.dae':
        '<COLLADA><library_images><image><init_from>y.tif</init_from></image></library_images></COLLADA>',
    });
    const view = await inspect('a', 'b', 'c');
    expect(view.separate.map(({ suggestion, fileCount }) => [suggestion?.sourceType, fileCount])).toEqual([
      ['3D_MODEL', 3],
      ['3D_MODEL', 2],
      ['RASTER_IMAGERY', 1],
    ]);
  });
});

describe('several dropped entries', () => {
  it('become an asset each if they are folders or of different kinds', async () => {
    await fill({ 'a/1.gml': cityModel(), 'b/1.gml': cityModel(), 'scan.laz': laz, 'scan.prj': 'PROJCS[]' });
    const folders = await inspect('a', 'b');
    expect(folders.suggestSeparate).toBe(true);
    expect(folders.separate.map(({ suggestedName }) => suggestedName)).toEqual(['a', 'b']);
    const mixed = await inspect('scan.prj', 'scan.laz', 'a');
    expect(mixed.suggestSeparate).toBe(true);
    expect(
      mixed.separate.map(({ paths, suggestion }) => [paths.length, sayValue(suggestion?.reason ?? '')]),
    ).toEqual([
      [2, '1 .laz file, LAZ 1.4, EPSG:25832'],
      [1, '1 .gml file, EPSG:25832 + EPSG:5783'],
    ]);
  });

  it('become one asset if they are tiles, but can be separated with their sidecars', async () => {
    await fill({
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

  it('become one asset if their kind is unknown, and empty entries none', async () => {
    await fill({ 'a/1.e57': 'x', 'b/1.gml': cityModel() });
    await mkdir(join(folder, 'c'));
    expect((await inspect('a', 'b')).suggestSeparate).toBe(false);
    expect((await inspect('b', 'c')).separate).toEqual([]);
  });

  it('C13: keep a city model’s folder of pictures with it', async () => {
    await fill({ 'mitte.gml': cityModel(), 'mitte_appearance/1.jpg': 'x', 'nord.gml': cityModel() });
    const view = await inspect('mitte.gml', 'mitte_appearance', 'nord.gml');
    expect(view.separate.map(({ fileCount }) => fileCount)).toEqual([2, 1]);
  });
});

/** A line for each asset, and what is left out. */
function linesOf({ separate, assets: inspectedAssets, pieces }: Awaited<ReturnType<typeof inspect>>) {
  const assets = separate.map(
    ({ suggestedName, suggestion, group, fileCount }) =>
      `${suggestedName}: ${suggestion?.sourceType}, ${inspectedAssets[group]?.systems[0]?.system ?? null}, ${fileCount}`,
  );
  const out = pieces.flatMap(({ reason, names }) => (reason ? [`${reason}: ${names.join(' ')}`] : []));
  return [...assets, ...out];
}

describe('mixture of kinds', () => {
  it('becomes an asset for each kind in one folder, without files that are no geodata', async () => {
    const dgm = tiffFile({ bits: 32, sampleFormat: 3, geoKeys: projectedKeys(25832) });
    await fill({
      ...{ 'essen/a.tif': tif, 'essen/a.tfw': '1', 'essen/b.tif': tif, 'essen/scan.laz': laz },
      ...{ 'essen/Bericht.docx': 'x', 'essen/film.mp4': 'x', 'essen/dgm/1.tif': dgm },
    });
    const view = await inspect('essen');
    expect(view.suggestSeparate).toBe(true);
    expect(linesOf(view)).toEqual([
      'essen: RASTER_IMAGERY, EPSG:25832, 3',
      'dgm: RASTER_TERRAIN, EPSG:25832, 1',
      'scan: POINT_CLOUD, EPSG:25832, 1',
      'document: Bericht.docx film.mp4',
    ]);
    expect([view.fileCount, view.findings.map(({ id }) => id)]).toEqual([7, expect.anything()]);
  });

  it('splits a mixture by subfolders as if these had been dropped', async () => {
    await fill({ 'essen/Imagery/a.tif': tif, 'essen/Scan/1.laz': laz, 'essen/readme.txt': 'x' });
    const view = await inspect('essen');
    expect(linesOf(view)).toEqual([
      'Imagery: RASTER_IMAGERY, EPSG:25832, 1',
      'Scan: POINT_CLOUD, EPSG:25832, 1',
      'note: readme.txt',
    ]);
    expect(view.separate.map(({ paths }) => paths)).toEqual([
      [join(folder, 'essen', 'Imagery')],
      [join(folder, 'essen', 'Scan')],
    ]);
  });

  it('becomes one asset without the documents around it', async () => {
    await fill({ 'essen/a.tif': tif, 'essen/Bericht.pdf': 'x', 'essen/readme.txt': 'x' });
    const view = await inspect('essen');
    expect([view.separate, view.suggestion?.sourceType]).toEqual([[], 'RASTER_IMAGERY']);
    expect(linesOf(view)).toEqual(['document: Bericht.pdf']);
  });
});

describe('single dropped file', () => {
  it('includes its sidecars and neighbours', async () => {
    await fill({ 'ortho.tif': tif, 'ortho.tfw': '1', 'ortho.prj': 'x', 'ortho.pdf': 'x', 'other.tif': tif });
    const view = await inspect('ortho.tif');
    expect(view.paths).toEqual(['ortho.tif', 'ortho.prj', 'ortho.tfw'].map((name) => join(folder, name)));
    expect([view.taken.toSorted(), view.fileCount, view.separate]).toEqual([
      ['ortho.prj', 'ortho.tfw'],
      3,
      [],
    ]);
    expect(view.suggestedName).toBe('ortho');
  });

  it('becomes one item with its sidecars if the service doesn’t list its format', async () => {
    const names = ['parcels.shp', 'parcels.shx', 'parcels.dbf', 'parcels.prj'];
    await fill(Object.fromEntries(names.map((name) => [name, 'x'])));
    for (const dropped of [['parcels.shp'], names]) {
      const view = await inspect(...dropped);
      expect([view.suggestion, view.separate, view.pieces.length, view.fileCount]).toEqual([null, [], 1, 4]);
    }
    expect(plain(describeFound(await inspect('parcels.shp')))).toBe('parcels.shp · 4 files · 4 bytes');
  });

  it('includes files that a model names, and nothing else of that folder', async () => {
    await fill({
      'k.obj': 'mtllib k.mtl\nv 0 0 0\n',
      'k.mtl': 'newmtl a\nmap_Kd textures/wall.jpg\n',
      'textures/wall.jpg': beginningOf('wall.jpg'),
      'textures/other.jpg': 'x',
    });
    const view = await inspect('k.obj');
    expect(view.taken.toSorted()).toEqual(['k.mtl', 'textures/wall.jpg']);
    expect([view.fileCount, view.suggestion?.sourceType]).toEqual([3, '3D_MODEL']);
  });
});
