import { expect, it } from 'vitest';
import { offersFor, withOffers } from '../../../../main/inspect/session/companion-offers.ts';
import type { Companions } from '../../../../main/inspect/together/companions.ts';
import type { FindingGroup, FindingId } from '../../../../shared/findings.ts';

const file = (path: string, key = path.slice(path.lastIndexOf('/') + 1)) => ({
  path,
  key,
  size: 1,
  mtimeMs: 1,
});
const group = (id: FindingId, ...keys: readonly string[]): FindingGroup => ({
  ...{ id, keys, count: keys.length, looked: keys.length, total: keys.length },
});

/** Paths on the disk by the file they belong to. */
const disk: Readonly<Record<string, Companions>> = {
  '/d/a.obj': { neighbors: ['/d/a.prj', '/d/a.json'], references: ['/d/a.mtl', '/d/tex/1.jpg'] },
  '/d/s.shp': { neighbors: ['/d/s.shx', '/d/s.dbf', '/d/s.qix'], references: [] },
  '/d/big.img': { neighbors: ['/d/big.ige', '/d/big.rrd'], references: [] },
  '/d/r.tif': { neighbors: ['/d/r.prj', '/d/r.tfw', '/d/r.tif.aux.xml'], references: [] },
};
const askedPaths: string[] = [];
const findOffers = async (folder: string, names: readonly string[]) => {
  askedPaths.push(...names.map((name) => `${folder}/${name}`));
  return new Map(names.map((name) => [name, disk[`${folder}/${name}`] ?? { neighbors: [], references: [] }]));
};
const paths = async (
  droppedPaths: readonly string[],
  findings: readonly FindingGroup[],
  files = droppedPaths,
) => {
  const offers = await offersFor(
    droppedPaths,
    files.map((path) => file(path)),
    findings,
    findOffers,
  );
  return withOffers(findings, offers).map(({ fix }) => (fix?.kind === 'take-along' ? fix.paths : null));
};

it('offersFor() offers what a single file names or needs', async () => {
  expect(await paths(['/d/a.obj', '/d/s.shp'], [group('missing-files', 'a.obj', 's.shp')])).toEqual([
    ['/d/a.mtl', '/d/tex/1.jpg', '/d/s.shx', '/d/s.dbf'],
  ]);
});

it('offersFor() offers the pixel file of a large ERDAS image', async () => {
  expect(await paths(['/d/big.img'], [group('missing-files', 'big.img')])).toEqual([['/d/big.ige']]);
});

it('offersFor() offers a raster’s position or system', async () => {
  const findings = [group('no-place', 'r.tif'), group('no-system-raster', 'r.tif'), group('empty', 'r.tif')];
  expect(await paths(['/d/r.tif'], findings)).toEqual([
    ['/d/r.tfw', '/d/r.tif.aux.xml'],
    ['/d/r.tif.aux.xml'],
    null,
  ]);
});

it('offersFor() offers no system for only some of the files', async () => {
  expect(await paths(['/d/r.tif', '/d/q.tif'], [group('no-system-raster', 'r.tif', 'q.tif')])).toEqual([
    null,
  ]);
});

it('offersFor() offers nothing already in the source', async () => {
  const allPaths = ['/d/a.obj', '/d/a.mtl', '/d/tex/1.jpg'];
  expect(await paths(allPaths, [group('missing-files', 'a.obj')])).toEqual([null]);
});

it('offersFor() offers nothing for files of a dropped folder', async () => {
  askedPaths.length = 0;
  expect(await paths(['/d'], [group('missing-files', 'a.obj')], ['/d/a.obj'])).toEqual([null]);
  expect(await paths(['/d/a.obj'], [group('empty', 'a.obj')])).toEqual([null]);
  expect(askedPaths).toEqual([]);
});
