import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOf } from '../../../main/inspect/check/check-report.ts';
import { checkSources } from '../../../main/inspect/check/check-sources.ts';
import { createInspector, type Inspector } from '../../../main/inspect/session/inspector.ts';
import { holdingBack } from '../../../main/watch/model/noted-findings.ts';
import { scanSourceAt } from '../../../main/watch/scan/scan-rule.ts';
import { SourceFindings } from '../../../main/watch/settle/source-findings.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import { rasterFile } from '../../unit/inspect/findings/raster-files.ts';
import { archiveOf } from '../../unit/inspect/formats/archive-files.ts';
import { projectedKeys, tiffFile } from '../../unit/inspect/formats/sample-heads.ts';
import { writeFiles } from '../../write-files.ts';

let folder: string;
let inspector: Inspector;
const { signal } = new AbortController();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-archives-'));
  inspector = createInspector();
});
afterAll(async () => {
  inspector.close();
  await rm(folder, { recursive: true });
});

async function write(name: string, files: Readonly<Record<string, Buffer>>): Promise<string> {
  await writeFiles(join(folder, name), files);
  return join(folder, name);
}

/** As `tilelift check`. */
const check = (path: string) =>
  checkSources({ paths: [path], sourceTypes: null, strict: false }, { inspector, notify: () => {} }, signal);

/** Findings for which a watched folder holds the source. */
async function heldFor(name: string) {
  const rule = aWatchRule({ folder, hold: 'may-disappoint' });
  const source = await scanSourceAt(rule, name);
  const findings = new SourceFindings({ inspector, onDone: () => {} });
  const notedFindings = source ? await findings.find(rule, source, signal) : [];
  return holdingBack(notedFindings, rule.hold).map(({ id, files }) => [id, files]);
}

const place = { size: [10, 10], scale: [100, 100, 0], tie: [0, 0, 0, 500_000, 5_700_000, 0] } as const;
const placed = tiffFile({ ...place, bands: 3, geoKeys: projectedKeys(25832) });
const withoutSystem = tiffFile({ ...place, bands: 3 });

describe('archive', () => {
  it('reports an archive as likely to fail for a raster without a coordinate system', async () => {
    const report = await check(
      await write('nocrs', { 'data.zip': archiveOf({ 'nocrs.tif': withoutSystem }) }),
    );
    expect(report).toMatchObject({
      result: 'findings',
      sources: [
        {
          kind: { sourceTypes: ['RASTER_IMAGERY'] },
          looked: 1,
          total: 1,
          degrees: [{ degree: 'read', count: 1 }],
          complete: true,
          findings: [{ id: 'no-system-raster', level: 'will-fail', count: 1, files: ['data.zip/nocrs.tif'] }],
        },
      ],
    });
  });

  it('reports an archive as likely to fail for a truncated raster, and a watched folder holds it', async () => {
    const path = await write('cut', { 'data.zip': archiveOf({ 'a.tif': placed.subarray(0, -1) }) });
    const report = await check(path);
    expect(report.sources[0]?.findings).toContainEqual(
      expect.objectContaining({ id: 'cut-off', files: ['data.zip/a.tif'] }),
    );
    expect(await heldFor('cut')).toContainEqual(['cut-off', ['data.zip/a.tif']]);
  });

  it('warns of backslashes in an archive’s names', async () => {
    const path = await write('slashes', { 'data.zip': archiveOf({ 'data\\tiles\\u.tif': placed }) });
    const report = await check(path);
    expect(report).toMatchObject({
      result: 'clean',
      sources: [
        {
          systems: [{ system: 'EPSG:25832', count: 1 }],
          extent: { west: expect.any(Number) },
          findings: [{ id: 'zip-backslash', level: 'may-disappoint' }],
        },
      ],
    });
    expect(await heldFor('slashes')).toEqual([['zip-backslash', ['data.zip']]]);
  });

  it('calls an archive clean only if all of it was read, and lists the rest', async () => {
    const files = { 'a.tif': placed, 'b.tif': placed };
    expect(await check(await write('whole', { 'data.zip': archiveOf(files) }))).toMatchObject({
      result: 'clean',
    });
    const locked = archiveOf({ ...files, 'c.tif': { content: placed, method: 14 } });
    const report = await check(await write('partly', { 'data.zip': locked }));
    expect(report).toMatchObject({ result: 'incomplete', sources: [{ complete: false }] });
    const text = linesOf(report, 'posix').map(({ text: said }) => inEnglish.sayPhrase(said));
    expect(text).toContain('1 archive or file in an archive: only names were read: data.zip/c.tif');
  });

  it('becomes terrain if it holds heights, as loose files do', async () => {
    const rows = [
      [1, 2],
      [3, 4],
    ];
    const path = await write('heights', { 'data.zip': archiveOf({ 'dgm/a.tif': rasterFile({ rows }) }) });
    const { whole } = await inspector.decide([path]);
    expect(whole.suggestion).toMatchObject({ sourceType: 'RASTER_TERRAIN' });
    expect((await inspector.ask('show', { paths: [join(path, 'data.zip')] })).suggestion).toMatchObject({
      sourceType: 'RASTER_TERRAIN',
    });
  });
});
