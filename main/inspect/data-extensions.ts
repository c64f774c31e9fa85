import { basename } from 'node:path';
import { kinds } from '../../shared/kinds.ts';
import type { Suggestion } from '../../shared/source.ts';
import type { Key } from '../../strings/say.ts';
import { suggestKind } from './kind-of-data.ts';
import { extensionOf } from './together/data-set.ts';

/** Kinds of data by file extension. Unlisted extensions are uploaded. */

/** The service's source types; `*` for all. */
type Kinds = '*' | readonly string[];

const words = (text: string): readonly string[] => text.split(' ');

const capture = '3D_CAPTURE';
const model = '3D_MODEL';
const raster = ['RASTER_IMAGERY', 'RASTER_TERRAIN'];
const photo = ['RASTER_IMAGERY', capture];
const points = ['POINT_CLOUD', capture];

/**
 * Extensions that several kinds share, or that no kind claims (`shared/kinds.ts`): from service-facts.md,
 * "File kinds", plus formats that common programs treat as data of that kind, because the service may support
 * them later.
 */
const table: readonly (readonly [endings: readonly string[], kinds: Kinds])[] = [
  // An archive may contain anything.
  [words('zip 7z rar tar tgz gz bz2 xz zst'), '*'],
  [words('jpg jpeg png webp heic'), photo],
  [words('dng arw cr2 cr3 nef nrw orf raf rw2 pef srw iiq 3fr fff'), [capture]],
  // Images, heights, and losslessly stored photos.
  [words('tif tiff'), [...raster, capture]],
  [words('img jp2 j2k ecw sid vrt gti src bil bip bsq flt nc grd bmp gif mbtiles gpkg mrf kea'), raster],
  [words('asc dem hgt dt0 dt1 dt2 bt ddf xyz'), [...raster, 'POINT_CLOUD']],
  [words('las laz e57 pts ptx pcd rcp rcs fls zfs'), points],
  [words('ply'), [...points, model]],
  [words('gltf glb'), [model, capture, 'BIM_CAD', 'GLTF']],
  [words('obj fbx dae stl 3ds usd usda usdc usdz'), [model, capture, 'BIM_CAD']],
  [words('osgb osgt ive 3mx 3mxb 3sm s3c slpk'), [capture, '3DTILES']],
  [words('b3dm i3dm pnts cmpt subtree 3tz'), ['3DTILES', capture]],
  [words('gml citygml'), ['CITYGML']],
  // Used by city models, photo blocks, tilesets and much else.
  [words('xml'), ['CITYGML', 'BIM_CAD', 'KML', capture, model]],
  [words('json'), ['CITYGML', '3DTILES', 'POINT_CLOUD', 'GEOJSON', capture, model]],
  [words('ifc ifczip ifcxml rvt dwg dgn dxf nwd nwc skp stp step'), ['BIM_CAD', model]],
  [words('kml kmz'), ['KML', 'KML_FEATURES']],
  // Vector maps, which the service doesn't tile.
  [words('shp fgb tab mif gpx gdb dbf'), []],
];

/** Documents, media, programs and settings, and flight logs of cameras and receivers. */
const noData: ReadonlySet<string> = new Set([
  ...words(
    'txt md pdf doc docx odt rtf pages xls xlsx xlsm ods numbers csv tsv ppt pptx odp htm html log eml msg',
  ),
  ...words('mp4 mov avi mkv mts m2ts wmv webm m4v lrf lrv thm insv 360 mp3 wav m4a'),
  ...words('mrk rtk nav obs rnx ubx t02 t04 nmea pos srt rpt'),
  ...words('exe msi dmg pkg bat cmd ps1 sh py lnk url ini cfg conf yaml yml toml'),
  ...words('qgs qgz qlr qml sld mxd aprx lyr lyrx mpk prproj psd ai indd svg'),
  ...words('md5 sha1 sha256 sha512 sfv asc.sig sig gmd'),
]);

/** Points and heights may be stored as lines of numbers. */
const numbersFor: ReadonlySet<string> = new Set(['POINT_CLOUD', 'RASTER_TERRAIN']);

const kindsOf = new Map<string, Kinds>(
  [...kinds.map(({ extensions, sourceType }) => [extensions, [sourceType]] as const), ...table].flatMap(
    ([extensions, sourceTypes]) => extensions.map((extension) => [extension, sourceTypes] as const),
  ),
);
const knownKinds: ReadonlySet<string> = new Set(kinds.map(({ sourceType }) => sourceType));

/** `inspect`: only the content shows it. `other`: data of another kind. */
export type Verdict = 'data' | 'inspect' | 'none' | 'other';

/** Judges a file by its name. For custom source types every kind is data. */
export function verdictOn(name: string, sourceType: string): Verdict {
  if (name.startsWith('.')) return 'none';
  const extension = endingOf(name);
  if (noData.has(extension)) {
    const mayBeNumbers = numbersFor.has(sourceType) && (extension === 'txt' || extension === 'csv');
    return mayBeNumbers ? 'inspect' : 'none';
  }
  if (extension === '' && /^(?:readme|license|licence|copying|changelog|lies_?mich)$/i.test(name))
    return 'none';
  const sourceTypes = kindsOf.get(extension);
  if (sourceTypes === undefined || sourceTypes === '*' || !knownKinds.has(sourceType)) return 'data';
  if (!sourceTypes.includes(sourceType)) return 'other';
  return extension === 'xml' && sourceType === 'CITYGML' ? 'inspect' : 'data';
}

/** Whether the source type is possible; null if the name doesn't show it. */
export function mayBeOf(name: string, sourceType: string): boolean | null {
  const sourceTypes = kindsOf.get(endingOf(name));
  if (sourceTypes === undefined || sourceTypes.length === 0 || !knownKinds.has(sourceType)) return null;
  return sourceTypes === '*' || sourceTypes.includes(sourceType);
}

/** Recognises a city model, or lines of numbers. */
export function isDataWithin(beginning: string, sourceType: string): boolean {
  if (sourceType === 'CITYGML') return /opengis\.net\/citygml|[<:]CityModel[\s>]/.test(beginning);
  const lines = beginning
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.trim() !== '');
  const numeric = lines.filter((line) => /^[\s\d.,;+eE-]+$/.test(line) && /\d[\s,;]+[-+.\d]/.test(line));
  return lines.length > 0 && numeric.length * 2 > lines.length;
}

/** The archive's extension for `a.zip.001` and similar. */
function endingOf(name: string): string {
  const extension = extensionOf(name);
  if (/^(?:\d{3,4}|z\d{2,3}|r\d{2})$/.test(extension)) return 'zip';
  return extension;
}

const maxNames = 2_000;

/** For these, only the content shows the kind; extensions show the format. */
const formats: Readonly<Record<string, Key>> = { CITYGML: 'kinds.gml', RASTER_IMAGERY: 'kinds.raster' };

/** Suggests a kind by the names alone. Pure. */
export function suggestByNames(keys: readonly string[]): Suggestion | null {
  const suggestion = suggestKind({ files: keys.slice(0, maxNames).map((key) => ({ key })) });
  const format = suggestion && formats[suggestion.sourceType];
  return format ? { ...suggestion, kind: { key: format } } : suggestion;
}

/** Images next to data are previews rather than a delivery. */
const pictures: ReadonlySet<string> = new Set(['jpg', 'jpeg', 'png', 'webp', 'heic', 'gif', 'bmp']);

/**
 * Whether the files are a delivery of another kind rather than extras: at least half are data, not images
 * alone, and their names show the kind. Pure.
 */
export function isOtherDelivery(keys: readonly string[], sourceType: string): boolean {
  const sampleKeys = keys.slice(0, maxNames);
  const otherKeys = sampleKeys.filter((key) => verdictOn(basename(key), sourceType) === 'other');
  if (otherKeys.length * 2 < sampleKeys.length) return false;
  const suggestion = suggestByNames(otherKeys);
  if (suggestion === null || suggestion.sourceType === sourceType) return false;
  const isPictures = otherKeys.every((key) => pictures.has(extensionOf(key)));
  return !(isPictures && suggestion.sourceType === 'RASTER_IMAGERY');
}
