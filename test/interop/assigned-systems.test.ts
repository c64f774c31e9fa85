import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginChanges } from '../../main/inspect/changes/apply-changes.ts';
import { loadSystems } from '../../main/inspect/crs/systems.ts';
import { wktOf } from '../../main/inspect/crs/wkt.ts';
import { body, type House, hasStatus, openHouse } from '../integration/jobs/house.ts';
import { townGrid } from '../unit/inspect/changes/town-grid.ts';

/** Stored files with assigned coordinate systems, as GDAL reads them. */
const hasGdal = spawnSync('gdalinfo', ['--version']).status === 0;
if (!hasGdal)
  console.warn('skipped: assigned systems as GDAL reads them: gdalinfo is not installed (Debian: gdal-bin)');

/**
 * Coordinate systems in metres, degrees and feet, with axes that start with north, and one that isn't UTM.
 */
const codes = [25832, 4326, 2229, 31467, 2056];
const run = (program: string, ...words: readonly string[]) =>
  execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** GDAL's EPSG code for a file; null without one. */
function codeIn(path: string): number | null {
  const wkt: string = JSON.parse(run('gdalinfo', '-json', path)).coordinateSystem?.wkt ?? '';
  const ids = [...wkt.matchAll(/\bID\["EPSG",(\d+)\]/g)];
  return wkt === '' ? null : Number(ids.at(-1)?.[1]);
}

describe.skipIf(!hasGdal)('files with an assigned coordinate system', () => {
  let house: House;
  let source: string;
  let storage: string;
  beforeAll(async () => {
    house = await openHouse();
    source = await mkdtemp(join(tmpdir(), 'tilelift-assigned-'));
    storage = join(source, 'storage');
    const drivers = { tif: 'GTiff', jpg: 'JPEG', png: 'PNG', flt: 'EHdr' };
    const grid =
      'ncols 4\nrows 4\nxllcorner 500000\nyllcorner 5499996\ncellsize 1\nNODATA_value -9999\n'.replace(
        '\nrows',
        '\nnrows',
      );
    for (const code of codes) {
      const folder = join(source, 'source', String(code));
      await mkdir(folder, { recursive: true });
      const plain = join(source, 'plain.tif');
      run('gdal_create', '-of', 'GTiff', '-outsize', '4', '4', '-bands', '1', '-ot', 'Byte', plain);
      for (const [extension, driver] of Object.entries(drivers)) {
        const kind = extension === 'flt' ? ['-ot', 'Float32'] : [];
        run('gdal_translate', ...kind, '-of', driver, plain, join(folder, `a.${extension}`));
        await rm(join(folder, `a.${extension}.aux.xml`), { force: true });
        await rm(join(folder, 'a.prj'), { force: true });
      }
      await writeFile(join(folder, 'b.asc'), `${grid}${'1 2 3 4\n'.repeat(4)}`);
    }
    const root = join(source, 'source');
    const names = (await readdir(root, { recursive: true })).filter((name) =>
      /\.(tif|jpg|png|flt|asc)$/.test(name),
    );
    const id = house.jobs.add({
      ...{ accountId: 'me', paths: [root], body, acceptForecast: false },
      changes: {
        leftOut: [],
        assigned: codes.map((epsg) => ({
          epsg,
          files: names.filter((name) => name.startsWith(`${epsg}/`)).map((name) => join(root, name)),
        })),
      },
    });
    const { assetId } = await house.until(id, hasStatus('complete'));
    const prefix = `sources/${assetId}/`;
    for (const { key } of await house.service.control.objects(prefix)) {
      const path = join(storage, key.slice(prefix.length));
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(path, await buffer(house.service.control.readObject(key)));
    }
  });
  afterAll(async () => {
    await house.close();
    await rm(source, { recursive: true });
  });

  it.each(
    codes.flatMap((code) =>
      ['a.tif', 'a.jpg', 'a.png', 'a.flt', 'b.asc'].map((name) => [code, name] as const),
    ),
  )(
    'files with an assigned coordinate system: stores files with an assigned EPSG:%d: %s',
    async (code, name) => {
      expect(codeIn(join(source, 'source', String(code), name))).toBeNull();
      expect(codeIn(join(storage, String(code), name))).toBe(code);
    },
  );

  it('files with an assigned coordinate system: stores assigned files in the same folders as the source', async () => {
    const root = join(source, 'source');
    for (const name of await readdir(root, { recursive: true })) {
      if (!basename(name).includes('.')) continue;
      expect(await readFile(join(storage, name))).toEqual(await readFile(join(root, name)));
    }
  });

  it('files with an assigned coordinate system: stores the system’s text in a sidecar if EPSG has no code for it', async () => {
    const folder = join(source, 'words of others');
    await mkdir(folder);
    for (const [extension, driver] of [
      ['tif', 'GTiff'],
      ['png', 'PNG'],
      ['jpg', 'JPEG'],
    ] as const) {
      const path = join(folder, `a.${extension}`);
      run('gdal_translate', '-of', driver, join(source, 'plain.tif'), path);
      await rm(`${path}.aux.xml`, { force: true });
      const file = { key: basename(path), path, size: 1, mtimeMs: 1 };
      const changes = { leftOut: [], assigned: [], worded: [{ wkt: townGrid, files: [path] }] };
      const [, sidecars] = (await beginChanges(changes, 0, () => null)).take([file]);
      await writeFile(`${path}.aux.xml`, sidecars?.content ?? '');
      const { wkt } = JSON.parse(run('gdalinfo', '-json', path)).coordinateSystem;
      expect(wkt).toMatch(/^PROJCRS\["Town_Grid_<1911>_&_after",\s*BASEGEOGCRS\["DHDN"/);
      expect(wkt).toContain('PARAMETER["False easting",40000,');
    }
  });

  it('files with an assigned coordinate system: writes a text that GDAL reads for every system that can be assigned to a grid', async () => {
    const { systemByCode } = await loadSystems();
    const folder = join(source, 'words');
    await mkdir(folder);
    // Every 200th system of the table, by its `.prj`.
    const someSystems = Array.from({ length: 32_768 }, (_, code) => systemByCode(code)).filter(
      (system) => system?.kind === 'projected' || system?.kind === 'geographic-2d',
    );
    for (const system of someSystems.filter((_, at) => at % 200 === 0)) {
      if (!system || (await wktOf(system)) === null) continue;
      const file = { key: 'a.asc', path: join(folder, 'a.asc'), size: 1, mtimeMs: 1 };
      const changes = { leftOut: [], assigned: [{ epsg: system.code, files: [file.path] }] };
      const [, prj] = (await beginChanges(changes, 0, systemByCode)).take([file]);
      await writeFile(file.path, 'ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1\n');
      await writeFile(join(folder, 'a.prj'), prj?.content ?? '');
      expect(codeIn(file.path)).toBe(system.code);
    }
  });
});
