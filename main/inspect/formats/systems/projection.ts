/** Projections that files define instead of naming an EPSG code. */

/** Angles in degrees, the rest in metres. */
export interface OwnProjection {
  /** A key of `methods`. */
  readonly method: string;
  readonly parameters: ReadonlyMap<Parameter, number>;
  /** Metres per unit. */
  readonly unit: number;
}

/** The geographic system under a projection. */
export interface OwnEarth {
  /** EPSG code. */
  readonly code: number | null;
  readonly semiMajor: number | null;
  /** 0 for a sphere. */
  readonly inverseFlattening: number | null;
  /** Three or seven numbers. */
  readonly toWgs84: readonly number[];
  /** Degrees east of Greenwich. */
  readonly meridian: number;
}

export type Parameter = 'lat_0' | 'lon_0' | 'lat_1' | 'lat_2' | 'k' | 'x_0' | 'y_0';

const commonParameters = ['lat_0', 'lon_0', 'k', 'x_0', 'y_0'] as const;
/** Ellipsoidal angles on a sphere. */
const webMercator = 'mercatorauxiliarysphere';
/** PROJ's name and relevant parameters. */
const methods: Readonly<Record<string, readonly [proj: string, parameters: readonly Parameter[]]>> = {
  transversemercator: ['tmerc', commonParameters],
  gausskruger: ['tmerc', commonParameters],
  lambertconformalconic1sp: ['lcc', commonParameters],
  lambertconformalconic2sp: ['lcc', ['lat_0', 'lon_0', 'lat_1', 'lat_2', 'x_0', 'y_0']],
  albersconicequalarea: ['aea', ['lat_0', 'lon_0', 'lat_1', 'lat_2', 'x_0', 'y_0']],
  lambertazimuthalequalarea: ['laea', ['lat_0', 'lon_0', 'x_0', 'y_0']],
  azimuthalequidistant: ['aeqd', ['lat_0', 'lon_0', 'x_0', 'y_0']],
  obliquestereographic: ['sterea', commonParameters],
  polarstereographic: ['stere', ['lon_0', 'k', 'x_0', 'y_0']],
  mercator1sp: ['merc', ['lon_0', 'k', 'x_0', 'y_0']],
  mercator2sp: ['merc', ['lon_0', 'x_0', 'y_0']],
  equirectangular: ['eqc', ['lat_0', 'lon_0', 'x_0', 'y_0']],
  cassinisoldner: ['cass', ['lat_0', 'lon_0', 'x_0', 'y_0']],
  sinusoidal: ['sinu', ['lon_0', 'x_0', 'y_0']],
  mollweide: ['moll', ['lon_0', 'x_0', 'y_0']],
  robinson: ['robin', ['lon_0', 'x_0', 'y_0']],
  cylindricalequalarea: ['cea', ['lon_0', 'x_0', 'y_0']],
  [webMercator]: ['merc', ['lon_0', 'x_0', 'y_0']],
};
/** Synonyms. */
const methodAliases: Readonly<Record<string, string>> = {
  albers: 'albersconicequalarea',
  albersequalarea: 'albersconicequalarea',
  mercatorvarianta: 'mercator1sp',
  mercatorvariantb: 'mercator2sp',
  polarstereographicvarianta: 'polarstereographic',
  polarstereographicvariantb: 'polarstereographic',
  stereographicnorthpole: 'polarstereographic',
  stereographicsouthpole: 'polarstereographic',
  doublestereographic: 'obliquestereographic',
  equidistantcylindrical: 'equirectangular',
  platecarree: 'equirectangular',
  popularvisualisationpseudomercator: webMercator,
  cassini: 'cassinisoldner',
  lambertcylindricalequalarea: 'cylindricalequalarea',
};
/** `zone`: 1 to 60; `unit`: metres. */
export const utm = (zone: number, isSouth: boolean, unit: number): OwnProjection => ({
  method: 'transversemercator',
  parameters: new Map<Parameter, number>([
    ['lat_0', 0],
    ['lon_0', zone * 6 - 183],
    ['k', 0.9996],
    ['x_0', 500_000],
    ['y_0', isSouth ? 10_000_000 : 0],
  ]),
  unit,
});

/** Methods with a latitude of true scale. */
const trueScaleMethods: ReadonlySet<string> = new Set([
  'polarstereographic',
  'mercator2sp',
  'equirectangular',
  'cylindricalequalarea',
]);

/** Returns a key of `methods`, or null if unsupported. */
export function methodOf(name: string, parameters: ReadonlyMap<Parameter, number>): string | null {
  const normalizedName = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const hasTwoParallels = parameters.has('lat_1') && parameters.has('lat_2');
  const methodName =
    normalizedName === 'lambertconformalconic'
      ? `lambertconformalconic${hasTwoParallels ? 2 : 1}sp`
      : normalizedName === 'mercator'
        ? `mercator${parameters.has('lat_1') ? 2 : 1}sp`
        : (methodAliases[normalizedName] ?? normalizedName);
  return methodName in methods ? methodName : null;
}

/**
 * Returns a PROJ string, with `+base=4258` for a code (see crs/converters.ts). Null if the shift to WGS 84 is
 * unknown, because places could be off by a kilometre.
 */
export function definitionOf(projection: OwnProjection | null, earth: OwnEarth): string | null {
  const earthParameters = projection?.method === webMercator ? webSphere : earthParametersOf(earth);
  if (earthParameters === null) return null;
  if (projection === null) return `+proj=longlat ${earthParameters}`;
  const projMethod = methods[projection.method];
  if (!projMethod) return null;
  const [projName, parameterNames] = projMethod;
  const { parameters, unit, method } = projection;
  const parameterValue = (name: Parameter) => parameters.get(name) ?? (name === 'k' ? 1 : 0);
  const projParameters = parameterNames.map((name) => `+${name}=${parameterValue(name)}`);
  if (method === 'lambertconformalconic1sp') projParameters.push(`+lat_1=${parameterValue('lat_0')}`);
  if (trueScaleMethods.has(method)) projParameters.push(...trueScale(method, parameters));
  if ([...parameters.values(), unit].some((number) => !Number.isFinite(number))) return null;
  return `+proj=${projName} ${projParameters.join(' ')} +to_meter=${unit} ${earthParameters}`;
}

function trueScale(method: string, parameters: ReadonlyMap<Parameter, number>): readonly string[] {
  const lat =
    parameters.get('lat_1') ?? (method === 'polarstereographic' ? (parameters.get('lat_0') ?? 90) : 0);
  if (method !== 'polarstereographic') return [`+lat_ts=${lat}`];
  const pole = (parameters.get('lat_0') ?? lat) < 0 || lat < 0 ? -90 : 90;
  return [`+lat_0=${pole}`, ...(Math.abs(lat) === 90 ? [] : [`+lat_ts=${lat}`])];
}

const webSphere = '+a=6378137 +b=6378137 +nadgrids=@null';
/** Metres; all the earth's ellipsoids are within this range. */
const earthRadius = 6_378_137;
const maxRadiusDifference = 30_000;
/** Metres: small moons to the largest planet; the earth, rounded or in feet. */
const [minPlanetRadius, maxPlanetRadius] = [100_000, 100_000_000];
const earthRadii = [
  [6_200_000, 6_500_000],
  [20_800_000, 21_000_000],
] as const;

/** Judges the semi-major axis in metres. False if it may be in another unit. */
export const isOtherPlanet = (semiMajor: number | null): boolean =>
  semiMajor !== null &&
  semiMajor > minPlanetRadius &&
  semiMajor < maxPlanetRadius &&
  !earthRadii.some(([minRadius, maxRadius]) => semiMajor > minRadius && semiMajor < maxRadius);

function earthParametersOf({
  code,
  semiMajor,
  inverseFlattening,
  toWgs84,
  meridian,
}: OwnEarth): string | null {
  const [radius, flattening] = [semiMajor ?? earthRadius, inverseFlattening ?? 298.257223563];
  if (Math.abs(radius - earthRadius) > maxRadiusDifference) return null;
  if (code !== null) return `+base=${code}`;
  const resemblesWgs84 = semiMajor !== null && (Math.abs(radius - earthRadius) < 1 || flattening === 0);
  if (toWgs84.length !== 3 && toWgs84.length !== 7 && !resemblesWgs84) return null;
  const ellipsoid = flattening === 0 ? `+a=${radius} +b=${radius}` : `+a=${radius} +rf=${flattening}`;
  // PROJ also takes angles without a shift as WGS 84, even on a sphere.
  const shift = toWgs84.length > 0 ? ` +towgs84=${toWgs84.join()}` : '';
  return `${ellipsoid}${meridian === 0 ? '' : ` +pm=${meridian}`}${shift}`;
}
