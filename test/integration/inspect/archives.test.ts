import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { linesOf } from '../../../main/inspect/check/check-report.ts';
import { checkSources } from '../../../main/inspect/check/check-sources.ts';
import { createInspector, type Inspector } from '../../../main/inspect/session/inspector.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import { suiteFolder } from '../../temporary-folder.ts';
import { rasterFile } from '../../unit/inspect/findings/raster-files.ts';
import { archiveOf } from '../../unit/inspect/formats/archive-files.ts';
import { projectedKeys, tiffFile } from '../../unit/inspect/formats/sample-heads.ts';
import { writeFiles } from '../../write-files.ts';

const folder = suiteFolder();
let inspector: Inspector;
const { signal } = new AbortController();
beforeAll(() => {
  inspector = createInspector();
});
afterAll(() => inspector.close());

async function write(name: string, files: Readonly<Record<string, Buffer>>): Promise<string> {
  await writeFiles(join(folder, name), files);
  return join(folder, name);
}

/** Like `tilelift check`. */
const check = (path: string) =>
  checkSources({ paths: [path], sourceTypes: null, strict: false }, { inspector, notify: () => {} }, signal);

const place = { size: [10, 10], scale: [100, 100, 0], tie: [0, 0, 0, 500_000, 5_700_000, 0] } as const;
const placedRaster = tiffFile({ ...place, bands: 3, geoKeys: projectedKeys(25832) });

it('archive: calls an archive clean only if all of it was read, and lists the rest', async () => {
  const files = { 'a.tif': placedRaster, 'b.tif': placedRaster };
  expect(await check(await write('whole', { 'data.zip': archiveOf(files) }))).toMatchObject({
    result: 'clean',
  });
  const lockedArchive = archiveOf({ ...files, 'c.tif': { content: placedRaster, method: 14 } });
  const report = await check(await write('partly', { 'data.zip': lockedArchive }));
  expect(report).toMatchObject({ result: 'incomplete', sources: [{ complete: false }] });
  const text = linesOf(report, 'posix').map(({ text: phrase }) => inEnglish.sayPhrase(phrase));
  expect(text).toContain('1 archive or file in an archive: only names were read: data.zip/c.tif');
});

it('archive: becomes terrain if it holds heights, as loose files do', async () => {
  const rows = [
    [1, 2],
    [3, 4],
  ];
  const path = await write('heights', { 'data.zip': archiveOf({ 'dgm/a.tif': rasterFile({ rows }) }) });
  const { whole: combinedAsset } = await inspector.decide([path]);
  expect(combinedAsset.suggestion).toMatchObject({ sourceType: 'RASTER_TERRAIN' });
  expect((await inspector.ask('show', { paths: [join(path, 'data.zip')] })).suggestion).toMatchObject({
    sourceType: 'RASTER_TERRAIN',
  });
});
