import { describe, expect, it } from 'vitest';
import { fixOf } from '../../../../main/inspect/findings/fixes.ts';
import type { Look } from '../../../../main/inspect/headers/look-inside.ts';
import { type FindingId, findingFacts } from '../../../../shared/findings.ts';
import { townGrid } from '../changes/town-grid.ts';
import { findInLooks } from './find-in.ts';

const grid = (key: string, sidecarSystemName: string | null = null, hint?: string): Look => ({
  key,
  head: { kind: 'grid', corners: null },
  sidecarSystemName,
  verdict: null,
  ...(hint === undefined ? {} : { hint }),
});
const photo = (key: string, hint?: string): Look => ({
  ...grid(key, null, hint),
  head: { kind: 'png', size: null } as unknown as Look['head'],
});
const fixesOf = (...looks: readonly Look[]) =>
  Object.fromEntries(
    findInLooks(
      looks,
      looks.map(({ key }) => ({ key, size: 1 })),
    ).map(({ id, fix }) => [id, fix]),
  );

describe('the way out of a missing coordinate system', () => {
  it('is to assign one, whichever it is', () => {
    expect(fixesOf(grid('a.asc'), grid('b.asc'))).toEqual({ 'no-system-raster': { kind: 'assign' } });
  });

  it.each(['EPSG:25833', 'ETRS_1989_UTM_Zone_33N', 'ETRS89 / UTM zone 33N'])(
    'is that of files beside them which are not read there: %s',
    (hint) => {
      const found = fixesOf(photo('a.png', hint), photo('b.png', hint), photo('c.png'));
      expect(found['no-system-raster']).toEqual({ kind: 'assign', epsg: 25833 });
    },
  );

  it('is none of these where they differ, or say what is no flat system', () => {
    for (const hints of [['EPSG:25832', 'EPSG:25833'], ['EPSG:5555'], ['EPSG:4978'], ['Town grid of 1911']]) {
      const found = fixesOf(...hints.map((hint, at) => photo(`${at}.png`, hint)));
      expect(found['no-system-raster']).toEqual({ kind: 'assign' });
    }
  });

  it('is what a file beside them says, where EPSG has no number for it', () => {
    const words = (key: string, hintWkt = townGrid): Look => ({ ...photo(key, 'Town grid'), hintWkt });
    const fix = { kind: 'assign-wkt', wkt: townGrid, name: 'Town_Grid_<1911>_&_after' };
    expect(fixesOf(words('a.png'), words('b.tif'))['no-system-raster']).toEqual(fix);
    const others = words('b.png', townGrid.replace('40000', '50000'));
    expect(fixesOf(words('a.png'), others)['no-system-raster']).toEqual({ kind: 'assign' });
    const points = { ...words('a.laz'), head: { kind: 'las', version: '1.2' } as unknown as Look['head'] };
    expect(fixesOf(points)['no-system-points']).toEqual({ kind: 'assign' });
  });

  it('is that of most other files', () => {
    const named = ['1.asc', '2.asc', '3.asc'].map((key) => grid(key, 'EPSG:25832'));
    const found = fixesOf(...named, grid('4.asc', 'EPSG:25833'), grid('5.asc'));
    expect(found['no-system-raster']).toEqual({ kind: 'assign', epsg: 25832 });
    const halves = fixesOf(grid('3.asc', 'EPSG:25832'), grid('4.asc', 'EPSG:25833'), grid('5.asc'));
    expect(halves['no-system-raster']).toEqual({ kind: 'assign' });
  });

  it('is nothing that Tilelift could do where a format takes none from outside', () => {
    expect(fixesOf(grid('a.asc'), grid('b.img'))).toEqual({ 'no-system-raster': undefined });
  });
});

describe('the way out of other findings', () => {
  const nothing = { endings: ['tif'], beside: new Set<number>(), commonest: null };
  const kinds = (kind: string) =>
    (Object.keys(findingFacts) as FindingId[]).filter((id) => fixOf(id, nothing)?.kind === kind);

  it('is to leave out what is not whole or not the data itself', () => {
    expect(kinds('leave-out')).toEqual([
      'empty',
      'cut-off',
      'unfinished',
      'broken-json',
      'lfs-pointer',
      'web-page',
      'server-error',
      'wrong-format',
      'not-filled',
      'zip-damaged',
      'only-no-data',
      'city-foreign',
      'city-no-geometry',
      'city-only-terrain',
      'zip-encrypted',
    ]);
  });

  it('is another kind of data, or several assets', () => {
    expect(kinds('switch')).toEqual([
      'terrain-of-colours',
      'terrain-of-bytes',
      'hardly-heights',
      'imagery-of-heights',
    ]);
    expect(kinds('split')).toEqual(['mixed-kinds', 'mixed-systems']);
    expect(fixOf('imagery-of-heights', nothing)).toEqual({ kind: 'switch', sourceType: 'RASTER_TERRAIN' });
    expect(fixOf('terrain-of-bytes', nothing)).toEqual({ kind: 'switch', sourceType: 'RASTER_IMAGERY' });
  });
});
