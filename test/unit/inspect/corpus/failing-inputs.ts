import type { FindingId } from '../../../../shared/findings.ts';
import type { KnownSourceType } from '../../../../shared/kinds.ts';
import type { LeftOutReason } from '../../../../shared/source.ts';
import { rasterFile, rowsOf } from '../findings/raster-files.ts';
import { archiveOf } from '../formats/archive-files.ts';
import { projectedIfc, splatPly, spz, tileset, zipOf } from '../formats/document-files.ts';
import { lazFile } from '../formats/laz-files.ts';
import { png, samples, tiff } from '../formats/sample-files.ts';
import { jpegFile, projectedKeys, tiffFile, withXmp } from '../formats/sample-heads.ts';
import { allZero, halfZero, heic, plain, wholeFiles } from '../unread-files.ts';

/** An expected asset of a folder, and each front end's report about it. */
interface ExpectedAsset {
  /** Null if no kind is recognized. */
  readonly kind: KnownSourceType | null;
  /** Files by degree of checking (`shared/degrees.ts`). */
  readonly degrees: Readonly<Record<string, number>>;
  readonly findings: Readonly<Partial<Record<FindingId, number>>>;
}

/** A small folder that Tilelift once judged wrongly, and the right result. */
export interface FailingInput {
  readonly name: string;
  readonly files: Readonly<Record<string, Buffer | string>>;
  readonly assets: readonly ExpectedAsset[];
  /** Excluded files by reason. */
  readonly leftOut?: Readonly<Partial<Record<LeftOutReason, number>>>;
}

const utm32 =
  'PROJCS["ETRS_1989_UTM_Zone_32N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';
const grid = (corner: string, noData: string, rows: string) =>
  `ncols 4\nnrows 3\n${corner}\nNODATA_value ${noData}\n${rows}`;
const commas = 'xllcorner 500000,0\nyllcorner 5700000,0\ncellsize 1,0';

/** Sidecars with a raster's system and position. */
const besideOf = (name: string) => ({
  [`${name}.tif.aux.xml`]: '<PAMDataset><SRS>EPSG:25832</SRS></PAMDataset>',
  [`${name}.tfw`]: '1\n0\n0\n-1\n500000.5\n5699999.5\n',
});
const withHoles = rasterFile({
  rows: rowsOf(60, 60, (row, column) =>
    row < 20 && column < 20 ? -32_768 : 300 + 30 * Math.sin(row / 20) + ((row * 7 + column) % 10) / 10,
  ),
  noData: '-9999',
});
const scan = lazFile({ chunks: Array.from({ length: 20 }, () => [{ class: 2 }, { class: 6 }]) });

/** The frame header of 64 by 48 pixels follows the first two bytes of the photo. */
const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 48, 0, 64, 3, 1, 17, 0, 2, 17, 0, 3, 17, 0]);
const wholePhoto = (photo: Buffer) =>
  Buffer.concat([photo.subarray(0, 2), frame, photo.subarray(2), Buffer.from([0xff, 0xd9])]);
const photos = (
  count: number,
  positionOf: (index: number) => readonly [latitude: number, longitude: number],
  options: Parameters<typeof jpegFile>[2] = {},
) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `IMG_${index}.jpg`,
      wholePhoto(jpegFile(positionOf(index), 5, { camera: 'Testcam', ...options })),
    ]),
  );
const pointAlong = (latitude: number, longitude: number) => (index: number) =>
  [latitude + index / 1_000, longitude] as const;
const inXmp = (index: number) =>
  wholePhoto(withXmp(jpegFile(null), `<x exif:GPSLatitude="51,${index}.5N" exif:GPSLongitude="7,0.0E"/>`));

const town = (srsName: string, lowerCorner: string, upperCorner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gml="http://www.opengis.net/gml">
<gml:boundedBy><gml:Envelope srsDimension="3" srsName="${srsName}"><gml:lowerCorner>${lowerCorner} 50</gml:lowerCorner><gml:upperCorner>${upperCorner} 90</gml:upperCorner></gml:Envelope></gml:boundedBy>
<core:cityObjectMember><bldg:Building><bldg:lod1Solid><gml:Solid><gml:posList>${lowerCorner} 50 ${upperCorner} 50 ${upperCorner} 90 ${lowerCorner} 50</gml:posList></gml:Solid></bldg:lod1Solid></bldg:Building></core:cityObjectMember>
</core:CityModel>`;

const sampleOf = (extension: string) => samples.find((sample) => sample.ending === extension)?.bytes ?? '';
const content = tileset({ content: { uri: 'a.b3dm' } });
const placedTiff = (geoKeys: readonly number[]) =>
  tiffFile({ geoKeys, size: [9, 9], scale: [1, 1, 0], tie: [0, 0, 0, 500_000, 5_700_000, 0], bands: 3 });

const read = (count: number) => ({ read: count });
const asset = (
  kind: ExpectedAsset['kind'],
  degrees: ExpectedAsset['degrees'],
  findings: ExpectedAsset['findings'] = {},
): ExpectedAsset => ({ kind, degrees, findings });
const city = (
  name: string,
  srsName: string,
  at: string,
  target: string,
  findings: ExpectedAsset['findings'],
) => ({
  name,
  files: { 'LoD2.gml': town(srsName, at, target) },
  assets: [asset('CITYGML', read(1), { 'city-no-appearance': 1, ...findings })],
});
const capture = (
  name: string,
  files: FailingInput['files'],
  findings: ExpectedAsset['findings'],
): FailingInput => ({
  ...{ name, files },
  assets: [asset('3D_CAPTURE', read(Object.keys(files).length), findings)],
});
const pictures = { 'p.jpg': wholeFiles['c.jpg'], 'p.png': wholeFiles['d.png'] };
const sizes = { 'def.tif': wholeFiles['a.tif'], 'u.tif': plain, 'points.las': wholeFiles['b.las'] };
/** An uncompressed raster may really end in black. */
const halfBlack = Buffer.concat([
  tiff({ strips: [[46, 20_000]] }),
  Buffer.alloc(10_000, 7),
  Buffer.alloc(10_000),
]);
const mapFiles = (files: Readonly<Record<string, Buffer>>, change: (bytes: Buffer) => Buffer) =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, change(bytes)]));

/** Named by the problem, in the user's words. */
export const failingInputs: readonly FailingInput[] = [
  {
    name: 'ASCII grid with decimal commas',
    files: {
      'dgm.asc': grid(commas, '-9999', '12,5 13,25 14,0 15,75\n'.repeat(3)),
      'dgm.prj': utm32,
      'lines.asc': grid(commas, '-9999', ',500E+02\n'.repeat(12)),
      'lines.prj': utm32,
    },
    assets: [asset('RASTER_TERRAIN', read(2), { 'no-vertical': 2 })],
  },
  {
    name: 'ASCII grid without data where it says nan',
    files: {
      'dgm.asc': grid(
        'xllcenter 500000.5\nyllcenter 5700000.5\ncellsize 1',
        'nan',
        ' nan 13 14.0 15.75\n'.repeat(3),
      ),
      'dgm.prj': utm32,
    },
    assets: [asset('RASTER_TERRAIN', read(1), { 'no-vertical': 1 })],
  },
  {
    name: 'LAZ whose second half is zero',
    files: { 'scan.laz': Buffer.from(scan).fill(0, scan.length >> 1) },
    assets: [asset('POINT_CLOUD', read(1), { 'cut-off': 1 })],
  },
  {
    name: 'files of full size that were never filled',
    files: { ...mapFiles({ ...sizes, 'points.laz': scan, ...pictures }, allZero) },
    assets: [
      asset('RASTER_IMAGERY', { 'wrong-format': 2 }, { 'not-filled': 2 }),
      asset('POINT_CLOUD', { 'wrong-format': 2 }, { 'not-filled': 2 }),
    ],
    leftOut: { picture: 2 },
  },
  {
    name: 'files whose second half was never filled',
    files: {
      ...mapFiles({ ...sizes, ...pictures }, halfZero),
      'u.tif': halfBlack,
      ...besideOf('def'),
      ...besideOf('u'),
    },
    assets: [
      asset('RASTER_IMAGERY', read(2), { 'not-filled': 1, 'many-zeros': 1, palette: 1 }),
      asset('POINT_CLOUD', read(1), { 'not-filled': 1 }),
    ],
    leftOut: { picture: 2 },
  },
  capture(
    'photos that are all at 0° 0°',
    photos(8, () => [0, 0]),
    { 'photos-invalid-position': 8 },
  ),
  capture(
    'photos of which some are at 0° 0°',
    photos(8, (index) => (index < 5 ? [0, 0] : pointAlong(51, 7)(index))),
    { 'photos-invalid-position': 5 },
  ),
  capture('photos without hemisphere letters', photos(8, pointAlong(37.8, 144.97), { hasLetters: false }), {
    'photos-without-hemisphere': 8,
  }),
  // The files don't reveal the problem.
  capture('photos whose latitude and longitude are swapped', photos(8, pointAlong(7, 51)), {}),
  capture('photos north of 90°', photos(8, pointAlong(144.97, 37.8)), { 'photos-invalid-position': 8 }),
  capture(
    'photos with a position in XMP only',
    Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`IMG_${index}.jpg`, inXmp(index)])),
    {},
  ),
  capture(
    'photos of which one is on another continent',
    photos(10, (index) => (index === 7 ? [-33.9, 151.2] : pointAlong(51, 7)(index))),
    { 'far-away': 1 },
  ),
  capture('photos without reception', photos(8, pointAlong(51, 7), { status: 'V' }), {
    'photos-invalid-position': 8,
  }),
  {
    name: 'HEIC photos named .jpg',
    files: { 'a.jpg': heic(1), 'b.jpg': heic(2), 'c.jpg': heic(3) },
    assets: [asset('RASTER_IMAGERY', { 'wrong-format': 3 }, { 'wrong-format': 3 })],
  },
  {
    name: 'PNG named .tif',
    files: { 'ortho.tif': png },
    assets: [asset('RASTER_IMAGERY', { 'wrong-format': 1 }, { 'wrong-format': 1 })],
  },
  {
    name: 'text named .las',
    files: { 'scan.las': 'x y z\n1 2 3\n'.repeat(200) },
    assets: [asset('POINT_CLOUD', { 'wrong-format': 1 }, { 'wrong-format': 1 })],
  },
  city(
    'city model in UTM as German states name it',
    'urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH',
    '367000 5690000',
    '368000 5691000',
    { 'city-system-name': 1 },
  ),
  city(
    'city model in Gauss-Krüger as German states name it',
    'urn:adv:crs:DE_DHDN_3GK3*DE_DHHN92_NH',
    '3567000 5690000',
    '3568000 5691000',
    { 'city-system-name': 1 },
  ),
  city('city model in a local system', '#local-CRS-1', '0 0', '10 10', { 'engineering-system': 1 }),
  city('city model in degrees of unclear order', 'EPSG:4979', '51.35 7.09', '51.36 7.10', {
    'unclear-axes': 1,
  }),
  {
    name: 'laser scans in E57 with a preview picture',
    files: { 'a.e57': sampleOf('.e57'), 'b.e57': sampleOf('.e57'), 'overview.jpg': sampleOf('.jpg') },
    assets: [asset(null, { 'end-only': 2, read: 1 }, { 'unlisted-format': 2 })],
  },
  {
    name: 'city model in CityJSON with a preview picture',
    files: { 'a.city.json': '{"type":"CityJSON"}', 'overview.jpg': sampleOf('.jpg') },
    assets: [asset(null, { 'end-only': 1, read: 1 })],
  },
  {
    name: 'quantized mesh with a preview picture',
    files: { '0/0/0.terrain': Buffer.alloc(500, 3), 'layer.json': '{}', 'overview.jpg': sampleOf('.jpg') },
    assets: [asset(null, { 'no-reader': 1, read: 1 }, { 'unlisted-format': 1 })],
  },
  {
    name: 'building model with a map conversion',
    files: { 'haus.ifc': projectedIfc('367000.', '5690000.') },
    assets: [asset('BIM_CAD', read(1), { 'newly-listed-format': 1 })],
  },
  {
    name: 'building model in an .ifczip',
    files: { 'haus.ifczip': zipOf('haus.ifc', projectedIfc('367000.', '5690000.')) },
    assets: [asset('BIM_CAD', read(1), { 'unlisted-format': 1 })],
  },
  {
    name: 'Gaussian splats in PLY',
    files: { 'point_cloud.ply': splatPly() },
    assets: [asset(null, read(1), { splats: 1 })],
  },
  {
    name: 'Gaussian splats in SPZ',
    files: { 'scene.spz': spz() },
    assets: [asset(null, { 'no-reader': 1 }, { splats: 1 })],
  },
  {
    name: 'elevation with holes of another value than its tag says',
    files: { 'dem.tif': withHoles, ...besideOf('dem') },
    assets: [asset('RASTER_TERRAIN', read(1), { 'unnamed-fill': 1, 'no-vertical': 1 })],
  },
  {
    name: 'tileset whose content is missing',
    files: { 'tileset.json': tileset({ content: { uri: 'b.b3dm' } }), 'a.b3dm': sampleOf('.b3dm') },
    assets: [asset('3DTILES', { 'end-only': 1, read: 1 }, { 'missing-files': 1 })],
  },
  {
    name: 'tileset that is cut off',
    files: { 'tileset.json': content.slice(0, 40), 'a.b3dm': sampleOf('.b3dm') },
    assets: [asset('3DTILES', { 'end-only': 1, read: 1 }, { 'cut-off': 1 })],
  },
  {
    name: 'tileset under another name',
    files: { 'scene.json': content, 'a.b3dm': sampleOf('.b3dm') },
    assets: [asset('3DTILES', { 'end-only': 1, read: 1 }, { 'tileset-name': 1 })],
  },
  {
    name: 'tileset under another name in an archive',
    files: { 'data.zip': archiveOf({ 'scene.json': content, 'a.b3dm': sampleOf('.b3dm') }) },
    assets: [asset('3DTILES', { 'end-only': 1, read: 1 }, { 'tileset-name': 1 })],
  },
  {
    name: 'tileset without content',
    files: { 'tileset.json': tileset() },
    assets: [asset('3DTILES', read(1), { 'tileset-empty': 1 })],
  },
  {
    name: 'tileset in a 3tz archive',
    files: { 'data.3tz': zipOf('tileset.json', tileset()) },
    assets: [asset('3DTILES', read(1), { 'tileset-empty': 1, 'unlisted-format': 1 })],
  },
  {
    name: 'archive with backslashes in its names',
    files: { 'data.zip': zipOf('data\\tiles\\u.tif', placedTiff(projectedKeys(25_832))) },
    assets: [asset('RASTER_IMAGERY', { read: 1 }, { 'zip-backslash': 1 })],
  },
  {
    name: 'archive with a raster without a coordinate system',
    files: { 'data.zip': zipOf('u.tif', placedTiff([])) },
    assets: [asset('RASTER_IMAGERY', { read: 1 }, { 'no-system-raster': 1 })],
  },
  {
    name: 'archive with a city model without a coordinate system',
    files: { 'data.zip': zipOf('a.gml', town('', '1 2', '3 4')) },
    assets: [asset('CITYGML', { read: 1 }, { 'no-system-city': 1, 'city-no-appearance': 1 })],
  },
  {
    name: 'archive with a truncated raster',
    files: { 'data.zip': zipOf('def.tif', wholeFiles['a.tif'].subarray(0, 9_000)) },
    assets: [asset('RASTER_IMAGERY', { read: 1 }, { 'cut-off': 1 })],
  },
];
