import { describe, expect, it } from 'vitest';
import { soleRootOf } from '../../../../main/inspect/findings/tilesets.ts';
import { type FindingId, factsOf, findingFacts } from '../../../../shared/findings.ts';
import {
  ifc,
  ifcSite,
  kmlLine,
  kmlLink,
  kmlModel,
  kmlOf,
  kmlOverlay,
  projectedIfc,
  splatPly,
  spz,
  tileset,
} from '../formats/document-files.ts';
import { lazFile } from '../formats/laz-files.ts';
import { hfaWithOutside, jpeg, las, png, samples, zip } from '../formats/sample-files.ts';
import {
  cityModel,
  datedPhoto,
  jpegFile,
  lasFile,
  projectedKeys,
  tiffFile,
} from '../formats/sample-heads.ts';
import { type Files, findIn } from './find-in.ts';
import { capture, daeAt, glb, gltfAt, objModel, ply } from './model-files.ts';
import { rasterFile, rowsOf } from './raster-files.ts';
import { texturesOf } from './texture-files.ts';

const utm32 = projectedKeys(25832);
/** GeoTIFF keys: model, then one key. */
const keysOf = (...pairs: readonly (readonly [key: number, value: number])[]) => [
  1,
  1,
  0,
  pairs.length,
  ...pairs.flatMap(([key, value]) => [key, 0, 1, value]),
];
const unitKeys = (epsg: number, unit: number) => keysOf([1024, 1], [3072, epsg], [3076, unit]);
const geographic = (epsg: number) => keysOf([1024, 2], [2048, epsg]);
const at = (x: number, y: number, tiffOptions: Parameters<typeof tiffFile>[0] = {}) =>
  tiffFile({
    size: [10, 10],
    scale: [0.5, 0.5, 0],
    tie: [0, 0, 0, x, y, 0],
    bands: 3,
    geoKeys: utm32,
    ...tiffOptions,
  });
const heights = { bands: 1, bits: 32, sampleFormat: 3 } as const;
const hannover = [550_000, 5_800_000] as const;
const box = [550_000, 5_800_000, 551_000, 5_801_000] as const;
const wktWithFeet =
  'COMPD_CS["a",PROJCS["b",UNIT["metre",1],AUTHORITY["EPSG","25832"]],VERT_CS["c",VERT_DATUM["d",2005],UNIT["US survey foot",0.3],AUTHORITY["EPSG","5703"]]]';
const wktWithUnit = (name: string, size: number) =>
  `PROJCS["b",GEOGCS["c",UNIT["degree",0.0174532925199433]],UNIT["${name}",${size}],AUTHORITY["EPSG","25832"]]`;
const tiles = (count: number, lastPart: Buffer): Files =>
  Object.fromEntries([
    ...Array.from({ length: count }, (_, index) => [`t_${index}.tif`, at(550_000 + index * 5, 5_800_000)]),
    ['last.tif', lastPart],
  ]);

/** A square of 5 m tiles except some. */
const square = (side: number, ...omittedKeys: readonly string[]): Files =>
  Object.fromEntries(
    Array.from({ length: side * side }, (_, index) => [index % side, Math.floor(index / side)] as const)
      .filter(([column, row]) => !omittedKeys.includes(`${column}_${row}`))
      .map(([column, row]) => [`t_${column}_${row}.tif`, at(550_000 + column * 5, 5_800_000 + row * 5)]),
  );

/** A PNG whose header claims this size in pixels. */
function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** WKT 1 with its own ellipsoid. */
const planet = (name: string, axis: number) =>
  `PROJCS["x",GEOGCS["GCS_${name}",DATUM["D_${name}",SPHEROID["${name}",${axis},169.89]],PRIMEM["Reference_Meridian",0],UNIT["Degree",0.017453292519943295]],PROJECTION["Equirectangular"],UNIT["Meter",1]]`;
/** WKT 2. */
const moon =
  'GEOGCRS["Moon (2015)",DATUM["Moon (2015)",ELLIPSOID["Moon (2015)",1737400,0]],CS[ellipsoidal,2],ANGLEUNIT["degree",0.0174532925199433]]';
/** GeoTIFF keys of a geographic system with its own axis. */
const ownRadius = (index: number) => [1, 1, 0, 3, 1024, 0, 1, 2, 2048, 0, 1, 32_767, 2057, 34_736, 1, index];

const grid = 'ncols 2\nnrows 1\nxllcorner 550000\nyllcorner 5800000\ncellsize 1\n1 2\n';

const shape = samples.find(({ ending: extension }) => extension === '.shp')?.bytes ?? '';
const flt = Buffer.alloc(8, 1);
const textured = (uri: string) => cityModel().replace('</', `<app:imageURI>${uri}</app:imageURI></`);
const gltf = (uri: string) => JSON.stringify({ images: [{ uri }, { uri: 'data:image/png;base64,AA' }] });
const collada = (uri: string) =>
  `<COLLADA><library_images><image><init_from>${uri}</init_from></image></library_images></COLLADA>`;
const kml = (href: string) => `<kml><Icon><href>${href}</href></Icon></kml>`;

/** LAZ points, the first without class and colour. */
const packedPoint = (grey: number, ownColour: number) =>
  Array.from({ length: 30 }, (_, at) => (at === 0 ? { class: 1 } : { class: ownColour, grey }));

/** A photo with its end marker. */
const photo = (position: Parameters<typeof jpegFile>[0], photoOptions: Parameters<typeof jpegFile>[2] = {}) =>
  Buffer.concat([jpegFile(position, 5, photoOptions), Buffer.from([0xff, 0xd9])]);

/** A city model with a system and places. */
const town = (content: string, { before: textBefore = '', behind = 0, version = '2.0', root = '' } = {}) =>
  cityModel(undefined, version)
    .replace('<core:City', `${textBefore}<core:City`)
    .replace('xmlns:core', `${root} xmlns:core`)
    .replace('</core:City', `${content}<!--${' '.repeat(behind)}--></core:City`);
/** A city model between two places in a system. */
const cityAt = (srsName: string, lowerCorner: string, upperCorner = lowerCorner) =>
  cityModel(srsName).replace(
    '/></gml:boundedBy>',
    `><gml:lowerCorner>${lowerCorner} 50</gml:lowerCorner><gml:upperCorner>${upperCorner} 90</gml:upperCorner></gml:Envelope></gml:boundedBy>`,
  );
const solid = (lod: number) => `<bldg:lod${lod}Solid><gml:posList>1 2 3</gml:posList></bldg:lod${lod}Solid>`;
const relief =
  '<core:cityObjectMember><dem:ReliefFeature><dem:TINRelief><gml:posList>1 2 3</gml:posList></dem:TINRelief></dem:ReliefFeature></core:cityObjectMember>';
const appearance = '<app:appearanceMember><app:Appearance/></app:appearanceMember>';
const features =
  '<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"><a/></wfs:FeatureCollection>';
const archive = (name: string, options: { readonly flags?: number; readonly method?: number } = {}) =>
  zip({ entries: [{ name: 'a.gml' }, { name, ...options }, { name: 'z/', method: 8 }] });

/** The inspected part of its directory ends within the last name, after `.zip`. */
const longDirectory = zip({
  entries: [65_000, 65_000, 930].map((length, index) => ({
    name: `${'a'.repeat(length)}${index < 2 ? '' : '.zip.txt'}`,
  })),
});
const hills = (row: number, column: number) => 200 + ((row * 7 + column * 3) % 90) / 10;
const withHole = (value: number) => rowsOf(20, 60, (row, column) => (row < 3 ? value : hills(row, column)));
const onlyValue = (value: number) => rowsOf(12, 60, () => value);
const plants = (row: number, column: number) => ((row * 13 + column * 7) % 180) / 100 - 0.9;
const june = (camera: string) => datedPhoto(camera, '2025:06:01 12:00:00');

/**
 * For each finding, files that show it (also those of docs/reference/support-cases.md), and similar files
 * that must not. Other tests cover findings of rules and unopened files.
 */
const shows: Readonly<
  Record<
    Exclude<
      FindingId,
      'rule-kind' | 'not-read' | 'only-in-cloud' | 'sparse-file' | 'missing-volumes' | 'unfinished-download'
    >,
    readonly [shows: Files, not: Files]
  >
> = {
  empty: [{ 'a.tif': '' }, { 'a.tfw': '' }],
  'cut-off': [{ 'a.jpg': jpeg.subarray(0, -4) }, { 'a.jpg': jpeg }],
  unfinished: [{ 'a.las': uncounted() }, { 'a.las': las() }],
  'broken-json': [
    { 'tileset.json': tileset().replace('10', '1 0'), 'a.geojson': '{"type" "Point"}' },
    { 'tileset.json': tileset(), 'settings.json': '{"a": 1, // b\n}', 'a.geojson': '{"type": "Point"}' },
  ],
  'kml-no-models': [
    { 'a.kml': kmlOf(kmlLine), 'b.kml': kmlOf(kmlLink), 'c.kml': kmlOf(kmlOverlay) },
    { 'a.kml': kmlOf(kmlLine), 'sub/b.kml': kmlOf(kmlModel), 'sub/a.dae': '' },
  ],
  'tileset-empty': [
    { 'tileset.json': tileset({ children: [{}] }) },
    { 'tileset.json': tileset({ children: [{ content: { uri: 'data:,x' } }] }) },
  ],
  'tileset-name': [
    { 'scene.json': tileset({ content: { uri: 'part.json' } }), 'part.json': tileset() },
    { 'sub/tileset.json': tileset({ content: { uri: 'part.json' } }), 'sub/part.json': tileset() },
  ],
  'ifc-no-place': [
    { 'a.ifc': ifc(), 'b.ifc': ifc(ifcSite('$', '$')) },
    { 'a.ifc': projectedIfc('367000.', '5690000.'), 'b.ifc': ifc(ifcSite('(51,30,0)', '(7,15,0)')) },
  ],
  splats: [
    { 'a.ply': splatPly(), 'a.spz': spz(), 'a.splat': 'x' },
    { 'a.ply': ply('ascii', 'float', [0, 0, 0]), 'b.spz': 'x' },
  ],
  'lfs-pointer': [
    { 'a.tif': 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n' },
    { 'a.tif': at(...hannover) },
  ],
  'web-page': [{ 'a.tif': '<!DOCTYPE html><html>' }, { 'a.html': '<!DOCTYPE html><html>' }],
  'server-error': [
    { 'a.tif': '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>' },
    { 'a.gml': cityModel() },
  ],
  'wrong-format': [{ 'a.las': 'x y z' }, { 'a.las': lasFile() }],
  'not-filled': [{ 'a.jpg': Buffer.alloc(9_000) }, { 'a.jpg': jpegFile(null) }],
  'many-zeros': [
    { 'a.tif': Buffer.concat([at(...hannover), Buffer.alloc(20_000)]) },
    { 'a.tif': at(...hannover) },
  ],
  'no-system-raster': [
    { 'a.tif': at(...hannover, { geoKeys: [] }), 'dem.asc': grid },
    { 'a.png': [png, 'EPSG:25832'] },
  ],
  'no-system-city': [{ 'a.gml': cityModel('') }, { 'a.gml': cityModel() }],
  'no-system-points': [{ 'a.las': lasFile({ box }) }, { 'a.las': lasFile({ box, geoKeys: utm32 }) }],
  'engineering-system': [
    {
      'a.las': lasFile({ box, wkt: 'LOCAL_CS["site",UNIT["metre",1]]', wktBit: true }),
      'b.gml': cityModel('#local-CRS-1'),
    },
    {
      'a.las': lasFile({ box, wkt: 'PROJCS["x",AUTHORITY["EPSG","25832"]]', wktBit: true }),
      'b.gml': cityModel('urn:adv:crs:DE_DHDN_3GK3*DE_DHHN92_NH'),
      'c.gml': cityModel('urn:ogc:def:crs:EPSG::25832#locality'),
    },
  ],
  'planet-system': [
    {
      'mars.las': lasFile({ box, wkt: planet('Mars_2000_IAU_IAG', 3_396_190), wktBit: true }),
      'moon.las': lasFile({ box, wkt: moon, wktBit: true }),
      'moon.tif': at(1_000, 1_000, { geoKeys: ownRadius(0), geoDoubles: [1_737_400] }),
    },
    {
      'earth.las': lasFile({ box, wkt: planet('Clarke_1866', 6_378_206.4), wktBit: true }),
      'sphere.las': lasFile({ box, wkt: planet('Sphere', 6_370_997), wktBit: true }),
      // In kilometres, in feet, and on a numbered sphere.
      'km.las': lasFile({ box, wkt: planet('WGS_1984', 6_378.137), wktBit: true }),
      'feet.las': lasFile({ box, wkt: planet('Clarke_1858', 20_926_348), wktBit: true }),
      'unit.las': lasFile({ box, wkt: planet('Unit_Sphere', 1), wktBit: true }),
      'foot.las': lasFile({
        box,
        wkt: moon.replace('1737400,0', '5700000,0,LENGTHUNIT["x",1.11]'),
        wktBit: true,
      }),
      'earth.tif': at(1_000, 1_000, { geoKeys: ownRadius(0), geoDoubles: [6_378_137] }),
      'code.tif': at(...hannover),
    },
  ],
  'contradicting-systems': [
    { 'a.tif': [at(...hannover), 'EPSG:25833'] },
    // The same system with heights.
    { 'a.tif': [at(...hannover), 'EPSG:5555'] },
  ],
  'contradicting-unit': [
    {
      'a.tif': at(...hannover, { geoKeys: unitKeys(25_832, 9002) }),
      'b.tif': at(984_000, 200_000, { geoKeys: unitKeys(2263, 9001) }),
      'c.las': lasFile({ box, wkt: wktWithUnit('US survey foot', 0.3048006096), wktBit: true }),
    },
    {
      'a.tif': at(...hannover, { geoKeys: unitKeys(25_832, 9001) }),
      // Both feet differ by a metre at most.
      'b.tif': at(984_000, 200_000, { geoKeys: unitKeys(2263, 9002) }),
      'c.las': lasFile({ box, wkt: wktWithUnit('metre', 1), wktBit: true }),
      'd.tif': at(...hannover, { geoKeys: unitKeys(25_832, 9036) }),
      'e.tif': at(9.7, 52.3, { geoKeys: unitKeys(4326, 9002), scale: [0.0001, 0.0001, 0] }),
      'g.las': lasFile({ box, wkt: wktWithUnit('kilometre', 1_000), wktBit: true }),
      // Vertical units don't matter.
      'f.las': lasFile({ box, wkt: wktWithFeet, wktBit: true }),
    },
  ],
  'swapped-axes': [
    {
      'a.tif': at(5_800_000, 550_000),
      'b.gml': cityAt('urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH', '5800000 550000'),
      'c.gml': cityAt('http://www.opengis.net/def/crs/EPSG/0/6697', '139.69 35.53'),
    },
    {
      'a.tif': at(...hannover),
      'b.gml': cityAt('EPSG:25832', '550000 5800000'),
      // Either axis order if EPSG defines north first, and degrees with a short name.
      'c.gml': cityAt('EPSG:31467', '3567000 5690000'),
      'd.gml': cityAt('EPSG:31467', '5690000 3567000'),
      'e.gml': cityAt('http://www.opengis.net/def/crs/EPSG/0/6697', '35.53 139.69'),
      'f.gml': cityAt('EPSG:4258', '9.7 52.3'),
    },
  ],
  'unclear-axes': [
    {
      'a.gml': cityAt('EPSG:4979', '51.35 7.09', '51.36 7.1'),
      'b.gml': cityAt('EPSG:3068', '24000 20000', '24500 20500'),
    },
    {
      'a.gml': cityAt('EPSG:4979', '35.5 139.7'),
      'b.gml': cityAt('EPSG:25833', '392000 5820000'),
      'c.gml': cityAt('#local-CRS-1', '1 1'),
      'd.tif': at(9.7, 52.3, { geoKeys: geographic(4326), scale: [0.0001, 0.0001, 0] }),
    },
  ],
  'degrees-as-metres': [
    { 'a.tif': at(9.7, 52.3, { scale: [0.0001, 0.0001, 0] }) },
    { 'a.tif': at(9.7, 52.3, { geoKeys: geographic(4326), scale: [0.0001, 0.0001, 0] }) },
  ],
  'metres-as-degrees': [
    {
      'a.tif': at(...hannover, { geoKeys: geographic(4326) }),
      'b.gml': cityAt('EPSG:4326', '367000 5690000'),
    },
    {
      'b.gml': cityAt('EPSG:4326', '51.3 7.1'),
      'a.tif': at(179.9, 10, { geoKeys: geographic(4326), scale: [0.1, 0.1, 0] }),
      // More than once around the earth, as PROJ's own tests do.
      'polar.tif': at(-60, -88.75, { size: [4, 3], geoKeys: geographic(4959), scale: [120, 0.5, 0] }),
    },
  ],
  millimetres: [{ 'a.tif': at(550_000_000, 5_800_000_000) }, { 'a.tif': at(...hannover) }],
  'zone-prefix': [
    { 'a.tif': at(32_550_000, 5_800_000) },
    { 'a.tif': at(32_550_000, 5_800_000, { geoKeys: projectedKeys(4647) }) },
  ],
  'no-zone-prefix': [
    { 'a.tif': at(550_000, 5_800_000, { geoKeys: projectedKeys(31467) }) },
    { 'a.tif': at(3_550_000, 5_800_000, { geoKeys: projectedKeys(31467) }) },
  ],
  feet: [
    { 'a.tif': at(550_000 / 0.3048, 5_800_000 / 0.3048) },
    { 'a.tif': at(984_000, 200_000, { geoKeys: projectedKeys(2263) }) },
  ],
  'metres-as-feet': [
    // Texas in metres.
    { 'a.tif': at(700_000, 3_100_000, { geoKeys: projectedKeys(2277) }) },
    { 'a.tif': at(984_000, 200_000, { geoKeys: projectedKeys(2263) }) },
  ],
  // Norway uses its middle zone everywhere.
  'outside-area': [
    { 'a.tif': at(550_000, -3_000_000), 'b.gml': cityAt('EPSG:25832', '550000 -3000000') },
    {
      // Eastern Bavaria outside the zone, and western North Rhine-Westphalia.
      'b.gml': cityAt('EPSG:25832', '840000 5400000'),
      'c.gml': cityAt('EPSG:25832', '290000 5660000'),
      'a.tif': at(1_100_000, 7_800_000, { geoKeys: projectedKeys(25833) }),
    },
  ],
  'terrain-of-colours': [{ 'a.tif': at(...hannover) }, { 'a.tif': at(...hannover, heights) }],
  'terrain-of-bytes': [
    { 'a.tif': at(...hannover, { bands: 1 }) },
    { 'a.tif': at(...hannover, { bands: 1, bits: 16, sampleFormat: 2 }) },
  ],
  'unnamed-fill': [
    {
      'a.tif': rasterFile({ rows: withHole(-9999) }),
      'b.tif': rasterFile({ rows: withHole(-3.4028234663852886e38), compression: 'deflate' }),
      'c.tif': rasterFile({ rows: withHole(-32_768), compression: 'deflate', predictor: 3 }),
      'd.tif': rasterFile({ rows: withHole(-9999), compression: 'packbits' }),
      'e.tif': rasterFile({ rows: withHole(-32_768), noData: '-9999' }),
    },
    {
      'a.tif': rasterFile({ rows: withHole(-9999), noData: '-9999' }),
      // 0 may be a height, and a few cells may be wrong.
      'b.tif': rasterFile({ rows: withHole(0) }),
      'c.tif': rasterFile({ rows: rowsOf(20, 60, (row, at) => (row + at === 0 ? -9999 : hills(row, at))) }),
      'd.tif': rasterFile({ rows: withHole(Number.NaN), compression: 'deflate', predictor: 3 }),
    },
  ],
  'only-no-data': [
    {
      'a.tif': rasterFile({ rows: onlyValue(-9999), noData: '-9999', compression: 'deflate' }),
      'b.tif': rasterFile({ rows: onlyValue(-9999).slice(0, 8), noData: '-9999' }),
      'c.tif': rasterFile({ rows: onlyValue(Number.NaN), compression: 'deflate', sparse: [0, 3] }),
      'd.tif': rasterFile({ rows: onlyValue(-3.4e38), noData: '-3.4e+38', compression: 'packbits' }),
    },
    {
      'a.tif': rasterFile({ rows: withHole(-9999), noData: '-9999', compression: 'deflate' }),
      // An uninspected strip may contain data.
      'b.tif': rasterFile({ rows: onlyValue(-9999), noData: '-9999' }),
      'c.tif': rasterFile({
        rows: rowsOf(12, 60, (row, at) => (row === 3 ? hills(row, at) : -9999)),
        noData: '-9999',
        compression: 'deflate',
      }),
      'd.tif': rasterFile({ rows: onlyValue(0), compression: 'deflate' }),
    },
  ],
  'hardly-heights': [
    { 'field.tif': rasterFile({ rows: rowsOf(30, 90, plants), compression: 'deflate' }) },
    {
      'dgm.tif': rasterFile({ rows: rowsOf(30, 90, hills), compression: 'deflate' }),
      'field_ndvi.tif': rasterFile({ rows: rowsOf(30, 90, plants) }),
      'sea.tif': rasterFile({ rows: rowsOf(30, 90, (row, at) => plants(row, at) * 2) }),
      'flat.tif': rasterFile({ rows: onlyValue(0) }),
      'tiny.tif': rasterFile({ rows: rowsOf(2, 90, plants) }),
    },
  ],
  'imagery-of-heights': [
    { 'a.tif': at(...hannover, heights) },
    { 'field_ndvi.tif': at(...hannover, heights) },
  ],
  'las-inverted': [
    { 'a.las': lasFile({ box: [551_000, 0, 550_000, 1], geoKeys: utm32 }) },
    { 'a.las': lasFile({ box, geoKeys: utm32 }) },
  ],
  'las-overflow': [{ 'a.las': lasFile({ box, scale: 0.0001 }) }, { 'a.las': lasFile({ box, scale: 0.01 }) }],
  'coarse-coordinates': [
    {
      'a.glb': glb([550_000, 5_800_000, 40]),
      'b.gltf': gltfAt([550_000, 40, -5_800_000]),
      'c.ply': ply('binary_little_endian', 'float', [550_000, 5_800_000, 40]),
      'd.ply': ply('ascii', 'float32', [3_550_000, 5_800_000, 40]),
      'e.ply': ply('binary_big_endian', 'float', [550_000, 5_800_000, 40]),
    },
    {
      'a.glb': glb([0, 0, 0]),
      // Millimetres around the origin, or as large as projected coordinates.
      'b.gltf': gltfAt([0, 1_500_000, 1_200_000], 900_000),
      'c.ply': ply('binary_little_endian', 'double', [550_000, 5_800_000, 40]),
      'd.ply': ply('ascii', 'float', [5, 5, 5]),
      'e.gltf': gltfAt([0, 5_800_000, 0]),
      'f.gltf': gltfAt([Number.NaN, 5_800_000, 550_000]),
      'g.obj': objModel([550_000, 5_800_000, 40]),
    },
  ],
  'large-coordinates': [
    { 'a.obj': objModel([550_000, 5_800_000, 40]), 'b.dae': daeAt([32_550_000, 5_800_000, 40]) },
    {
      'a.obj': objModel([0, 0, 0]),
      'b.obj': `${objModel([550_000, 5_800_000, 40])}v 0 0 0\n`,
      'c.dae': daeAt([1, 2, 3]),
      'd.obj': 'v nan 5800000 550000\n',
      'e.dae': daeAt([550_000, 5_800_000, 40]).replace('positions-array', 'normals-array'),
      'f.obj': 'vt 550000 5800000 40\n',
    },
  ],
  'local-coordinates': [
    { 'a/metadata.xml': capture('EPSG:32632', '550000,5800000,40'), 'a/Data/t.obj': objModel([0, 0, 0]) },
    {
      // Not a model; no place; in the system itself; two places; commented out.
      'a/metadata.xml': '<metadata><SRS>EPSG:32632</SRS><SRSOrigin>1,2,3</SRSOrigin></metadata>',
      'b/metadata.xml': capture('EPSG:32632', ''),
      'c.xml':
        '<ModelMetadata version="1"><!--<SRS>EPSG:32632</SRS><SRSOrigin>1,2,3</SRSOrigin>--></ModelMetadata>',
      't.obj': objModel([0, 0, 0]),
    },
  ],
  'missing-files': [
    {
      'a.obj': 'mtllib gone.mtl\n',
      'b.mtl': 'map_Kd ../textures/wall.jpg\n',
      'c.gltf': gltf('my%20wall.jpg'),
      'e.gml': textured('appearance/1.jpg'),
      'f.kml': kml('files/1.png'),
      'g.shp': shape,
      'h.flt': flt,
      'i.img': hfaWithOutside('pixels.ige'),
      'j/tileset.json': tileset({ content: { uri: 'gone%20tile.b3dm?v=1' } }),
      'k/tileset.json': tileset({ implicitTiling: { subtrees: { uri: 's/{level}/{x}/{y}.subtree' } } }),
    },
    {
      'm/a.obj': 'mtllib lib/b.mtl lib/my lib.mtl\nmtllib dir\\c.MTL\n',
      'm/lib/b.mtl': 'map_Kd wall.jpg\nmap_aat on\nmap_Kd tex.<UDIM>.jpg\nmap_Ks wall.jpg # shiny\n',
      'm/lib/my lib.mtl': 'map_Kd -s 1 1 1 Wa\u0308nde.jpg\nmap_Kd https://example.org/x.jpg\n',
      'm/dir/c.mtl': 'map_Kd -x 1 no.jpg\nmap_Kd no.jpg -clamp on\nmap_Kd no -bm 0.5\nmap_Ks x\\y.jpg\n',
      'm/dir/x\\y.jpg': jpeg,
      'm/wall.jpg': jpeg,
      'm/lib/W\u00e4nde.jpg': jpeg,
      'c.gltf': gltf('my%20wall%25.jpg'),
      'd.gltf': gltf('a%20b.jpg'),
      'my wall%.jpg': jpeg,
      'a%20b.jpg': jpeg,
      'e.gml': textured('http://example.org/1.jpg'),
      'f.kml': kml(':/paddle.png') + kml('root://icons/a.png') + kml('#style') + kml('{x}/{y}.png'),
      'd.dae': collada('../elsewhere.jpg'),
      'G.shp': shape,
      'G.SHX': shape,
      'g.dbf': 'x',
      'h.flt': flt,
      'h.hdr': 'x',
      'i.img': hfaWithOutside('i.ige'),
      'i.ige': 'x',
      't/tileset.json': tileset({
        content: { uri: 'a%20b.b3dm?v=1#c' },
        children: [
          { content: { uri: '../u/part.json' } },
          { content: { uri: 'https://example.org/gone.b3dm' } },
          { content: { uri: '{level}.glb' }, implicitTiling: { subtrees: { uri: '{level}/{x}.subtree' } } },
        ],
      }),
      't/a b.b3dm': '',
      't/0/0.subtree': '',
      'u/part.json': tileset({ content: { url: '../t/a b.b3dm' } }),
      // Renamed together.
      'j/j.img': hfaWithOutside('D:\\was\\before.ige'),
      'j/j.ige': 'x',
      // Other images, and embedded pixels.
      'k.img': 'x',
      'l.img': Buffer.from(
        hfaWithOutside('gone.ige').toString('latin1').replace('ImgExternal', 'Img_xternal'),
        'latin1',
      ),
    },
  ],
  'bare-name-references': [
    { 'sub/a.mtl': 'map_Kd textures\\wall.jpg\n', 'sub/wall.jpg': photo([52, 13]) },
    {
      'sub/a.mtl': 'map_Kd wall.jpg\n',
      'sub/wall.jpg': photo([52, 13]),
      'b.gltf': gltf('textures/wall.jpg'),
    },
  ],
  'absolute-references': [
    {
      'a.mtl': 'map_Kd C:\\Users\\me\\wall.jpg\n',
      'b.mtl': 'map_Kd /home/me/wall.jpg\n',
      'c.dae': collada('file:///C:/me/wall.jpg'),
      'd.gml': textured('\\\\server\\share\\1.jpg'),
    },
    {
      'a.mtl': 'map_Kd ./wall.jpg\n',
      'wall.jpg': jpeg,
      'c.dae': collada('file://wall.jpg'),
      'f.kml': kml('//example.org/a.png'),
    },
  ],
  'other-case-references': [
    { 'a.obj': 'mtllib A.MTL\n', 'a.mtl': 'map_Kd Textures/wall.jpg\n', 'textures/wall.jpg': jpeg },
    { 'a.obj': 'mtllib a.mtl\n', 'a.mtl': '', 'A.MTL': '' },
  ],
  'backslash-references': [
    { 'a.mtl': 'map_Kd textures\\wall.jpg\n', 'textures/wall.jpg': jpeg },
    { 'a.mtl': 'map_Kd textures\\gone.jpg\nmap_Ks a\\b.jpg\n', 'a\\b.jpg': jpeg },
  ],
  'mixed-kinds': [
    {
      'dsm.tif': at(...hannover, heights),
      'ortho.tif': at(...hannover),
      'cloud.las': lasFile({ box, geoKeys: utm32 }),
    },
    { 'dsm.tif': at(...hannover, heights), 'hillshade.tif': at(...hannover, { bands: 1, bits: 16 }) },
  ],
  'mixed-systems': [
    { 'a.tif': at(...hannover), 'b.tif': at(...hannover, { geoKeys: projectedKeys(25833) }) },
    { 'a.tif': at(...hannover), 'b.tif': [at(...hannover, { geoKeys: [] }), 'EPSG:5555'] },
  ],
  'far-away': [tiles(30, at(550_000, 5_000_000)), tiles(30, at(551_000, 5_801_000))],
  overlaps: [
    {
      ...square(3),
      'later/t_1_1.tif': at(550_005, 5_800_005, { bits: 16 }),
      'other.tif': at(550_005, 5_800_005),
    },
    // A copy, and another kind of picture.
    {
      ...square(3),
      'again/t_1_1.tif': at(550_005, 5_800_005),
      'heights.tif': at(550_005, 5_800_005, heights),
    },
  ],
  gaps: [
    square(5, '2_2'),
    // Neither an edge nor a diagonal opening is a gap.
    { ...square(5, '0_2', '1_1') },
  ],
  'deprecated-system': [
    {
      'a.tif': at(2_500_000, 7_500_000, { geoKeys: projectedKeys(2036) }),
      'b.las': lasFile({ box: [500_000, 6_700_000, 501_000, 6_701_000], geoKeys: projectedKeys(2038) }),
    },
    {
      'a.tif': at(2_500_000, 7_500_000, { geoKeys: projectedKeys(2953) }),
      'b.tif': at(1, 1, { geoKeys: [] }),
    },
  ],
  'geocentric-system': [
    { 'a.las': lasFile({ box, geoKeys: keysOf([1024, 3], [2048, 4326]) }) },
    { 'a.las': lasFile({ box, geoKeys: utm32 }) },
  ],
  'no-place': [
    { 'a.tif': tiffFile({ bands: 3, geoKeys: utm32 }) },
    { 'a.tif': tiffFile({ bands: 3, geoKeys: utm32 }), 'A.TFW': '1' },
  ],
  'no-vertical': [
    { 'a.tif': at(...hannover, heights), 'b.asc': [grid, 'EPSG:25832'] },
    {
      'd.asc': [grid, 'EPSG:5555'],
      'a.tif': at(...hannover, { ...heights, geoKeys: keysOf([1024, 1], [3072, 25_832], [4096, 7837]) }),
      'b.tif': at(...hannover, { ...heights, geoKeys: keysOf([1024, 1], [3072, 25_832], [4096, 5019]) }),
      'c.tif': at(...hannover),
    },
  ],
  'heights-in-feet': [
    {
      'a.tif': at(...hannover, { ...heights, geoKeys: keysOf([1024, 1], [3072, 25_832], [4096, 6360]) }),
      'b.las': lasFile({ box, wkt: wktWithFeet, wktBit: true }),
    },
    { 'a.las': lasFile({ box, wkt: wktWithFeet.replace('US survey foot', 'metre'), wktBit: true }) },
  ],
  palette: [{ 'a.tif': at(...hannover, { bands: 1, photometric: 3 }) }, { 'a.tif': at(...hannover) }],
  'sixteen-bits': [{ 'a.tif': at(...hannover, { bits: 16 }) }, { 'a.tif': at(...hannover) }],
  'band-count': [{ 'a.tif': at(...hannover, { bands: 7 }) }, { 'a.tif': at(...hannover, { bands: 4 }) }],
  'las-no-points': [{ 'a.las': lasFile({ geoKeys: utm32 }) }, { 'a.las': lasFile({ box, geoKeys: utm32 }) }],
  'las-no-offset': [
    { 'a.las': lasFile({ box, scale: 0.01 }) },
    { 'a.las': lasFile({ box, scale: 0.01, offset: 500_000 }) },
  ],
  'las-no-colours': [
    {
      'a.las': lasFile({ box, geoKeys: utm32 }),
      'b.las': lasFile({ box, format: 7, classes: [2, 2] }),
      'c.laz': lazFile({ format: 2, chunks: [packedPoint(0, 2), packedPoint(0, 1)] }),
      'd.laz': lazFile({ format: 7, chunks: [packedPoint(0, 2), packedPoint(0, 1)] }),
    },
    {
      'a.las': lasFile({ box, geoKeys: utm32, format: 7 }),
      'b.las': lasFile({ box, format: 7, classes: [2, 2], colours: [0, 9] }),
      'c.laz': lazFile({ format: 2, chunks: [packedPoint(0, 2), packedPoint(7, 1)] }),
      'd.laz': lazFile({ format: 7, chunks: [packedPoint(0, 2), packedPoint(7, 1)] }),
    },
  ],
  'las-unclassified': [
    {
      'a.las': lasFile({ box, classes: [0, 1, 1, 0] }),
      'b.las': lasFile({ box, format: 2, classes: [1] }),
      'c.laz': lazFile({ format: 0, chunks: [packedPoint(0, 1), packedPoint(0, 0)] }),
      'd.laz': lazFile({ format: 6, chunks: [packedPoint(0, 1), packedPoint(0, 0)] }),
    },
    {
      'a.las': lasFile({ box, classes: [0, 1, 2, 0] }),
      'b.laz': lasFile({ box, compressed: true }),
      'c.laz': lazFile({ format: 0, chunks: [packedPoint(0, 1), packedPoint(0, 2)] }),
      'd.laz': lazFile({ format: 6, chunks: [packedPoint(0, 1), packedPoint(0, 2)] }),
    },
  ],
  'large-models': [
    { 'a.obj': 1e9, 'b.dae': 2e9 },
    { 'a.obj': 1e9 - 1, 'b.glb': 2e9, 'c.tif': 4e9 },
  ],
  'large-textures': [
    {
      'a.png': pngOf(16_385, 16),
      'b.png': pngOf(16, 20_000),
      ...Object.fromEntries(texturesOf(16_385, 64).map(({ name, bytes }) => [name, bytes] as const)),
    },
    {
      'a.png': pngOf(16_384, 16_384),
      'b.jpg': jpeg,
      ...Object.fromEntries(texturesOf(16_384, 64).map(({ name, bytes }) => [name, bytes] as const)),
      // A placed image is no texture.
      'map.tif': at(...hannover, { size: [20_000, 10] }),
    },
  ],
  'large-asset': [{ 'a.laz': 15e9, 'b.laz': 6e9 }, { 'a.laz': 20e9 }],
  'unlisted-format': [
    { 'a.e57': 'x', 'report.pdf': 'x', 'b.osgb': 'x', 'c.shp': shape },
    { 'a.ifc': 'x', 'a.tfw': '', 'a.ply': splatPly(), 'a.spz': spz() },
  ],
  'newly-listed-format': [
    { 'a.ifc': 'x', 'b.geojson': '{}', 'c.czml': '[]' },
    { 'a.gml': 'x', 'a.skp': 'x' },
  ],
  duplicates: [
    { 'a/t.las': lasFile({ box }), 'b/t.las': lasFile({ box }) },
    {
      'a/t.las': lasFile({ box }),
      'b/t.las': lasFile({ box, geoKeys: utm32 }),
      'a/t.jpg': jpeg,
      'b/t.jpg': jpeg,
      'm.obj': '',
    },
  ],
  'city-foreign': [
    { 'a.gml': features, 'b.citygml': '<CityModel/>' },
    {
      'a.gml': town(solid(2)),
      'b.gml': features.replace('<a/>', '<bldg:B xmlns:bldg="http://www.opengis.net/citygml/building/2.0"/>'),
      'c.gml': '<CityModel xmlns="http://www.citygml.org/citygml/1/0/0"/>',
      'd.gml': '<gml:Dictionary xmlns:gml="http://www.opengis.net/gml"/>',
      'e.xml': features,
      // The declaring member is at the end of a long file.
      'f.gml': features.replace(
        '<a/>',
        `<!--${' '.repeat(200_000)}--><b xmlns="http://www.opengis.net/citygml/2.0"/>`,
      ),
    },
  ],
  'city-no-geometry': [
    { 'a.gml': cityModel(), 'b.gml': town('<a/>', { behind: 120_000 }) },
    {
      'a.gml': town(solid(1)),
      // Longer than the inspected part, in two parts of a file, and in an allowed extension.
      'b.gml': town('<a/>', { behind: 140_000 }),
      'c.gml': town('<a/>', { behind: 65_000 }).replace('<a/>', `<!--${' '.repeat(64_000)}-->${solid(1)}`),
      'd.gml': town('&all;', { before: '<!DOCTYPE core:CityModel [<!ENTITY all SYSTEM "all.xml">]>' }),
      'e.gml': town('<core:cityObjectMember xlink:href="other.gml"/>'),
      'f.gml': features,
      'g.gml': divided(),
    },
  ],
  'city-only-terrain': [
    {
      'a.gml': town(relief),
      // Longer than the inspected part.
      'b.gml': town(relief.replace('1 2 3', `1 2 3 ${'4 5 6 '.repeat(30_000)}`)),
    },
    {
      'a.gml': town(`${relief}<core:cityObjectMember><bldg:Building/></core:cityObjectMember>`),
      'b.gml': town(solid(2)),
      'c.gml': town(`${relief}<core:cityObjectMember>${solid(2)}</core:cityObjectMember>`, {
        behind: 200_000,
      }),
      'd.gml': features,
    },
  ],
  'city-system-name': [
    {
      'a.gml': cityModel('urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH'),
      'b.gml': cityModel('urn:ogc:drf:crs:EPSG::3879'),
      'c.gml': cityModel('urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783'),
    },
    {
      'a.gml': cityModel('urn:ogc:def:crs:EPSG::25832'),
      'b.gml': cityModel('EPSG:25832'),
      'c.gml': cityModel('http://www.opengis.net/def/crs/EPSG/0/25832'),
      'd.gml': cityModel('#local-CRS-1'),
      'e.gml': cityModel(''),
    },
  ],
  'city-version': [
    { 'a.gml': cityModel(undefined, '3.0') },
    {
      'a.gml': town(solid(2)),
      'b.gml': town(solid(2), { root: 'xsi:schemaLocation="http://www.opengis.net/citygml/3.0 a.xsd"' }),
    },
  ],
  'city-dtd': [
    {
      'a.gml': town(solid(2), { before: '<!DOCTYPE core:CityModel>' }),
      'b.gml': town(solid(2), {
        before: '<!DOCTYPE core:CityModel [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
      }),
    },
    { 'a.gml': town('<![CDATA[<!DOCTYPE a>]]>', { before: '<!-- <!DOCTYPE core:CityModel> -->' }) },
  ],
  'city-lods': [
    {
      'a.gml': town(solid(1) + solid(2)),
      'b.gml': town(solid(2)).replace(solid(2), `${solid(2)}<!--${' '.repeat(200_000)}-->${solid(3)}`),
    },
    {
      'a.gml': town(`${solid(2)}<bldg:lod1TerrainIntersection/>`),
      'b.gml': town(`${solid(2)}<!-- ${solid(1)} -->`),
      // The tail begins in a comment.
      'c.gml': town(`${solid(2)}<!--${' '.repeat(100_000)}${solid(1)}-->`),
      'd.gml': town(`${solid(2)}<gen:value>lod1Solid</gen:value>`),
    },
  ],
  'city-no-appearance': [
    {
      'a.gml': town(solid(2), { root: 'xmlns:app="http://www.opengis.net/citygml/appearance/2.0"' }),
      'b.gml': town(solid(2), { behind: 120_000 }),
    },
    {
      'a.gml': town(solid(2) + appearance),
      'b.gml': town(solid(2), { behind: 140_000 }),
      'c.gml': town(`${solid(2)}<tex:TexturedSurface/>`),
      'd.gml': cityModel(),
    },
  ],
  'zip-damaged': [
    { 'a.zip': brokenCopy(archive('b')), 'b.kmz': brokenCopy(archive('b')) },
    {
      'a.zip': archive('b'),
      'b.zip': zip(),
      'c.zip': zip({ large: true, before: 'MZ' }),
      'd.zip': longDirectory,
    },
  ],
  'zip-backslash': [
    { 'a.zip': archive('data\\tiles\\b.tif'), 'b.kmz': archive('a\\'), 'c.3tz': archive('a\\b') },
    { 'a.zip': archive('a/b'), 'b.zip': zip() },
  ],
  'zip-encrypted': [
    { 'a.zip': archive('b', { flags: 1 }), 'b.zip': archive('b', { flags: 1, method: 99 }) },
    // UTF-8 names, sizes after the data.
    { 'a.zip': archive('b', { flags: 0x0808 }) },
  ],
  'zip-escaping': [
    Object.fromEntries(
      ['../b', 'a/../../b', './../b', '/b', '\\\\host\\b', 'C:\\b', 'd:/b', 'a\\..\\..\\b'].map(
        (name, index) => [`${index}.zip`, archive(name)],
      ),
    ),
    Object.fromEntries(
      ['./b', 'a/../b', 'ab/../b', '..b/c', 'b..', 'a..b/c', 'x:b', 'a\\b'].map((name, index) => [
        `${index}.zip`,
        archive(name),
      ]),
    ),
  ],
  'zip-nested': [
    { 'a.zip': archive('b/c.ZIP'), 'b.zip': archive('c.tar.gz'), 'c.zip': archive('c.7z') },
    {
      'a.zip': archive('c.zip/'),
      'b.zip': archive('__MACOSX/._c.zip'),
      'c.zip': archive('c.kmz'),
      'd.zip': archive('c.zip.txt'),
      'e.zip': longDirectory,
    },
  ],
  'zip-methods': [
    { 'a.zip': archive('b', { method: 9 }), 'b.zip': archive('b', { method: 200 }) },
    { 'a.zip': archive('b', { method: 8 }), 'b.zip': archive('b', { method: 99, flags: 1 }) },
  ],
  'photos-in-one-spot': [
    { '1.jpg': photo([52, 13]), '2.jpg': photo([52, 13]), '3.jpg': photo([52, 13]) },
    { '1.jpg': photo([52, 13]), '2.jpg': photo([52, 13]), '3.jpg': photo([52, -13]) },
  ],
  'several-cameras': [
    { '1.jpg': june('FC6310'), '2.jpg': june('FC6310'), '3.jpg': june('ILCE-7RM4') },
    // No name, or one with spaces.
    { '1.jpg': june('FC6310'), '2.jpg': june('FC6310 '), '3.jpg': june(''), '4.jpg': photo([52, 13]) },
  ],
  'photos-days-apart': [
    { '1.jpg': june('a'), '2.jpg': june('a'), '3.jpg': datedPhoto('a', '2025:07:02 09:00:00') },
    {
      '1.jpg': june('a'),
      '2.jpg': datedPhoto('a', '2025:07:01 23:59:59'),
      '3.jpg': datedPhoto('a', '0000:00:00 00:00:00'),
      '4.jpg': datedPhoto('a', '1980:01:01 00:00:00'),
      '5.jpg': datedPhoto('a', '    :  :     :  :  '),
      '6.jpg': datedPhoto('a', '2025:99:01 00:00:00'),
    },
  ],
  'photos-without-position': [
    { '1.jpg': photo('no reception') },
    { '1.jpg': photo([52, 13]), '2.jpg': photo([0, 0]) },
  ],
  'photos-invalid-position': [
    { '1.jpg': photo([0, 0]), '2.jpg': photo([145, 38]), '3.jpg': photo([52, 13], { status: 'V' }) },
    { '1.jpg': photo([52, 13], { status: 'A' }), '2.jpg': photo('no reception'), '3.jpg': photo([0, 13]) },
  ],
  'photos-without-hemisphere': [
    { '1.jpg': photo([38, 145], { hasLetters: false }) },
    { '1.jpg': photo([38, 145]), '2.jpg': photo([0, 0], { hasLetters: false }) },
  ],
};

/** A header without a point count before points. */
function uncounted(): Buffer {
  const bytes = las();
  bytes.writeUInt32LE(0, 107);
  return bytes;
}

/** Two parts as long as each inspected end, with places only at their border. */
function divided(): Buffer {
  const model = town('<!----><gml:posList/>');
  const at = model.indexOf('osList');
  const textBefore = model.slice(0, at).replace('<!---->', `<!--${' '.repeat(65_536 - at)}-->`);
  const behind = model.slice(at).replace('<!--', `<!--${' '.repeat(65_536 - (model.length - at))}`);
  return Buffer.from(textBefore + behind);
}

/** An archive with a broken last entry. */
function brokenCopy(bytes: Buffer): Buffer {
  bytes[bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1')] = 0;
  return bytes;
}

describe.each(Object.entries(shows))('the finding %s', (id, [shownBy, no]) => {
  it('appears for each file that shows it', async () => {
    const groups = (await findIn(shownBy)).filter((finding) => finding.id === id);
    expect(groups).not.toEqual([]);
    if (factsOf(id as FindingId).ofWhole) return;
    const showing = Object.keys(shownBy).filter((key) => !key.endsWith('wall.jpg'));
    expect(new Set(groups.flatMap(({ keys }) => keys))).toEqual(new Set(showing));
  });

  it('stays away from similar files', async () => {
    expect((await findIn(no)).flatMap((finding) => (finding.id === id ? [finding.keys] : []))).toEqual([]);
  });
});

it('C3: terrain in EPSG:3946 shows no fault of its system', async () => {
  const ids = (await findIn({ 'dem.tif': at(1_850_000, 5_180_000, { geoKeys: projectedKeys(3946) }) })).map(
    ({ id }) => id,
  );
  expect(ids).toEqual(expect.not.arrayContaining(['no-system-raster', 'outside-area', 'deprecated-system']));
});

it('findings are errors only with a proof', () => {
  const ids = Object.keys(findingFacts) as FindingId[];
  const grave = ids.map(factsOf).filter(({ level }) => level === 'will-fail');
  expect(grave.length).toBeGreaterThan(0);
  expect(grave.filter(({ proof }) => proof === 'heuristic')).toEqual([]);
});

describe('a city model', () => {
  const idsOf = async (files: Files) => (await findIn(files)).map(({ id }) => id);

  it('a city model shares its system with another that uses the German authorities’ name', async () => {
    const files = {
      'a.gml': cityAt('urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH', '550000 5800000'),
      'b.gml': cityAt('EPSG:25832', '550000 5800000'),
    };
    expect(await idsOf(files)).not.toContain('mixed-systems');
    const otherCity = { 'c.gml': cityAt('urn:adv:crs:DE_DHDN_3GK3', '3550000 5800000') };
    expect(await idsOf({ ...files, ...otherCity })).toContain('mixed-systems');
  });

  it('a city model names its EPSG code if there is one', async () => {
    const groups = await findIn({
      'a.gml': cityModel('urn:ogc:def:crs,crs:EPSG::25862,crs:EPSG::5783'),
      'b.gml': cityModel('urn:adv:crs:DE_RD-83_3GK5'),
    });
    const systems = groups.flatMap(({ id, values }) => (id === 'city-system-name' ? [values?.system] : []));
    expect(systems).toEqual([{ key: 'findings.epsgCode' }, 'EPSG:3399']);
  });
});

it('a deprecated system names its successor, if any', async () => {
  const groups = await findIn({
    'a.tif': at(2_500_000, 7_500_000, { geoKeys: projectedKeys(2036) }),
    'b.tif': at(304_800, 5_200_000, { geoKeys: projectedKeys(2008) }),
  });
  const deprecations = groups
    .filter(({ id }) => id === 'deprecated-system')
    .map(({ values, fix }) => ({ ...values, fix }));
  expect(deprecations).toEqual([
    {
      system: 'EPSG:2036',
      name: 'NAD83(CSRS98) / New Brunswick Stereo',
      deprecation: { key: 'kinds.reason.deprecatedFor', values: { successor: 'EPSG:2953' } },
    },
    {
      system: 'EPSG:2008',
      name: 'NAD27(CGQ77) / SCoPQ zone 2',
      deprecation: { key: 'kinds.reason.deprecated' },
    },
  ]);
});

it('a deprecated system raises no doubts that stem from its own errors', async () => {
  // NAD83 / Minnesota North (ftUS): the old one was in metres by mistake.
  const ids = async (code: number, unit: number) => {
    const file = at(9_000_000, 9_000_000, { geoKeys: unitKeys(code, unit) });
    return (await findIn({ 'a.tif': [file, 'EPSG:25832'] })).map(({ id }) => id);
  };
  expect(await ids(26819, 9001)).toEqual(['terrain-of-colours', 'deprecated-system']);
  expect(await ids(26849, 9001)).toEqual(
    expect.arrayContaining(['contradicting-unit', 'contradicting-systems', 'outside-area']),
  );
});

describe('the root of a tileset with another name', () => {
  const fixIn = async (files: Files) =>
    (await findIn(files)).flatMap(({ id, fix }) => (id === 'tileset-name' ? [fix] : []));
  const scene = tileset({ content: { uri: 'a.b3dm' } });

  it('the root of a tileset with another name is proposed if there is one', async () => {
    expect(await fixIn({ 'scene.json': scene, 'sub/a.b3dm': 'x' })).toEqual([
      { kind: 'tileset-root', key: 'scene.json' },
    ]);
    expect(await fixIn({ 'a/scene.json': scene, 'b/a.b3dm': 'x' })).toEqual([
      { kind: 'tileset-root', key: 'a/scene.json' },
    ]);
  });

  it('the root of a tileset with another name is ambiguous among several, and in a folder that an upload may begin with', async () => {
    expect(await fixIn({ 'scene.json': scene, 'other.json': scene })).toEqual([undefined]);
    expect(await fixIn({ 'a/scene.json': scene, 'a/a.b3dm': 'x' })).toEqual([undefined]);
  });

  it('the root of a tileset with another name is known by name if it is above all other JSON files', () => {
    const rootOf = (...keys: string[]) => soleRootOf(keys.map((key) => ({ key })));
    expect(rootOf('scene.json', 'tiles/a.json', 'a.b3dm')).toBe('scene.json');
    expect(rootOf('s/tiles/a.json', 's/scene.json', 'readme.txt')).toBe('s/scene.json');
    expect(rootOf('scene.json', 'other.json')).toBeNull();
    expect(rootOf('s/scene.json', 'other/tiles/a.json')).toBeNull();
    expect(rootOf('scene.json', 'deep/tileset.json')).toBeNull();
    expect(rootOf('a.b3dm')).toBeNull();
  });
});

it('splats get no advice about their extension', async () => {
  const mesh = ply('ascii', 'float', [0, 0, 0]);
  const groups = await findIn({ 'a.ply': splatPly(), 'a.spz': spz(), 'mesh.ply': mesh });
  expect(groups.filter(({ id }) => id === 'unlisted-format')).toMatchObject([
    { count: 1, keys: ['mesh.ply'], values: { endings: { list: ['.ply'] } } },
  ]);
});

describe('a missing referenced file', () => {
  const missing = async (files: Files) =>
    (await findIn(files)).filter(({ id }) => id === 'missing-files').map(({ values }) => values);

  it('a missing referenced file is reported once by name, the first three of many', async () => {
    const manyFiles = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`${at}.mtl`, `map_Kd ${at}.jpg\nmap_Ks ${at}.jpg\n`]),
    );
    const groups = await findIn(manyFiles);
    expect(groups.map(({ id, count, values }) => ({ id, count, values }))).toEqual([
      { id: 'missing-files', count: 200, values: { names: { names: ['0.jpg', '1.jpg', '2.jpg'] } } },
    ]);
  });

  it('a missing referenced file is named without its folder if it belongs next to the file', async () => {
    expect(await missing({ 'sub/g.shp': shape })).toEqual([{ names: { names: ['g.shx', 'g.dbf'] } }]);
  });

  it('a missing referenced file has its long name shortened', async () => {
    const [values] = await missing({ 'a.mtl': `map_Kd ${'x'.repeat(500)}.jpg\n` });
    expect(values).toEqual({ names: { names: [`…${'x'.repeat(115)}.jpg`] } });
  });

  it('a missing referenced file may be in an archive', async () => {
    const files = { 'a.mtl': 'map_Kd gone.jpg\n' };
    expect(await missing(files)).toHaveLength(1);
    expect(await missing({ ...files, 'textures.zip': '' })).toEqual([]);
  });

  it('a missing referenced file may be placed by a KML if it is a model’s texture', async () => {
    const files = { 'a.dae': collada('gone.jpg') };
    expect(await missing(files)).toHaveLength(1);
    expect(await missing({ ...files, 'doc.kml': kml('a.dae') })).toEqual([]);
  });

  it('a missing referenced file is found in another case when renamed together with an ERDAS image', async () => {
    const files = { 'b.img': hfaWithOutside('a.ige'), 'B.IGE': 'x' };
    expect((await findIn(files)).map(({ id }) => id)).toEqual(['other-case-references']);
  });

  it('a missing referenced file is ignored for truncated or foreign files', async () => {
    expect(await missing({ 'a.dae': `<html>${collada('gone.jpg')}` })).toEqual([]);
    expect(await missing({ 'a.dae': collada('gone.jpg') })).toHaveLength(1);
  });
});
