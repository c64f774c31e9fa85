import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataSetsOf } from '../../../../main/inspect/together/data-set.ts';

/** "primary: companion companion", a line for each set, then lone files. */
async function setsOf(...names: readonly string[]): Promise<readonly string[]> {
  const { sets, lone } = dataSetsOf(names);
  const lines = sets.map(({ primary, companions }) => [primary, ...companions].join(' '));
  return lone.length > 0 ? [...lines, `lone: ${lone.join(' ')}`] : lines;
}

it.each([
  ...'a.tfw a.tifw a.tif.aux.xml a.aux.xml a.ovr a.tif.ovr a.tif.ovr.aux.xml a.prj a.rrd'.split(' '),
  ...'a.hdr a.wld a.TFW a.tif.msk a.xml a.tif.md5 a.txt'.split(' '),
])('a raster includes %s', async (sidecar) => {
  expect(await setsOf('a.tif', sidecar)).toEqual([`a.tif ${sidecar}`]);
});

it.each([
  ['a.jpg', 'a.jgw'],
  ['a.png', 'a.pgw'],
  ['a.bil', 'a.blw'],
  ['a.img', 'a.ige'],
  ['A.TIF', 'a.tfw'],
  ['envi', 'envi.hdr'],
])('a raster %s includes %s', async (raster, sidecar) => {
  expect(await setsOf(raster, sidecar)).toEqual([`${raster} ${sidecar}`]);
});

it('files of one folder form two sets for one stem with two kinds; sidecars join the set they name, else both', async () => {
  expect(await setsOf('a.tif', 'a.jpg', 'a.tfw', 'a.jgw', 'a.prj', 'a.tif.aux.xml')).toEqual([
    'a.jpg a.jgw a.prj',
    'a.tif a.prj a.tfw a.tif.aux.xml',
  ]);
});

it('files of one folder form one set each for shapefiles, point clouds, models and buildings', async () => {
  expect(
    await setsOf(
      's.shp',
      's.shx',
      's.dbf',
      's.prj',
      's.cpg',
      's.shp.xml',
      'p.laz',
      'p.wkt',
      'm.obj',
      'm.mtl',
      'h.ifc',
    ),
  ).toEqual(['h.ifc', 'm.obj m.mtl', 'p.laz p.wkt', 's.shp s.cpg s.dbf s.prj s.shp.xml s.shx']);
});

it('files of one folder stay separate when only their prefixes match', async () => {
  expect(await setsOf('a.tif', 'a_1.tif', 'a_1.tfw', 'ab.tfw')).toEqual([
    'a.tif',
    'a_1.tif a_1.tfw',
    'lone: ab.tfw',
  ]);
});

it('files of one folder wait for their data if they are only sidecars', async () => {
  expect(await setsOf('a.tfw', 'a.jpg', 'b.tif.ovr', 'c.shx')).toEqual([
    'a.jpg',
    'lone: a.tfw b.tif.ovr c.shx',
  ]);
});

it('files of one folder form their own sets if they may be sidecars but are alone', async () => {
  expect(await setsOf('city.xml', 'points.txt', 'table.dbf')).toEqual([
    'city.xml',
    'points.txt',
    'table.dbf',
  ]);
});

it('files of one folder form their own sets without stem or extension', async () => {
  expect(await setsOf('.hidden', 'plain', 'dot.')).toEqual(['.hidden', 'dot.', 'plain']);
});

describe('files with any names', () => {
  const name = fc
    .tuple(
      fc.constantFrom('a', 'b', 'A', 'a.b'),
      fc.array(fc.constantFrom('tif', 'jpg', 'tfw', 'aux', 'xml', 'ovr', 'prj', 'las', 'TIF'), {
        maxLength: 3,
      }),
    )
    .map(([stem, endings]) => [stem, ...endings].join('.'));

  it('files with any names are in a set or alone, primaries in one set, independent of order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { maxLength: 15 }), async (names) => {
        const { sets, lone } = dataSetsOf(names);
        const primaries = sets.map(({ primary }) => primary);
        const companions = new Set(sets.flatMap((set) => set.companions));
        expect([...primaries, ...companions, ...lone].sort()).toEqual([...names].sort());
        expect(dataSetsOf([...names].reverse())).toEqual({ sets, lone });
      }),
    );
  });
});
