import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createInspector } from '../../../main/inspect/session/inspector.ts';
import type { SomeFiles } from '../../../shared/source-changes.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { archiveOf } from '../../unit/inspect/formats/archive-files.ts';
import { tileset } from '../../unit/inspect/formats/document-files.ts';
import { lasFile, projectedKeys, tiffFile } from '../../unit/inspect/formats/sample-heads.ts';

async function houseWith(names: readonly string[]) {
  const folder = temporaryFolder();
  const [tif, las] = [tiffFile({ bands: 3 }), lasFile({})];
  await mkdir(join(folder, 'tiles'));
  for (const name of names) await writeFile(join(folder, 'tiles', name), name.endsWith('.las') ? las : tif);
  const stop = new AbortController();
  const inspector = createInspector(undefined, stop.signal);
  onTestFinished(() => inspector.close());
  return { folder, inspector, stop };
}

it('groups paths and returns the paths of each asset, also in several messages', async () => {
  const names = Array.from({ length: 5_200 }, (_, at) => `${at}.tif`);
  const { folder, inspector } = await houseWith([...names, 'a.las', 'film.mp4']);
  const {
    totals,
    whole: combinedAsset,
    separate,
    leftOutFiles: remaining,
    suggestSeparate,
  } = await inspector.decide([folder]);
  expect([totals.files, combinedAsset.files, suggestSeparate]).toEqual([5_202, 5_201, true]);
  expect(remaining).toMatchObject([{ reason: 'document', files: 1, names: ['tiles/film.mp4'] }]);
  const paths = await Promise.all(separate.map((asset) => inspector.pathsOf(asset)));
  expect(paths.map((ownPaths) => ownPaths.length).sort()).toEqual([1, 5_200]);
  expect(new Set(paths.flat())).toEqual(
    new Set([...names, 'a.las'].map((name) => join(folder, 'tiles', name))),
  );
});

it.each(['zip', '3tz'])('names the root of a tileset in a %s archive', async (extension) => {
  const { folder, inspector } = await houseWith([]);
  const path = join(folder, `data.${extension}`);
  await writeFile(path, archiveOf({ 'a/scene.json': tileset(), 'a/tiles/b.json': '{}', 'a/a.b3dm': 'x' }));
  const { whole: combinedAsset } = await inspector.decide([path]);
  expect([combinedAsset.suggestion?.sourceType, combinedAsset.tilesetRoot]).toEqual([
    '3DTILES',
    'a/scene.json',
  ]);
  const [file] = [{ path, key: `data.${extension}`, size: 1_000, mtimeMs: 0 }];
  expect(await inspector.propose({ paths: [path], files: [file] })).toMatchObject({
    tilesetRoot: 'a/scene.json',
  });
});

it('creates a job from selected assets of the sheet with all their paths', async () => {
  const names = Array.from({ length: 5_200 }, (_, at) => `${at}.tif`);
  const { folder, inspector } = await houseWith([...names, 'film.mp4']);
  const { kept: keptPieces } = await inspector.ask('show', { paths: [folder] });
  const changes = {
    leftOut: [{ keys: ['tiles/1.tif'] }],
    assigned: [{ epsg: 25832, files: { keys: ['tiles/2.tif'] } }],
  };
  const part = await inspector.requestPart({ paths: [folder], pieces: keptPieces, changes });
  expect(part.expected?.files).toBe(5_200);
  expect(part.changes?.only).toHaveLength(5_200);
  expect(part.changes?.leftOut).toEqual([join(folder, 'tiles/1.tif')]);
  expect(part.changes?.assigned).toEqual([{ epsg: 25832, files: [join(folder, 'tiles/2.tif')] }]);
});

it('shows the first file of the sheet that is not left out, by name or with a finding', async () => {
  const { folder, inspector } = await houseWith(['bare.tif']);
  await writeFile(join(folder, 'tiles', 'ortho.tif'), tiffFile({ bands: 3, geoKeys: projectedKeys(25832) }));
  const { kept: pieces } = await inspector.ask('show', { paths: [folder] });
  await inspector.ask('scanHeaders', [{ group: 0, pieces }], { notify: () => {} });
  const shown = (leftOut: readonly SomeFiles[]) => inspector.ask('fileToShow', { pieces, leftOut });
  expect(await shown([])).toBe(join(folder, 'tiles', 'bare.tif'));
  expect(await shown([{ keys: ['tiles/bare.tif'] }])).toBe(join(folder, 'tiles', 'ortho.tif'));
  expect(await shown([{ finding: 'no-system-raster' }])).toBe(join(folder, 'tiles', 'ortho.tif'));
});

it('places files of the sheet by a system that someone assigns, except those without coordinates', async () => {
  const { folder, inspector } = await houseWith(['bare.tif']);
  const placement = { size: [100, 100], scale: [1, 1, 0], tie: [0, 0, 0, 550_000, 5_800_000, 0] } as const;
  await writeFile(join(folder, 'tiles', 'ortho.tif'), tiffFile({ bands: 3, ...placement }));
  const { kept: keptPieces } = await inspector.ask('show', { paths: [folder] });
  await inspector.ask('scanHeaders', [{ group: 0, pieces: keptPieces }], { notify: () => {} });
  const westEdges = async (system: number) => {
    const files = { finding: 'no-system-raster' } as const;
    const { footprints, unplaced } = await inspector.ask('placeAs', { system, files });
    return { unplaced, keys: footprints.keys, west: footprints.places[0] };
  };
  const keys = ['tiles/ortho.tif'];
  expect(await westEdges(25832)).toEqual({ unplaced: 1, keys, west: expect.closeTo(9.734, 3) });
  expect(await westEdges(25833)).toEqual({ unplaced: 1, keys, west: expect.closeTo(15.734, 3) });
  expect(await inspector.ask('placeAs', { system: 25832, files: { keys: ['unknown.tif'] } })).toMatchObject({
    unplaced: 0,
  });
});

it('blocks its thread for a few milliseconds at most while inspecting thousands of files', async () => {
  const { folder, inspector } = await houseWith(Array.from({ length: 3_000 }, (_, at) => `${at}.tif`));
  await inspector.decide([join(folder, 'tiles', '0.tif')]);
  // CPU time, because other processes may block the thread.
  let [longestMs, hasEnded, startUsage] = [0, false, process.threadCpuUsage()];
  const turn = () => {
    const { user, system } = process.threadCpuUsage(startUsage);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    startUsage = process.threadCpuUsage();
    if (!hasEnded) setImmediate(turn);
  };
  setImmediate(turn);
  const { whole: combinedAsset } = await inspector.decide([folder]);
  await inspector.pathsOf(combinedAsset);
  hasEnded = true;
  expect(combinedAsset.files).toBe(3_000);
  expect(longestMs).toBeGreaterThan(0);
  expect(longestMs).toBeLessThan(16);
});

it('rejects with the code of the problem, on abort, and when its process ends', async () => {
  const { folder, inspector, stop } = await houseWith(['a.tif']);
  await expect(inspector.decide([join(folder, 'gone')])).rejects.toMatchObject({ code: 'source-missing' });
  await inspector.decide([folder]);
  await inspector.scanDecided({ asset: 'whole' }, AbortSignal.abort(), () => expect.fail('told'));
  const decision = inspector.decide([folder]);
  stop.abort(new Error('over'));
  await expect(decision).rejects.toThrow('over');
});
