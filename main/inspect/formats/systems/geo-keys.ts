import { unnamedSystem } from '../../../../shared/source.ts';
import { type NamedSystem, nameOfSystem, noSystem, systemOfWkt } from './coordinate-system.ts';
import { definitionOf, isOtherPlanet, type OwnProjection, type Parameter, utm } from './projection.ts';

/** A GeoKey directory, from TIFF tags or LAS records. */
export interface KeyDirectory {
  /** Tag 34735: four numbers for the directory and for each key. */
  readonly keys: readonly number[];
  /** Tag 34736. */
  readonly doubles?: readonly number[];
  /** Tag 34737. */
  readonly asciiText?: string;
}

/** GeoTIFF 1.1, annex D. */
const [model, citation, geographic, geographicCitation, datum] = [1024, 1026, 2048, 2049, 2050];
const [ellipsoid, semiMajor, semiMinor, inverseFlattening, meridian, toWgs84] = [
  2056, 2057, 2058, 2059, 2061, 2062,
];
const [projected, projectedCitation, zone, method, unit, unitSize] = [3072, 3073, 3074, 3075, 3076, 3077];
const [vertical, verticalUnit] = [4096, 4099];
const userDefined = 32_767;
const [projectedModel, geocentricModel] = [1, 3];
const rasterType = 1025;
const pixelIsPoint = 2;

type KeyValues = (key: number) => readonly number[] | string | undefined;

/** Reads a GeoKey directory, which may define only what pixels mean. */
export function systemOfGeoKeys(directory: KeyDirectory): NamedSystem {
  const keyValue = valuesOf(directory);
  const esriString = /ESRI PE String = (.+)/s.exec(citationsIn(keyValue));
  if (esriString?.[1] && codeIn(keyValue, projected) === null) return systemOfWkt(esriString[1]);
  const verticalCode = numberOf(keyValue(vertical)) ?? 0;
  const isFeet = verticalFeet.has(verticalCode) || feet.has(numberOf(keyValue(verticalUnit)) ?? 0);
  const isOnOtherPlanet =
    codeIn(keyValue, projected) === null && isOtherPlanet(numberOf(keyValue(semiMajor)) ?? null);
  return {
    ...namedByKeys(keyValue),
    ...(isOnOtherPlanet ? { nature: 'elsewhere' } : {}),
    ...(isFeet ? { heights: 'feet' } : isEllipsoidal(verticalCode) ? { heights: 'ellipsoid' } : {}),
  };
}

/** Whether positions are pixel centres. */
export const arePoints = (directory: KeyDirectory): boolean =>
  valuesOf(directory)(rasterType) === undefined
    ? false
    : numberOf(valuesOf(directory)(rasterType)) === pixelIsPoint;

function namedByKeys(keyValue: KeyValues): NamedSystem {
  const [geographicCode, projectedCode] = [codeIn(keyValue, geographic), codeIn(keyValue, projected)];
  const verticalCode = codeIn(keyValue, vertical);
  const heights =
    verticalCode === null || isEllipsoidal(verticalCode) ? null : `EPSG:${numbered(verticalCode)}`;
  const kind = numberOf(keyValue(model));
  const isUserDefined = [projected, geographic].some((key) => numberOf(keyValue(key)) === userDefined);
  const hasProjection =
    [zone, method].some((key) => keyValue(key) !== undefined) ||
    imagineProjectionIn(citationsIn(keyValue)) !== undefined;
  const name = nameIn(keyValue);
  if (kind === geocentricModel) return { system: name, vertical: heights, nature: 'geocentric' };
  if (projectedCode !== null) {
    const unitMetres = sizeIn(keyValue);
    return {
      system: `EPSG:${projectedCode}`,
      vertical: heights,
      ...(unitMetres !== undefined && { unit: unitMetres }),
    };
  }
  if (kind === projectedModel || keyValue(projected) !== undefined || hasProjection) {
    // A file's own projection on a coded geographic system isn't that system.
    const definition = definitionIn(keyValue, true);
    return hasProjection
      ? { system: name, vertical: heights, ...(definition !== null && { definition }) }
      : { ...noSystem, nature: 'engineering' };
  }
  // GeoTIFF 1.1 writers state 3D systems as vertical ones; 5030 means the same for WGS 84.
  if (geographicCode !== null && kind !== undefined) {
    if (verticalCode !== null && isThreeDimensional(verticalCode))
      return { system: `EPSG:${verticalCode}`, vertical: null };
    if (geographicCode === 4326 && verticalCode === 5030) return { system: 'EPSG:4979', vertical: null };
    return { system: `EPSG:${geographicCode}`, vertical: heights };
  }
  if (isUserDefined && kind !== userDefined) {
    const definition = definitionIn(keyValue, false);
    return { system: name, vertical: heights, ...(definition !== null && { definition }) };
  }
  const isLocal =
    kind !== undefined ||
    geographicCode !== null ||
    [citation, unit].some((key) => keyValue(key) !== undefined);
  return isLocal ? { ...noSystem, nature: 'engineering' } : { system: null, vertical: heights };
}

const citations = [projectedCitation, citation, geographicCitation];
const citationsIn = (keyValue: KeyValues): string =>
  citations.flatMap((key) => textOf(keyValue(key)) ?? []).join('\n');

/** ERDAS IMAGINE describes projections without keys in a citation. */
function imagineProjectionIn(text: string): string | undefined {
  const lines = text.split('\n');
  const firstLine = lines.findIndex((line) => line.startsWith('IMAGINE GeoTIFF Support'));
  const line =
    firstLine < 0 ? undefined : lines.slice(firstLine).find((asciiText) => projectionLine.test(asciiText));
  return line?.replace(projectionLine, '').slice(0, 100);
}
const projectionLine = /^Projection(?: Name)? = /;

function nameIn(keyValue: KeyValues): string {
  const imagine = imagineProjectionIn(citationsIn(keyValue));
  if (imagine !== undefined) return nameOfSystem(imagine);
  for (const key of citations) {
    const asciiText = textOf(keyValue(key))
      ?.replace(/^(?:PCS|GCS) Name = /, '')
      .trim();
    if (asciiText && asciiText.length <= 100 && !/[=|\n]/.test(asciiText)) return nameOfSystem(asciiText);
  }
  return unnamedSystem;
}

function definitionIn(keyValue: KeyValues, isProjected: boolean): string | null {
  const projection = isProjected ? projectionIn(keyValue) : null;
  if (isProjected && projection === null) return null;
  const ellipsoidCode = numberOf(keyValue(ellipsoid)) ?? 0;
  const [semiMajorAxis, semiMinorAxis] = [
    numberOf(keyValue(semiMajor)) ?? ellipsoids[ellipsoidCode]?.[0] ?? null,
    numberOf(keyValue(semiMinor)),
  ];
  const shift = keyValue(toWgs84);
  return definitionOf(projection, {
    code: codeIn(keyValue, geographic) ?? geographicCodeOf(codeIn(keyValue, datum)),
    semiMajor: semiMajorAxis,
    inverseFlattening:
      numberOf(keyValue(inverseFlattening)) ??
      ellipsoids[ellipsoidCode]?.[1] ??
      (semiMajorAxis !== null && semiMinorAxis !== undefined
        ? semiMajorAxis === semiMinorAxis
          ? 0
          : semiMajorAxis / (semiMajorAxis - semiMinorAxis)
        : null),
    toWgs84: typeof shift === 'object' ? shift : [],
    meridian: numberOf(keyValue(meridian)) ?? 0,
  });
}

/** EPSG: datum codes up to 6999 are geographic codes plus 2000. */
const geographicCodeOf = (code: number | null): number | null =>
  code !== null && code > 6_000 && code < 7_000 ? code - 2_000 : null;

/** By EPSG code: semi-major axis in metres, inverse flattening. */
const ellipsoids: Readonly<Record<number, readonly [a: number, rf: number]>> = {
  7004: [6_377_397.155, 299.1528128],
  7008: [6_378_206.4, 294.978698213898],
  7019: [6_378_137, 298.257222101],
  7022: [6_378_388, 297],
  7024: [6_378_245, 298.3],
  7030: [6_378_137, 298.257223563],
};

const methods: Readonly<Record<number, string>> = {
  1: 'transversemercator',
  7: 'mercator1sp',
  8: 'lambertconformalconic2sp',
  9: 'lambertconformalconic1sp',
  10: 'lambertazimuthalequalarea',
  11: 'albersconicequalarea',
  12: 'azimuthalequidistant',
  15: 'polarstereographic',
  16: 'obliquestereographic',
  17: 'equirectangular',
  18: 'cassinisoldner',
  23: 'robinson',
  24: 'sinusoidal',
  28: 'cylindricalequalarea',
};
/** Likelier ones first. */
const parameterKeys: Readonly<Record<Parameter, readonly number[]>> = {
  lat_1: [3078],
  lat_2: [3079],
  lat_0: [3081, 3085, 3089],
  lon_0: [3080, 3084, 3088, 3095],
  x_0: [3082, 3086, 3090],
  y_0: [3083, 3087, 3091],
  k: [3092, 3093],
};
/** Metres, by EPSG code. */
const units: Readonly<Record<number, number>> = { 9001: 1, 9002: 0.3048, 9003: 1_200 / 3_937 };
const [firstNorth, firstSouth, zones] = [16_001, 16_101, 60];

/** Metres per unit; without a key from the citation, as in GDAL. */
function sizeIn(keyValue: KeyValues): number | undefined {
  const code = numberOf(keyValue(unit)) ?? userDefined;
  if (code !== userDefined) return units[code];
  const asciiText = (textOf(keyValue(citation)) ?? '').toLowerCase();
  if (!/f(?:ee|oo)t/.test(asciiText)) return undefined;
  if (asciiText.includes('us') && asciiText.includes('survey')) return units[9003];
  return /linear_f(?:ee|oo)t|international/.test(asciiText) ? units[9002] : undefined;
}

function projectionIn(keyValue: KeyValues): OwnProjection | null {
  const unitMetres =
    numberOf(keyValue(unitSize)) ??
    (keyValue(unit) === undefined ? (sizeIn(keyValue) ?? 1) : sizeIn(keyValue));
  if (unitMetres === undefined) return null;
  const code = codeIn(keyValue, zone);
  if (code !== null) {
    const isSouth = code >= firstSouth;
    const number = code - (isSouth ? firstSouth : firstNorth) + 1;
    return number < 1 || number > zones ? null : utm(number, isSouth, unitMetres);
  }
  const methodName = methods[numberOf(keyValue(method)) ?? 0];
  if (methodName === undefined) return null;
  const parameters = new Map<Parameter, number>();
  for (const [name, keys] of Object.entries(parameterKeys) as [Parameter, readonly number[]][]) {
    const value = keys.map((key) => numberOf(keyValue(key))).find((number) => number !== undefined);
    if (value !== undefined)
      parameters.set(name, name === 'x_0' || name === 'y_0' ? value * unitMetres : value);
  }
  return { method: methodName, parameters, unit: unitMetres };
}

function valuesOf({ keys, doubles = [], asciiText = '' }: KeyDirectory): KeyValues {
  const [doublesTag, wordsTag] = [34_736, 34_737];
  const values = new Map<number, readonly number[] | string>();
  const count = keys[3] ?? 0;
  for (let index = 4; index + 3 < keys.length && index < 4 + count * 4; index += 4) {
    const [key = 0, location = 0, length = 0, value = 0] = keys.slice(index, index + 4);
    if (location === 0) values.set(key, [value]);
    else if (location === doublesTag) values.set(key, doubles.slice(value, value + length));
    else if (location === wordsTag)
      values.set(key, asciiText.slice(value, value + length).replace(/[|\0][\s\S]*$/, ''));
    else values.set(key, [userDefined]);
  }
  return (key) => values.get(key);
}

const numberOf = (value: readonly number[] | string | undefined): number | undefined =>
  typeof value === 'object' ? value[0] : undefined;
const textOf = (value: readonly number[] | string | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

function codeIn(keyValue: KeyValues, key: number): number | null {
  const value = numberOf(keyValue(key)) ?? 0;
  return value >= 1024 && value < userDefined ? value : null;
}

/** EPSG codes of 3D systems, and GeoTIFF 1.0's of ellipsoidal heights. */
const isThreeDimensional = (code: number): boolean => code >= 4900 && code < 5000;
const isEllipsoidal = (code: number): boolean => code >= 5001 && code <= 5033;
/** GeoTIFF 1.0 gave six vertical systems their datums' codes. */
const numbered = (code: number): number => (code >= 5101 && code <= 5106 ? code + 600 : code);
/** Foot, US survey foot. */
const feet: ReadonlySet<number> = new Set([9002, 9003]);
/** EPSG's heights and depths in feet. */
const verticalFeet: ReadonlySet<number> = new Set([
  5102, 5614, 5702, 6130, 6131, 6132, 6358, 6359, 6360, 8050, 8051, 8052, 8053, 8228,
]);
