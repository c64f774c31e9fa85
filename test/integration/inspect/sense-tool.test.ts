import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.ts';
import { projectedKeys, tiffFile } from '../../unit/inspect/formats/sample-heads.ts';

const tool = join(import.meta.dirname, '..', '..', '..', 'tools', 'sense', 'main.ts');

it('prints an object with the documented fields per file for `npm run sense -- FOLDER --json`', async () => {
  const folder = temporaryFolder();
  const tile = tiffFile({
    ...{ bands: 3, geoKeys: projectedKeys(25832), size: [10, 10] },
    ...{ scale: [100, 100, 0], tie: [0, 0, 0, 500_000, 5_701_000, 0] },
  });
  await writeFile(join(folder, 'a.tif'), tile);
  await writeFile(join(folder, 'b.tif'), '');
  await writeFile(join(folder, 'c.asc'), 'ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n');
  const { stdout } = await promisify(execFile)(process.execPath, [tool, folder, '--json']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ file, format, system, verdict }) => [file, format, system, verdict])).toEqual([
    ['a.tif', 'tiff', 'EPSG:25832', null],
    ['b.tif', null, null, 'empty'],
    ['c.asc', 'grid', null, null],
  ]);
  expect(lines.map(({ findings }) => findings)).toEqual([
    expect.not.arrayContaining(['no-system-raster']),
    ['empty'],
    expect.arrayContaining(['no-system-raster']),
  ]);
  for (const line of lines)
    expect(Object.keys(line).sort()).toEqual(
      'beside box degree file findings format onlyInCloud ring system verdict vertical'.split(' '),
    );
  const { box, ring } = lines[0] as { box: readonly number[]; ring: readonly (readonly number[])[] };
  expect(box).toEqual([500_000, 5_700_000, 501_000, 5_701_000]);
  expect(ring[0]).toEqual(ring.at(-1));
  expect(ring[0]?.[0]).toBeCloseTo(9, 4);
});
