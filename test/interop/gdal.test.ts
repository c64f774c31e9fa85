import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { performTask } from '../../main/inspect/headers/inspection-tasks.ts';
import type { HeaderAnswer } from '../../main/inspect/headers/read-header.ts';
import { cases, namedSystems, sidecars } from '../unit/inspect/headers/sidecar-table.ts';

/** GDAL's results for the same files. */
const gdal = spawnSync('gdalinfo', ['--version'], { encoding: 'utf8' });
const hasGdal = gdal.status === 0;
if (!hasGdal)
  console.warn('skipped: files as GDAL understands them: gdalinfo is not installed (Debian: gdal-bin)');

interface GdalInfo {
  readonly coordinateSystem?: { readonly wkt?: string };
  readonly cornerCoordinates: Readonly<
    Record<'lowerLeft' | 'lowerRight' | 'upperRight' | 'upperLeft', [number, number]>
  >;
}

const info = (path: string): GdalInfo =>
  JSON.parse(
    execFileSync('gdalinfo', ['-json', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
const run = (program: string, ...words: readonly string[]) =>
  execFileSync(program, words, { stdio: 'ignore' });

describe.skipIf(!hasGdal)('GDAL', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tilelift-gdal-'));
    const grid = 'ncols 4\nnrows 4\nxllcorner 500000\nyllcorner 5499996\ncellsize 1\nNODATA_value -9999\n';
    for (const { extension, sidecar, text } of cases) {
      const ownFolder = join(folder, extension, sidecar);
      await mkdir(ownFolder, { recursive: true });
      const path = join(ownFolder, `a.${extension}`);
      const driver = { tif: 'GTiff', jpg: 'JPEG', png: 'PNG', img: 'HFA' }[extension];
      if (extension === 'asc') await writeFile(path, `${grid}${'1 2 3 4\n'.repeat(4)}`);
      else if (extension === 'flt') {
        await writeFile(path, Buffer.alloc(64));
        await writeFile(join(ownFolder, 'a.hdr'), `${grid}byteorder LSBFIRST\n`);
      } else {
        const plain = join(folder, 'plain.tif');
        run('gdal_create', '-of', 'GTiff', '-outsize', '4', '4', '-bands', '1', '-ot', 'Byte', plain);
        run('gdal_translate', '-of', driver ?? '', plain, path);
        await rm(`${path}.aux.xml`, { force: true });
      }
      await writeFile(join(ownFolder, sidecar), text);
    }
  }, 240_000);
  afterAll(() => rm(folder, { recursive: true }));

  it.each(cases)(
    'GDAL: reads the coordinate system from $sidecar of a.$extension: $names',
    ({ extension, sidecar, names }) => {
      const wkt = info(join(folder, extension, sidecar, `a.${extension}`)).coordinateSystem?.wkt;
      expect(wkt !== undefined && wkt !== '').toBe(names);
    },
  );

  it('tests each format with each sidecar', () => {
    expect(cases).toHaveLength(Object.keys(namedSystems).length * Object.keys(sidecars).length);
  });

  const utm = ['-a_srs', 'EPSG:25832'];
  it.each([
    ['areas for pixels', utm, []],
    ['points for pixels', utm, ['-mo', 'AREA_OR_POINT=Point']],
    ['the south on top', utm, ['-a_ullr', '500000', '5499960', '500060', '5500000']],
    [
      'big offsets',
      utm,
      [
        '-co',
        'BIGTIFF=YES',
        '-co',
        'ENDIANNESS=BIG',
        '-co',
        'TILED=YES',
        '-co',
        'BLOCKXSIZE=16',
        '-co',
        'BLOCKYSIZE=16',
      ],
    ],
    [
      'three dimensions',
      ['-a_srs', 'EPSG:4979'],
      ['-co', 'GEOTIFF_VERSION=1.1', '-a_ullr', '9', '50', '9.1', '49.9'],
    ],
    ['heights', ['-a_srs', 'EPSG:25832+7837'], []],
    ['degrees', ['-a_srs', 'EPSG:4326'], ['-a_ullr', '9', '50', '9.1', '49.9']],
  ] as const)('GDAL: locates a TIFF with %s where Tilelift does', async (name, system, options) => {
    const [plain, target] = [join(folder, 'place.tif'), join(folder, `${name}.tif`)];
    run(
      'gdal_create',
      '-of',
      'GTiff',
      '-outsize',
      '60',
      '40',
      '-bands',
      '1',
      '-a_srs',
      'EPSG:25832',
      '-a_ullr',
      '500000',
      '5500000',
      '500060',
      '5499960',
      plain,
    );
    run('gdal_translate', ...system, ...options, plain, target);
    const answer = await performTask({ kind: 'head', key: 'a.tif', path: target, sidecars: [] });
    const { head } = answer as HeaderAnswer;
    if (head?.kind !== 'tiff') throw new Error('not read');
    const { lowerLeft, lowerRight, upperRight, upperLeft } = info(target).cornerCoordinates;
    expect(head.corners?.flat()).toEqual(
      [lowerLeft, lowerRight, upperRight, upperLeft].flat().map((value) => expect.closeTo(value, 6)),
    );
    expect(
      [head.system, head.vertical]
        .filter((cell) => cell !== null)
        .join('+')
        .replace('+EPSG:', '+'),
    ).toBe(system[1]);
  });
});
