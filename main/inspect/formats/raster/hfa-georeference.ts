import { type FileBytes, PastEndError } from '../base/file-bytes.ts';
import {
  type Corners,
  cornersOfTransform,
  maxWktLength,
  type NamedSystem,
  nameOfSystem,
  noSystem,
  systemOfWkt,
} from '../systems/coordinate-system.ts';
import {
  definitionOf,
  type OwnEarth,
  type OwnProjection,
  type Parameter,
  utm,
} from '../systems/projection.ts';
import { geographicCodeByName } from '../systems/wkt-definition.ts';
import { Fields, type Node, siblingNodes } from './hfa-nodes.ts';

/** As GDAL reads it. */
interface ImaginePlace extends NamedSystem {
  readonly corners: Corners | null;
  readonly noData?: number;
}

interface MapInfo {
  readonly name: string;
  readonly transform: readonly number[];
  readonly units: string;
}

interface Projection {
  readonly number: number;
  readonly zone: number;
  readonly values: readonly number[];
  readonly semiMajor: number | null;
  readonly semiMinor: number | null;
}

interface Datum {
  readonly name: string;
  readonly shift: readonly number[];
}

/** Reads the nodes below the first layer, except truncated ones. `size`: columns and rows. */
export async function placeOfLayer(
  file: FileBytes,
  layer: Node,
  [columns, rows]: readonly [number, number],
): Promise<ImaginePlace> {
  let [mapInfo, projection, datum]: [MapInfo | null, Projection | null, Datum | null] = [null, null, null];
  let [matrix, wkt, noData]: [readonly number[] | null, string | null, number | undefined] = [
    null,
    null,
    undefined,
  ];
  try {
    for await (const node of siblingNodes(file, layer.childOffset)) {
      const fields = async () => Fields.read(file, node);
      if (node.type === 'Eprj_MapInfo') mapInfo ??= readMapInfo(await fields());
      else if (node.type === 'Eprj_ProParameters') {
        projection ??= readProjection(await fields());
        for await (const childNode of siblingNodes(file, node.childOffset))
          if (childNode.type === 'Eprj_Datum') datum ??= readDatum(await Fields.read(file, childNode));
      } else if (node.type === 'Eprj_MapProjection842') wkt ??= wktIn((await fields()).bytes);
      else if (node.type === 'Eimg_NonInitializedValue') noData ??= (await fields()).readMatrix()[0];
      else if (node.type === 'Exfr_GenericXFormHeader')
        for await (const childNode of siblingNodes(file, node.childOffset))
          if (childNode.type === 'Efga_Polynomial') matrix ??= readMatrix(await Fields.read(file, childNode));
    }
  } catch (error) {
    if (!(error instanceof PastEndError)) throw error;
  }
  const transform = mapInfo?.transform ?? matrix;
  return {
    ...systemIn(mapInfo, projection, datum, wkt),
    corners: transform && cornersOfTransform(transform, columns, rows),
    ...(noData !== undefined && { noData }),
  };
}

/** `Eprj_MapInfo` has the corners of pixel centres. */
function readMapInfo(fields: Fields): MapInfo {
  const name = fields.readText();
  const readPair = () => (fields.readCount() === 0 ? [] : fields.readDoubles(2));
  const [
    [x = Number.NaN, y = Number.NaN],
    [, bottom = Number.NaN],
    [width = Number.NaN, height = Number.NaN],
  ] = [readPair(), readPair(), readPair()];
  const units = fields.readText();
  const rowHeight = y >= bottom ? -height : height;
  const unitsPerDegree = units === 'ds' ? 3_600 : 1;
  const transform = [width, 0, x - width / 2, 0, rowHeight, y - rowHeight / 2].map(
    (value) => value / unitsPerDegree,
  );
  return { name, transform, units };
}

function readProjection(fields: Fields): Projection {
  fields.readShort();
  const number = fields.readWhole();
  fields.readText();
  fields.readText();
  const zone = fields.readWhole();
  const values = fields.readDoubles();
  const hasSpheroid = fields.readCount() > 0;
  if (hasSpheroid) fields.readText();
  const [semiMajor = null, semiMinor = null] = hasSpheroid ? fields.readDoubles(2) : [];
  return { number, zone, values, semiMajor, semiMinor };
}

/** Converts rotations from radians of opposite sign to arc seconds, and the scale to ppm. */
function readDatum(fields: Fields): Datum {
  const name = fields.readText();
  const isParametric = fields.readShort() === 0;
  const [x = 0, y = 0, z = 0, ...rotations] = isParametric ? fields.readDoubles() : [];
  const shift = [
    x,
    y,
    z,
    ...rotations.map((value, index) => (index < 3 ? value * -arcSeconds : value * 1e6)),
  ];
  return { name, shift: shift.every((value) => value === 0) ? [] : shift.slice(0, 7) };
}
const arcSeconds = (180 * 3_600) / Math.PI;

/** First order only. It maps coordinates to pixel centres, so it is inverted, as in GDAL. */
function readMatrix(fields: Fields): readonly number[] | null {
  const isAffine = [1, 2, 2, 3].map((value) => fields.readWhole() === value).every(Boolean);
  if (!isAffine) return null;
  fields.skipWholes();
  const [[a = 0, d = 0, b = 0, e = 0], [c = 0, f = 0]] = [fields.readMatrix(), fields.readMatrix()];
  const size = a * e - b * d;
  if (size === 0) return null;
  const [xx, xy, yx, yy] = [e / size, -b / size, -d / size, a / size];
  return [xx, xy, -(xx * (c + 0.5) + xy * (f + 0.5)), yx, yy, -(yx * (c + 0.5) + yy * (f + 0.5))];
}

/** ESRI's WKT, found by its mark, as in GDAL. */
function wktIn(bytes: Buffer): string | null {
  const markOffset = bytes.indexOf('PE_COORDSYS,.');
  const text =
    markOffset < 0 ? '' : bytes.toString('latin1', markOffset + 30, markOffset + 30 + maxWktLength);
  return text.replace(/\0.*$/s, '') || null;
}

function systemIn(
  mapInfo: MapInfo | null,
  projection: Projection | null,
  datum: Datum | null,
  wkt: string | null,
): NamedSystem {
  const code = projection && codeIn(projection, datum, mapInfo);
  if (code) return { system: `EPSG:${code}`, vertical: null };
  const name = mapInfo?.name ?? '';
  const wktSystem = wkt === null ? noSystem : systemOfWkt(wkt);
  // GDAL writes EPSG's name there.
  if (wktSystem.system !== null)
    return name.includes(' / ') && !wktSystem.system.startsWith('EPSG:')
      ? { ...wktSystem, system: name }
      : wktSystem;
  if (!projection) return noSystem;
  const definition = definitionIn(projection, datum, mapInfo);
  return { system: nameOfSystem(name), vertical: null, ...(definition !== null && { definition }) };
}

/** EPSG codes of the geographic system and of UTM zone 0, north and south, by names of ERDAS and GDAL. */
const datums: readonly (readonly [RegExp, geographic: number, north: number, south: number])[] = [
  [/^WGS[ _]?(?:19)?84$/i, 4326, 32_600, 32_700],
  [/^(?:NAD83|North_American_(?:Datum_)?1983)$/i, 4269, 26_900, 0],
  [/^(?:NAD27|North_American_(?:Datum_)?1927)$/i, 4267, 26_700, 0],
  [/^(?:ETRS[ _]?(?:19)?89|European_Terrestrial_Reference_System_1989)$/i, 4258, 25_800, 0],
  [/^(?:ED50|European[_ ](?:Datum[_ ])?1950)$/i, 4230, 23_000, 0],
];
const [geographicNumber, utmNumber] = [0, 1];

function codeIn(
  { number, zone, values }: Projection,
  datum: Datum | null,
  mapInfo: MapInfo | null,
): number | null {
  const datumRow = datums.find(([pattern]) => pattern.test(datum?.name ?? ''));
  if (!datumRow) return null;
  const [, geographic, north, south] = datumRow;
  if (number === geographicNumber) return geographic;
  if (number !== utmNumber || !(zone >= 1 && zone <= 60) || unitIn(mapInfo) !== 1) return null;
  const base = (values[3] ?? 1) < 0 ? south : north;
  return base === 0 ? null : base + zone;
}

/** Metres. */
const units: Readonly<Record<string, number>> = {
  ...{ meters: 1, meter: 1, m: 1, kilometers: 1_000 },
  ...{ feet: 1_200 / 3_937, us_survey_feet: 1_200 / 3_937, international_feet: 0.3048 },
};
const unitIn = (mapInfo: MapInfo | null): number => units[mapInfo?.units.toLowerCase() ?? ''] ?? 1;

/** By ERDAS number. */
const methodNames: Readonly<Record<number, string>> = {
  3: 'albersconicequalarea',
  4: 'lambertconformalconic2sp',
  5: 'mercator2sp',
  6: 'polarstereographic',
  9: 'transversemercator',
  11: 'lambertazimuthalequalarea',
  12: 'azimuthalequidistant',
  16: 'sinusoidal',
  17: 'equirectangular',
};
const conic = new Set([3, 4]);
/** Its angles are ellipsoidal, which no field states. */
const webMercatorName = /(?:pseudo[-_ ]?|web[-_ ]?)mercator/i;

function definitionIn(projection: Projection, datum: Datum | null, mapInfo: MapInfo | null): string | null {
  const { number, semiMajor: a, semiMinor: b } = projection;
  const earth: OwnEarth = {
    code:
      datums.find(([pattern]) => pattern.test(datum?.name ?? ''))?.[1] ?? geographicCodeByName(datum?.name),
    semiMajor: a,
    inverseFlattening: a === null || b === null ? null : a === b ? 0 : a / (a - b),
    toWgs84: datum?.shift ?? [],
    meridian: 0,
  };
  if (number === geographicNumber) return definitionOf(null, earth);
  const method = methodIn(projection, unitIn(mapInfo), mapInfo?.name);
  return method && definitionOf(method, earth);
}

/** Angles are in radians, the rest in metres. */
function methodIn({ number, zone, values }: Projection, unit: number, name = ''): OwnProjection | null {
  if (number === utmNumber) return zone >= 1 && zone <= 60 ? utm(zone, (values[3] ?? 1) < 0, unit) : null;
  const method = webMercatorName.test(name) ? 'mercatorauxiliarysphere' : methodNames[number];
  if (method === undefined) return null;
  const degreesAt = (index: number) => ((values[index] ?? 0) * 180) / Math.PI;
  const parameters = new Map<Parameter, number>([
    ['lon_0', degreesAt(4)],
    [method === 'mercator2sp' || method === 'equirectangular' ? 'lat_1' : 'lat_0', degreesAt(5)],
    ['x_0', values[6] ?? 0],
    ['y_0', values[7] ?? 0],
  ]);
  if (conic.has(number)) parameters.set('lat_1', degreesAt(2)).set('lat_2', degreesAt(3));
  else if (number === 9) parameters.set('k', values[2] ?? 1);
  return { method, parameters, unit };
}
