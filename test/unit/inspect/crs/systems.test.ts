import { brotliCompressSync, constants } from 'node:zlib';
import { expect, it } from 'vitest';
import deprecated from '../../../../main/inspect/crs/epsg-deprecated.json' with { type: 'json' };
import { createSystems, flatCodeOf, isFlat, loadSystems } from '../../../../main/inspect/crs/systems.ts';

const { systemByCode, systemByName, search } = await loadSystems();
const codes = (text: string, maximum = 20) => search(text, maximum).map(({ code }) => code);

it('systemOf() returns name, area and axes of a code', () => {
  expect(systemByCode(25832)).toMatchObject({
    code: 25832,
    kind: 'projected',
    name: 'ETRS89 / UTM zone 32N',
    area: 'Europe between 6°E and 12°E',
    box: { west: 6, south: 38.76, east: 12.01, north: 84.33 },
    axes: 'EN',
  });
  expect(systemByCode(4326)).toMatchObject({ kind: 'geographic-2d', name: 'WGS 84', axes: 'NE' });
});

it('systemOf() places a compound system by its horizontal part', () => {
  expect(systemByCode(5555)).toMatchObject({
    kind: 'compound',
    name: 'ETRS89 / UTM zone 32N + DHHN92 height',
  });
  expect(systemByCode(5555)?.definition).toBe(systemByCode(25832)?.definition);
  expect(systemByCode(4979)).toMatchObject({ kind: 'geographic-3d', name: 'WGS 84' });
  expect(systemByCode(4978)).toMatchObject({ kind: 'geocentric', definition: null });
});

it.each([0, -1, 1.5, Number.NaN, 31_466.5, 900_914, 99_999])(
  'systemOf() returns null for the code %d',
  (code) => {
    expect(systemByCode(code)).toBeNull();
  },
);

it('systemOf() shortens the area, without the list of countries', () => {
  expect(systemByCode(2056)?.area).toBe('Liechtenstein, Switzerland');
  const areas = search('e', 10_000).map(({ area }) => area);
  expect(areas.length).toBeGreaterThan(5000);
  expect(areas.filter((area) => area.length > 63 || area.trim() === '')).toEqual([]);
});

it('systemOf() for a deprecated system names its successor', () => {
  expect(systemByCode(2036)).toMatchObject({
    name: 'NAD83(CSRS98) / New Brunswick Stereo',
    area: 'Canada - New Brunswick',
    successor: 2953,
  });
  expect(systemByCode(2008)).toMatchObject({ successor: null });
  expect(systemByCode(2008)?.definition).toContain('+lon_0=-55.5');
  expect(systemByCode(2953)).not.toHaveProperty('successor');
});

it('systemOf() for a deprecated system places it like GDAL, by its successor', () => {
  // GDAL 3.6 reads a TIFF with only the code 26819 as 26849.
  expect(systemByCode(26819)?.definition).toBe(systemByCode(26849)?.definition);
});

it('systemOf() for a deprecated system names only current successors', () => {
  const successors = deprecated.systems.flatMap(
    (row) => systemByCode(Number.parseInt(row, 10))?.successor ?? [],
  );
  expect(successors.length).toBeGreaterThan(300);
  expect(successors.filter((code) => !isFlat(systemByCode(code)))).toEqual([]);
});

it('systemOf() for a deprecated system is missing from search, names and assignable systems', () => {
  const oldCodes = new Set(deprecated.systems.map((row) => Number.parseInt(row, 10)));
  expect(codes('2036')).not.toContain(2036);
  expect(search('e', 10_000).filter(({ code }) => oldCodes.has(code))).toEqual([]);
  expect(systemByName('NAD83(CSRS98) / New Brunswick Stereo')).toBeNull();
  expect(flatCodeOf('EPSG:2036', { systemByCode, systemByName })).toBeNull();
  expect(flatCodeOf('EPSG:2953', { systemByCode, systemByName })).toBe(2953);
});

it('the search for coordinate systems finds a code with or without the register’s name', () => {
  expect(codes('25832', 1)).toEqual([25832]);
  expect(codes(' epsg:25832 ', 1)).toEqual([25832]);
  expect(codes('EPSG: 2583')).toContain(25832);
});

it('the search for coordinate systems finds words of the name in any order and case', () => {
  expect(codes('utm 32n etrs89', 1)).toEqual([25832]);
  expect(codes('lv95', 1)).toEqual([2056]);
  expect(codes('Pseudo-Mercator', 1)).toEqual([3857]);
});

it('the search for coordinate systems finds places, even if the shown area omits them', () => {
  expect(codes('utm germany', 100)).toContain(25832);
  expect(codes('switzerland lv95')).toContain(2056);
});

it('the search for coordinate systems finds nothing for an empty text, and no more than requested', () => {
  expect(codes('')).toEqual([]);
  expect(codes('EPSG:')).toEqual([]);
  expect(codes('no such place')).toEqual([]);
  expect(codes('utm', 7)).toHaveLength(7);
});

it('the search for coordinate systems accepts an empty row', () => {
  const empty = createSystems({ systems: ['7|P|||', ''], areas: [] });
  expect(empty.search('7', 5)).toMatchObject([{ code: 7, name: '', area: '', definition: null }]);
});

it('the system table packs into 200 KB, that of deprecated systems into 30', async () => {
  const { default: table } = await import('../../../../main/inspect/crs/epsg.json', {
    with: { type: 'json' },
  });
  const packedSize = (value: unknown) =>
    brotliCompressSync(JSON.stringify(value), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
  expect(packedSize(table)).toBeLessThan(200_000);
  expect(packedSize(deprecated)).toBeLessThan(30_000);
});
