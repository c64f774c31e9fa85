import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { scanSource } from '../../../main/files/walk/scan.ts';
import type { HeaderScanProgress } from '../../../main/inspect/header-scan/header-scan.ts';
import { createInspection } from '../../../main/inspect/session/inspection.ts';
import { systemClock } from '../../../main/ports.ts';
import { unpackFootprints } from '../../../shared/source.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { cityModel, projectedKeys, tiffFile } from '../../unit/inspect/formats/sample-heads.ts';
import { writeFiles } from '../../write-files.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

const thread = createInspection(systemClock);
afterAll(() => thread.close());

const tile = (at: number) =>
  tiffFile({
    geoKeys: projectedKeys(25832),
    ...{ size: [10, 10], scale: [100, 100, 0], tie: [0, 0, 0, 500_000 + 1000 * at, 5_700_000, 0] },
  });

async function fill(files: Readonly<Record<string, string | Buffer>>) {
  await writeFiles(folder, files);
  return (await scanSource([folder])).files;
}

async function surveyOf(files: Awaited<ReturnType<typeof fill>>, signal = new AbortController().signal) {
  const allNews: HeaderScanProgress[] = [];
  await thread.scanHeaders(files, signal, (message) => allNews.push(message));
  return allNews;
}

it('the inspection of a folder on disk reports coordinate systems, locations, truncated files and sidecars', async () => {
  const wholeTile = tile(0);
  const files = await fill({
    ...Object.fromEntries(Array.from({ length: 2_500 }, (_, at) => [`tiles/${at}.tif`, tile(at)])),
    'cut.tif': wholeTile.subarray(0, -1),
    'b.tif': tiffFile(),
    'b.tif.aux.xml': '<PAMDataset><SRS>EPSG:25833</SRS></PAMDataset>',
    'c.gml': cityModel(),
    'notes.txt': 'nothing',
  });
  const messages = await surveyOf(files);
  const lastFacts = messages.at(-1)?.seen;
  expect(lastFacts).toMatchObject({ state: 'done', looked: 2_503, total: 2_503, placed: 2_500 });
  expect(lastFacts?.systems).toContainEqual({ system: 'EPSG:25833', count: 1 });
  expect(lastFacts?.systems[0]).toMatchObject({ system: 'EPSG:25832' });
  const footprints = messages.flatMap((message) => unpackFootprints(message.footprints));
  expect(new Set(footprints.map(({ key }) => key)).size).toBe(2_500);
  expect(footprints[0]?.ring[0]?.[1]).toBeCloseTo(51.4, 0);
});

it('the inspection of a folder on disk attributes findings to the asset of their files, however these are sorted', async () => {
  const files = Array.from(
    await fill({
      'a.gml': cityModel(),
      'b.tif': tile(1),
      'c.tif': tiffFile({ bands: 3 }),
      'd.gml': cityModel(),
    }),
  );
  const filesEndingWith = (name: string) => files.filter(({ key }) => key.endsWith(name));
  const byAsset = [...filesEndingWith('b.tif'), ...filesEndingWith('c.tif'), ...filesEndingWith('.gml')];
  const progress: HeaderScanProgress[] = [];
  await thread.scanHeaders(byAsset, new AbortController().signal, (message) => progress.push(message), {
    lengths: [2, 2],
  });
  const assets = new Map(
    progress.flatMap((message) => message.assets ?? []).map((asset) => [asset.group, asset]),
  );
  expect(assets.get(0)).toMatchObject({ locatable: 2, systems: [{ system: 'EPSG:25832', count: 1 }] });
  expect(assets.get(0)?.findings.map(({ id, keys }) => [id, keys])).toContainEqual([
    'no-system-raster',
    ['c.tif'],
  ]);
  expect(assets.get(1)).toMatchObject({ locatable: 2, degrees: [{ degree: 'read', count: 2 }] });
  expect(assets.get(1)?.findings.map(({ id }) => id)).not.toContain('no-system-raster');
  expect(progress.at(-1)?.seen).toMatchObject({ state: 'done', looked: 4 });
  // A single asset isn't listed separately.
  expect((await surveyOf(await fill({})))[0]).not.toHaveProperty('assets');
});

it('the inspection of a folder on disk repeats its result and reports changes made meanwhile', async () => {
  const files = await fill({ 'a.tif': tile(1), 'b.tif': tile(2) });
  const firstSurvey = await surveyOf(files);
  expect((await surveyOf(files)).at(-1)).toEqual(firstSurvey.at(-1));
  await writeFile(join(folder, 'b.tif'), tiffFile({ geoKeys: projectedKeys(25833), directoryAt: 400 }));
  const changed = await surveyOf((await scanSource([folder])).files);
  expect(changed.at(-1)?.seen.systems.map(({ system }) => system)).toEqual(['EPSG:25832', 'EPSG:25833']);
});

it('the inspection of a folder on disk keeps all files of a finding, also unnamed ones and after it was stopped', async () => {
  const count = 1_300;
  const plain = tiffFile({ size: [10, 10], directoryAt: 400 });
  const files = await fill({
    ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.tif`, plain])),
    'a.tif': tile(1),
  });
  const stop = new AbortController();
  const messages = await surveyOf(files, stop.signal);
  const group = messages.at(-1)?.seen.findings.find(({ id }) => id === 'no-system-raster');
  expect([group?.count, group?.keys.length]).toEqual([count, 1_000]);
  stop.abort();
  expect(new Set(thread.showing('no-system-raster')).size).toBe(count);
  expect(thread.showing('las-overflow')).toEqual([]);
  await surveyOf([...files].filter(({ key }) => key === 'a.tif'));
  expect(thread.showing('no-system-raster')).toEqual([]);
});

it('the inspection of a folder on disk emits nothing after stop(), and the next inspection emits everything', async () => {
  const files = await fill(
    Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`${at}.tif`, tile(at)])),
  );
  const stop = new AbortController();
  const progress: HeaderScanProgress[] = [];
  const surveyEnd = thread.scanHeaders(files, stop.signal, (message) => progress.push(message));
  stop.abort();
  await surveyEnd;
  expect(progress).toEqual([]);
  expect((await surveyOf(files, AbortSignal.abort())).length).toBe(0);
  expect((await surveyOf(files)).at(-1)?.seen).toMatchObject({ state: 'done', looked: 3_000 });
});
