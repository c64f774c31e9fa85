import { expect, it } from 'vitest';
import { howToFor } from '../../../shared/how-to/how-to.ts';
import { quoteFile } from '../../../shared/how-to/shell-words.ts';
import {
  type UnlistedFormatId,
  unlistedFormat,
  unlistedFormats,
} from '../../../shared/how-to/unlisted-formats.ts';

const ids = Object.keys(unlistedFormats) as UnlistedFormatId[];

it('howToFor() inserts the file name', () => {
  expect(howToFor('Bezirk Mitte/Gebäude 2024.shp', 'posix')).toEqual({
    id: 'shapefile',
    inNewerGuides: false,
    hasStandIn: false,
    commands: [
      "ogr2ogr -f GeoJSON -t_srs EPSG:4326 'Bezirk Mitte/Gebäude 2024.geojson' 'Bezirk Mitte/Gebäude 2024.shp'",
    ],
  });
  expect(howToFor('Gebäude 2024.ecw', 'windows')?.commands).toEqual([
    'gdal_translate -of COG -co COMPRESS=DEFLATE -co BIGTIFF=IF_SAFER "Gebäude 2024.ecw" "Gebäude 2024.tif"',
  ]);
});

it('howToFor() names the main file of several', () => {
  expect(howToFor('a/roads.DBF', 'posix')?.commands[0]).toBe(
    'ogr2ogr -f GeoJSON -t_srs EPSG:4326 a/roads.geojson a/roads.shp',
  );
  expect(howToFor('city.gdb/a00000001.gdbtable', 'posix')?.commands).toEqual([
    'ogr2ogr -f GeoJSON -t_srs EPSG:4326 city.geojson city.gdb',
  ]);
  expect(howToFor('city.gdb/timestamps', 'posix')?.id).toBe('geodatabase');
});

it.each(['a.las', 'a.tif', 'a.gml', 'a.obj', 'a.kmz', 'a.zip', 'a.prj', 'a.terraindb', 'a', '.gpkg', ''])(
  'howToFor() returns null for %j, which is listed or unknown',
  (name) => expect(howToFor(name, 'posix')).toBeNull(),
);

it('howToFor() knows the formats that newer guides list', () => {
  expect(ids.filter((id) => unlistedFormat(id).inNewerGuides)).toEqual(['geojson', 'czml', 'ifc']);
});

it('howToFor() lists each extension once, and none that a guide lists', () => {
  const endings = ids.flatMap((id) => unlistedFormat(id).endings.split(' '));
  expect(endings.length).toBe(new Set(endings).size);
});

it.each(ids)('howToFor() returns complete commands for %s', (id) => {
  for (const extension of unlistedFormat(id).endings.split(' ')) {
    const result = howToFor(`x.${extension}`, 'windows');
    expect(result?.id).toBe(id);
    for (const command of result?.commands ?? []) expect(command).not.toMatch(/[{}]|undefined|null/);
  }
});

it.each([
  ['-rf.shp', './-rf.shp'],
  ['PG:dbname=x.shp', "'./PG:dbname=x.shp'"],
  ["it's.shp", "'it'\\''s.shp'"],
  ['$(reboot).shp', "'$(reboot).shp'"],
  ['a;b|c.shp', "'a;b|c.shp'"],
])('quoteFile() quotes for a POSIX shell: %j', (name, word) => expect(quoteFile(name, 'posix')).toBe(word));

it.each([
  ['a b.shp', '"a b.shp"'],
  ['a & b.shp', '"a & b.shp"'],
  ['C:\\data\\a b.shp', '"C:\\data\\a b.shp"'],
  ['100%PATH%.shp', null],
  ['$(calc).shp', null],
  ['a`b.shp', null],
  ['a\u201d; calc; \u201cb.shp', null],
  ['a!PATH!.shp', null],
  ['a&calc&b.shp', null],
  ['@a.shp', '"@a.shp"'],
])('quoteFile() quotes for Windows or refuses: %j', (name, word) =>
  expect(quoteFile(name, 'windows')).toBe(word),
);

it('quoteFile() uses a placeholder if no quoting is safe, and says so', () => {
  expect(howToFor("a\\'b.shp", 'posix')).toMatchObject({ hasStandIn: true });
  expect(howToFor(`${'a'.repeat(5_000)}.shp`, 'posix')).toMatchObject({ hasStandIn: true });
  expect(howToFor("a\\'b.czml", 'posix')).toMatchObject({ hasStandIn: false, commands: [] });
  const standIn = 'ogr2ogr -f GeoJSON -t_srs EPSG:4326 output.geojson input.shp';
  expect(howToFor('$(calc).shp', 'windows')?.commands[0]).toBe(standIn);
  for (const name of ['a\nreboot\n.shp', 'a\u202egpj.shp'])
    expect(howToFor(name, 'posix')?.commands[0]).toBe(standIn);
});
