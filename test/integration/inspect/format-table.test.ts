import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkSources } from '../../../main/inspect/check/check-sources.ts';
import { createInspector } from '../../../main/inspect/session/inspector.ts';
import { suiteFolder } from '../../temporary-folder.ts';
import { files as corpus } from '../../unit/inspect/corpus/corpus.ts';
import { daeAt, glb, gltfAt, objModel, ply } from '../../unit/inspect/findings/model-files.ts';
import { texturesOf } from '../../unit/inspect/findings/texture-files.ts';
import { archiveOf } from '../../unit/inspect/formats/archive-files.ts';
import { ifc, kmlLine, kmlOf, spz, tileset } from '../../unit/inspect/formats/document-files.ts';
import { samples } from '../../unit/inspect/formats/sample-files.ts';
import { cityModel } from '../../unit/inspect/formats/sample-heads.ts';
import { splitArchives } from '../../unit/inspect/formats/volume-files.ts';
import { writeFiles } from '../../write-files.ts';

type Files = Readonly<Record<string, Buffer | string>>;
/** Deliveries of one format, by the degree of their data files. */
type Deliveries = Readonly<Record<string, readonly Files[]>>;

const root = join(import.meta.dirname, '..', '..', '..');
const grid = (extension: string) =>
  `ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 ${extension}\n`;
const padding = ' '.repeat(5 * 1024 * 1024);
const tiles = archiveOf({ 'a.gml': cityModel() });
const texture = (name: string): Files =>
  Object.fromEntries(
    texturesOf(9, 9).flatMap((texture) => (texture.name === name ? [[name, texture.bytes]] : [])),
  );
const content = (extension: string, bytes: Buffer | string): Files => ({ [`a${extension}`]: bytes });

/** Complete files of these extensions, with their header files. */
const completeFiles = (...endings: readonly string[]): readonly Files[] =>
  samples
    .filter(({ ending: extension, name }) => endings.includes(extension) && name !== 'ENVI')
    .map(({ ending: extension, bytes, header }) => ({
      [`a${extension}`]: bytes,
      ...(header && { 'a.hdr': header }),
    }));

/** By the first column of the table. */
const deliveries: Readonly<Record<string, Deliveries>> = {
  'TIFF, BigTIFF': { read: completeFiles('.tif', '.tiff') },
  'LAS, LAZ': { read: completeFiles('.las', '.laz') },
  'JPEG, PNG, GIF, BMP, WebP': { read: completeFiles('.jpg', '.png', '.gif', '.bmp', '.webp') },
  'DDS, KTX2': { read: [texture('a.dds'), texture('a.ktx2')] },
  'ASCII grid (`.asc`, `.agr`)': {
    read: [content('.asc', grid('4')), content('.agr', grid('4'))],
    'no-reader': [content('.asc', '1 2 3\n4 5 6\n')],
  },
  'FLT, BIL, BIP, BSQ': { read: completeFiles('.flt', '.bil') },
  'USGS DEM (`.dem`)': { read: [content('.dem', corpus.get('sheet_utm_84.dem') ?? '')] },
  'ERDAS IMAGINE (`.img`)': {
    read: completeFiles('.img'),
    'no-reader': [content('.img', Buffer.alloc(6_000, 7))],
  },
  'GML, CityGML, COLLADA': {
    read: [content('.gml', cityModel()), content('.citygml', cityModel()), content('.dae', daeAt([1, 2, 3]))],
  },
  'glTF, GLB': {
    read: [content('.gltf', gltfAt([1, 2, 3])), content('.glb', glb([1, 2, 3]))],
    'end-only': [content('.gltf', `${padding}${gltfAt([1, 2, 3])}`)],
  },
  'OBJ, PLY': {
    read: [content('.obj', objModel([1, 2, 3])), content('.ply', ply('ascii', 'float', [1, 2, 3]))],
  },
  'ZIP, KMZ, `.3tz`': {
    read: [content('.zip', tiles), content('.kmz', archiveOf({ 'doc.kml': kmlOf(kmlLine) }))],
    'end-only': [content('.3tz', archiveOf({ 'a.cityjson': '{}' }))],
    'names-only': [content('.zip', archiveOf({ 'a.txt': 'a' }))],
  },
  'split archives (`.z01`, `.zip.001`, `.7z.001`, `.part1.rar`, `.r00` …)': {
    'end-only': splitArchives.map(({ present: presentFiles, next: nextVolume, last: lastVolume }) => ({
      ...presentFiles,
      [nextVolume]: lastVolume,
    })),
  },
  '3D Tiles (`tileset.json`, up to 16 MiB)': { read: [{ 'tileset.json': tileset() }] },
  'KML (up to 4 MiB)': {
    read: [content('.kml', kmlOf(kmlLine))],
    limit: [content('.kml', kmlOf(kmlLine, padding))],
  },
  'IFC, ifcZIP (up to 16 MiB unpacked)': {
    read: [content('.ifc', ifc()), content('.ifczip', archiveOf({ 'a.ifc': ifc() }))],
    limit: [content('.ifc', ifc(padding, padding, padding, padding))],
  },
  'GeoJSON, TopoJSON, CZML (up to 4 MiB)': {
    read: [
      content('.geojson', '{"type":"FeatureCollection","features":[]}'),
      content('.topojson', '{"type":"Topology"}'),
      content('.czml', '[{"id":"document"}]'),
    ],
    'end-only': [content('.geojson', `{"type":"FeatureCollection",${padding}"features":[]}`)],
  },
  'VRT, CityJSON, GeoJSON and TopoJSON in `.json`': {
    'end-only': [
      content('.vrt', '<VRTDataset></VRTDataset>'),
      content('.cityjson', '{}'),
      content('.city.json', '{"type":"CityJSON"}'),
      content('.json', '{"type":"FeatureCollection","features":[]}'),
    ],
  },
  'splats (`.spz`, `.splat`, `.ksplat`, `.sog`)': {
    'no-reader': [
      content('.spz', spz()),
      content('.splat', Buffer.alloc(3_200, 7)),
      content('.ksplat', Buffer.alloc(5_000, 7)),
    ],
    'names-only': [content('.sog', archiveOf({ 'meta.json': '{}' }))],
  },
  'FBX, E57, JPEG 2000, 3D Tiles contents (`.b3dm` …), `.slpk`, `.usdz`, 7z, Shapefile, dBase, GeoPackage, MBTiles, Parquet, FlatGeobuf, NetCDF, HDF5':
    {
      'end-only': completeFiles(
        ...['.fbx', '.e57', '.jp2', '.j2k', '.b3dm', '.slpk', '.7z', '.shp', '.dbf', '.mbtiles', '.parquet'],
        ...['.fgb', '.nc', '.h5'],
      ),
    },
  'DWG, RVT': {
    'no-reader': [content('.dwg', 'AC1032'), content('.rvt', Buffer.from('d0cf11e0a1b11ae1', 'hex'))],
  },
  '`.xyz`, `.hgt`, `.ecw`, `.sid`, DTED, `.osgb` and other meshes, `.dxf` and other CAD, `.terrain`, other scans':
    {
      'no-reader': [
        ...['.xyz', '.hgt', '.ecw', '.sid', '.osgb', '.dt1', '.dxf', '.stl', '.terrain', '.pts'],
      ].map((extension) => content(extension, '1 2 3\n')),
    },
};

/** Rows of the table: the format, and the degrees in the last column. */
const rows = readFileSync(join(root, 'docs', 'check.md'), 'utf8')
  .split('\n| format | header |')[1]
  ?.split('\n\n', 1)[0]
  ?.split('\n')
  .slice(2)
  .map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const degrees = [...(cells[4] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, degree]) => degree);
    return { format: cells[1] ?? '', degrees };
  });

const folder = suiteFolder();
const inspector = createInspector();
afterAll(() => inspector.close());
let lastDelivery = 0;

async function degreesOf(files: Files): Promise<readonly string[]> {
  const path = join(folder, `${++lastDelivery}`);
  await writeFiles(path, files);
  const { signal } = new AbortController();
  const parts = { inspector, notify: () => {} };
  const { sources } = await checkSources({ paths: [path], sourceTypes: null, strict: false }, parts, signal);
  return [
    ...new Set(sources.flatMap(({ degrees }) => degrees.map(({ reason, degree }) => reason ?? degree))),
  ];
}

it('the table of formats in docs/check.md has a row for each format', () => {
  expect(rows?.map(({ format }) => format)).toEqual(Object.keys(deliveries));
  const endings = Object.values(deliveries)
    .flatMap((byDegree) => Object.values(byDegree).flat())
    .flatMap((files) => Object.keys(files).map((name) => extname(name)));
  const code = readFileSync(join(root, 'main', 'inspect', 'formats', 'read-file.ts'), 'utf8');
  const readers = [...code.matchAll(/^ {2}\[.*, \[((?:'\.\w+'(?:, )?)+)\]\],$/gm)].map(
    ([, list = '']) => list,
  );
  expect(readers.length).toBeGreaterThan(35);
  expect(readers.filter((list) => !endings.some((extension) => list.includes(`'${extension}'`)))).toEqual([]);
});

it.each(rows ?? [])(
  'the table of formats in docs/check.md names the degrees of $format',
  async ({ format, degrees }) => {
    const byDegree = deliveries[format] ?? {};
    const isArchive = format.startsWith('ZIP');
    expect(isArchive ? ['read', 'end-only', ...degrees] : degrees).toEqual(Object.keys(byDegree));
    for (const [degree, allFiles] of Object.entries(byDegree)) {
      expect(allFiles).not.toEqual([]);
      for (const files of allFiles)
        expect(await degreesOf(files), Object.keys(files).join()).toEqual([degree]);
    }
  },
);
