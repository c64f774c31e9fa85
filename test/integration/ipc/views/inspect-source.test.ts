import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectSource } from '../../../../main/ipc/views/inspect-source.ts';
import { type Clock, systemClock } from '../../../../main/outside.ts';
import { lookInside } from '../../../../main/source/heads/look-inside.ts';
import { createLookThread } from '../../../../main/source/heads/look-thread.ts';
import { scanSource } from '../../../../main/source/walk/scan.ts';
import { sayValue } from '../../../../strings/phrase.ts';
import { cityModel, lasFile, projectedKeys, tiffFile } from '../../../unit/source/heads/sample-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-inspect-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const thread = createLookThread();
afterAll(() => thread.close());

const patient: Clock = { ...systemClock, sleep: () => new Promise(() => {}) };

async function fill(files: Readonly<Record<string, string | Buffer>>) {
  for (const [key, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, key)), { recursive: true });
    await writeFile(join(folder, key), bytes);
  }
}

const inspect = (...names: readonly string[]) =>
  inspectSource(
    names.map((name) => join(folder, name)),
    {
      scan: (paths) => scanSource(paths),
      lookInside: (sources) => lookInside(sources, patient, thread),
      forecast: () => null,
      recall: () => null,
    },
  );
const laz = lasFile({ compressed: true, geoKeys: projectedKeys(25832) });

describe('the look at what was dropped', () => {
  it('says what it is by its heads, and what lacks a coordinate system', async () => {
    await fill({
      'dgm/north.tif': tiffFile({ bits: 32, sampleFormat: 3, geoKeys: projectedKeys(25833) }),
      'dgm/south.tif': tiffFile({ bits: 32, sampleFormat: 3 }),
    });
    const view = await inspect('dgm');
    expect(view.suggestion?.sourceType).toBe('RASTER_TERRAIN');
    expect(sayValue(view.suggestion?.reason ?? '')).toBe('2 .tif files, 1 band of 32-bit floats, EPSG:25833');
    expect(view.lacking).toMatchObject([{ lacking: 1, looked: 2, total: 2, examples: ['south.tif'] }]);
    expect(view.kindKey).toBe('RASTER_TERRAIN');
  });

  it('names ignored files and empty folders', async () => {
    await fill({ 'town/a.gml': cityModel(), 'town/deep/Thumbs.db': '', 'town/.DS_Store': '' });
    await mkdir(join(folder, 'town', 'none', 'at all'), { recursive: true });
    const view = await inspect('town');
    expect(view.ignoredNames).toEqual(['.DS_Store', join('deep', 'Thumbs.db')]);
    expect(view.emptyFolders).toEqual(['deep', join('none', 'at all')]);
    expect([view.ignoredCount, view.emptyFolderCount]).toEqual([2, 2]);
  });

  it('names links, which are not followed', async () => {
    await fill({ 'town/a.gml': cityModel() });
    await symlink('/no/such/thing', join(folder, 'town', 'b.gml'));
    const view = await inspect('town');
    expect([view.linkCount, view.links, view.ignoredCount]).toEqual([1, ['b.gml'], 0]);
  });
});

describe('several dropped entries', () => {
  it('are an asset each where they are folders, and so are different kinds', async () => {
    await fill({ 'a/1.gml': cityModel(), 'b/1.gml': cityModel(), 'scan.laz': laz, 'scan.prj': 'PROJCS[]' });
    const folders = await inspect('a', 'b');
    expect(folders.suggestParts).toBe(true);
    expect(folders.parts.map(({ suggestedName }) => suggestedName)).toEqual(['a', 'b']);
    const mixed = await inspect('scan.prj', 'scan.laz', 'a');
    expect(mixed.suggestParts).toBe(true);
    expect(
      mixed.parts.map(({ paths, suggestion }) => [paths.length, sayValue(suggestion?.reason ?? '')]),
    ).toEqual([
      [2, '1 .laz file, LAZ 1.4, EPSG:25832'],
      [1, '1 .gml file, EPSG:25832'],
    ]);
  });

  it('are rather one where they are tiles, but can be an asset each with what belongs to them', async () => {
    await fill({
      'x_1.tif': tiffFile({ bands: 3 }),
      'x_1.tfw': '',
      'x_2.tif': tiffFile({ bands: 3 }),
      'x_2.prj': 'PROJCS[]',
    });
    const view = await inspect('x_1.tif', 'x_1.tfw', 'x_2.tif', 'x_2.prj');
    expect(view.suggestParts).toBe(false);
    expect(view.parts.map(({ paths }) => paths.length)).toEqual([2, 2]);
    expect(view.lacking).toMatchObject([{ lacking: 1, examples: ['x_1.tif'] }]);
  });

  it('are one where nobody knows what they are, and empty entries are none', async () => {
    await fill({ 'a/1.e57': 'x', 'b/1.gml': cityModel() });
    await mkdir(join(folder, 'c'));
    expect((await inspect('a', 'b')).suggestParts).toBe(false);
    expect((await inspect('b', 'c')).parts).toEqual([]);
  });

  it('keep a city model’s folder of pictures with it', async () => {
    await fill({ 'mitte.gml': cityModel(), 'mitte_appearance/1.jpg': 'x', 'nord.gml': cityModel() });
    const view = await inspect('mitte.gml', 'mitte_appearance', 'nord.gml');
    expect(view.parts.map(({ fileCount }) => fileCount)).toEqual([2, 1]);
  });
});
