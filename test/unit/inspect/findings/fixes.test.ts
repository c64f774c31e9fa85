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
const fixesOf = (...manyLooks: readonly Look[]) =>
  Object.fromEntries(
    findInLooks(
      manyLooks,
      manyLooks.map(({ key }) => ({ key, size: 1 })),
    ).map(({ id, fix }) => [id, fix]),
  );

it('heights without a vertical datum are fixed by an option, also in archives', () => {
  const namedGrid = { ...grid('a.zip/a.asc', 'EPSG:25832'), archive: 'a.zip' };
  expect(fixesOf(namedGrid)['no-vertical']).toEqual({ kind: 'option', option: 'heightReference' });
});

it('the fix for a missing coordinate system assigns any system', () => {
  expect(fixesOf(grid('a.asc'), grid('b.asc'))).toEqual({ 'no-system-raster': { kind: 'assign' } });
});

it.each(['EPSG:25833', 'ETRS_1989_UTM_Zone_33N', 'ETRS89 / UTM zone 33N'])(
  'the fix for a missing coordinate system assigns the system of unread sidecars: %s',
  (hint) => {
    const fixes = fixesOf(photo('a.png', hint), photo('b.png', hint), photo('c.png'));
    expect(fixes['no-system-raster']).toEqual({ kind: 'assign', epsg: 25833 });
  },
);

it('the fix for a missing coordinate system ignores sidecars that differ or name no horizontal system', () => {
  for (const hints of [['EPSG:25832', 'EPSG:25833'], ['EPSG:5555'], ['EPSG:4978'], ['Town grid of 1911']]) {
    const fixes = fixesOf(...hints.map((hint, at) => photo(`${at}.png`, hint)));
    expect(fixes['no-system-raster']).toEqual({ kind: 'assign' });
  }
});

it('the fix for a missing coordinate system copies a sidecar’s WKT without an EPSG code', () => {
  const words = (key: string, hintWkt = townGrid): Look => ({ ...photo(key, 'Town grid'), hintWkt });
  const fix = { kind: 'assign-wkt', wkt: townGrid, name: 'Town_Grid_<1911>_&_after' };
  expect(fixesOf(words('a.png'), words('b.tif'))['no-system-raster']).toEqual(fix);
  const otherPhoto = words('b.png', townGrid.replace('40000', '50000'));
  expect(fixesOf(words('a.png'), otherPhoto)['no-system-raster']).toEqual({ kind: 'assign' });
  const points = { ...words('a.laz'), head: { kind: 'las', version: '1.2' } as unknown as Look['head'] };
  expect(fixesOf(points)['no-system-points']).toEqual({ kind: 'assign' });
});

it('the fix for a missing coordinate system assigns the system of most other files', () => {
  const namedGrids = ['1.asc', '2.asc', '3.asc'].map((key) => grid(key, 'EPSG:25832'));
  const fixes = fixesOf(...namedGrids, grid('4.asc', 'EPSG:25833'), grid('5.asc'));
  expect(fixes['no-system-raster']).toEqual({ kind: 'assign', epsg: 25832 });
  const halves = fixesOf(grid('3.asc', 'EPSG:25832'), grid('4.asc', 'EPSG:25833'), grid('5.asc'));
  expect(halves['no-system-raster']).toEqual({ kind: 'assign' });
});

it('the fix for a missing coordinate system is missing when a format accepts no external system', () => {
  expect(fixesOf(grid('a.asc'), grid('b.img'))).toEqual({ 'no-system-raster': undefined });
});

describe('fixes for other findings', () => {
  const noHints = { endings: ['tif'], besideSystems: new Set<number>(), commonest: null };
  const kinds = (kind: string) =>
    (Object.keys(findingFacts) as FindingId[]).filter((id) => fixOf(id, noHints)?.kind === kind);

  it('fixes for other findings leave out incomplete and foreign files', () => {
    expect(kinds('leave-out')).toEqual([
      ...'empty cut-off unfinished broken-json lfs-pointer web-page server-error wrong-format'.split(' '),
      ...'not-filled zip-damaged only-no-data city-foreign city-no-geometry city-only-terrain'.split(' '),
      ...'zip-encrypted'.split(' '),
    ]);
  });

  it('fixes for other findings switch the kind of data or split the source', () => {
    expect(kinds('switch')).toEqual([
      'kml-no-models',
      'terrain-of-colours',
      'terrain-of-bytes',
      'hardly-heights',
      'imagery-of-heights',
    ]);
    expect(kinds('split')).toEqual(['mixed-kinds', 'mixed-systems']);
    expect(fixOf('imagery-of-heights', noHints)).toEqual({ kind: 'switch', sourceType: 'RASTER_TERRAIN' });
    expect(fixOf('terrain-of-bytes', noHints)).toEqual({ kind: 'switch', sourceType: 'RASTER_IMAGERY' });
  });
});
