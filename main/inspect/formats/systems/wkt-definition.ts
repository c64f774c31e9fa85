import {
  definitionOf,
  isOtherPlanet,
  methodOf,
  type OwnEarth,
  type OwnProjection,
  type Parameter,
} from './projection.ts';
import type { WktNode } from './wkt-nodes.ts';

/** WKT 1 (OGC, ESRI) and WKT 2, reduced to letters and digits. */
const parameterNames: readonly (readonly [Parameter, RegExp])[] = [
  ['lat_1', /^(?:standardparallel1|latitudeof1ststandardparallel|latitudeofstandardparallel)$/],
  ['lat_2', /^(?:standardparallel2|latitudeof2ndstandardparallel)$/],
  [
    'lat_0',
    /^(?:latitudeoforigin|latitudeofcenter|latitudeofnaturalorigin|latitudeoffalseorigin|latitudeofprojectioncentre)$/,
  ],
  [
    'lon_0',
    /^(?:centralmeridian|longitudeofcenter|longitudeoforigin|longitudeofnaturalorigin|longitudeoffalseorigin|longitudeofprojectioncentre)$/,
  ],
  ['k', /^(?:scalefactor|scalefactoratnaturalorigin|scalefactoratprojectioncentre)$/],
  ['x_0', /^(?:falseeasting|eastingatfalseorigin|eastingatprojectioncentre)$/],
  ['y_0', /^(?:falsenorthing|northingatfalseorigin|northingatprojectioncentre)$/],
];
const angularParameters = new Set<Parameter>(['lat_0', 'lon_0', 'lat_1', 'lat_2']);
const degree = Math.PI / 180;
const projectedKeyword = /^(?:PROJCS|PROJCRS|PROJECTEDCRS)$/;
const geographicKeyword = /^(?:GEOGCS|GEOGCRS|GEOGRAPHICCRS|BASEGEOGCRS|BASEGEODCRS|GEODCRS)$/;
const unitKeyword = /^(?:UNIT|LENGTHUNIT|ANGLEUNIT)$/;

/** Returns a PROJ string, or null. `nodes`: the system, then all its descendants. */
export function definitionInWkt(nodes: readonly WktNode[]): string | null {
  const [system] = nodes;
  if (!system) return null;
  const isProjected = projectedKeyword.test(system.keyword);
  const geographicNode = nodes.find(({ keyword }) => geographicKeyword.test(keyword));
  if (!geographicNode || (!isProjected && countsFromMiddle(nodes, system))) return null;
  const angularUnit = numberOf(childOf(nodes, geographicNode, unitKeyword)?.second) ?? degree;
  // Few systems use other angles than degrees.
  if (Math.abs(angularUnit - degree) > 1e-6) return null;
  const projection = isProjected ? projectionIn(nodes, system) : null;
  return isProjected && projection === null ? null : definitionOf(projection, earthIn(nodes, geographicNode));
}

/** Whether the ellipsoid is another planet's or moon's. */
export function isElsewhere(nodes: readonly WktNode[]): boolean {
  const spheroid = nodes.find(({ keyword }) => keyword === 'SPHEROID' || keyword === 'ELLIPSOID');
  const unit =
    spheroid && nodes.find(({ keyword, parent }) => keyword === 'LENGTHUNIT' && parent === spheroid);
  const axis = numberOf(spheroid?.second);
  return axis !== undefined && isOtherPlanet(axis * (numberOf(unit?.second) ?? 1));
}

/** Whether WKT 2 axes are geocentric. */
export const countsFromMiddle = (nodes: readonly WktNode[], system: WktNode): boolean =>
  nodes.some(
    ({ keyword, parent, name = '' }) =>
      keyword === 'AXIS' && parent === system && /^(?:\(X\)|Geocentric X)/i.test(name),
  );

/**
 * Metres per unit of a projected system or of all its axes, or null. `nodes`: the system, then all its
 * descendants.
 */
export function unitInWkt(nodes: readonly WktNode[]): number | null {
  const [system] = nodes;
  if (!system || !projectedKeyword.test(system.keyword)) return null;
  const [unit, ...otherUnits] = ownUnits(nodes, system).map(({ second }) => numberOf(second));
  return unit !== undefined && otherUnits.every((otherUnit) => otherUnit === unit) ? unit : null;
}

const ownUnits = (nodes: readonly WktNode[], system: WktNode): readonly WktNode[] =>
  nodes.filter(({ keyword, parent }) => unitKeyword.test(keyword) && belongsToSystem(parent, system));

function projectionIn(nodes: readonly WktNode[], system: WktNode): OwnProjection | null {
  const units = ownUnits(nodes, system);
  const unit = numberOf(units.at(-1)?.second) ?? 1;
  const parameters = new Map<Parameter, number>();
  for (const { keyword, name = '', second } of nodes) {
    if (keyword !== 'PARAMETER') continue;
    const normalizedWord = name.toLowerCase().replace(/[^a-z0-9]/g, '');
    const parameter = parameterNames.find(([, pattern]) => pattern.test(normalizedWord))?.[0];
    const value = numberOf(second);
    if (parameter === undefined || value === undefined) continue;
    parameters.set(
      parameter,
      angularParameters.has(parameter) || parameter === 'k' || isMetric(nodes) ? value : value * unit,
    );
  }
  const methodName =
    nodes.find(({ keyword }) => keyword === 'PROJECTION' || keyword === 'METHOD')?.name ?? '';
  const method = methodOf(methodName, parameters);
  return method === null ? null : { method, parameters, unit };
}

/** WKT 2 parameters have their own units, nearly always metres; in WKT 1 they use the system's. */
const isMetric = (nodes: readonly WktNode[]): boolean =>
  nodes.some(
    ({ keyword, name, parent }) =>
      keyword === 'LENGTHUNIT' && parent?.keyword === 'PARAMETER' && /^met/i.test(name ?? ''),
  );

const belongsToSystem = (parent: WktNode | null, system: WktNode): boolean =>
  parent === system || (parent?.keyword === 'AXIS' && parent.parent === system);

function earthIn(nodes: readonly WktNode[], geographicNode: WktNode): OwnEarth {
  const spheroid = nodes.find(({ keyword }) => keyword === 'SPHEROID' || keyword === 'ELLIPSOID');
  const datumShift = nodes.find(({ keyword }) => keyword === 'TOWGS84');
  const numbers = datumShift
    ? [datumShift.name, datumShift.second, ...datumShift.otherValues].map((value) => numberOf(value))
    : [];
  const code = Number(/^EPSG:(\d+)$/.exec(geographicNode.id ?? '')?.[1] ?? Number.NaN);
  return {
    code: Number.isNaN(code) ? geographicCodeByName(geographicNode.name) : code,
    semiMajor: numberOf(spheroid?.second) ?? null,
    inverseFlattening: numberOf(spheroid?.otherValues[0]) ?? null,
    toWgs84: numbers.every((value) => value !== undefined) ? numbers : [],
    meridian: numberOf(childOf(nodes, geographicNode, /^PRIMEM(?:ERIDIAN)?$/)?.second) ?? 0,
  };
}

/** Other names of systems that differ much from WGS 84. */
const codesByName: Readonly<Record<string, number>> = {
  dhdn: 4314,
  deutscheshauptdreiecksnetz: 4314,
  mgi: 4312,
  amersfoort: 4289,
  belge1972: 4313,
  osgb1936: 4277,
  osgb36: 4277,
  ordnancesurveyofgreatbritain1936: 4277,
  northamerican1927: 4267,
  nad27: 4267,
  european1950: 4230,
  ed50: 4230,
  ch1903: 4149,
  sjtsk: 4156,
  rt90: 4124,
  pulkovo1942: 4284,
  tokyo: 4301,
  tm65: 4299,
};

/** EPSG code of a system named above, or null. */
export function geographicCodeByName(name = ''): number | null {
  const normalizedWord = name
    .toLowerCase()
    .replace(/^gcs_/, '')
    .replace(/[^a-z0-9]/g, '');
  return codesByName[normalizedWord] ?? null;
}

const childOf = (nodes: readonly WktNode[], parent: WktNode, keyword: RegExp): WktNode | undefined =>
  nodes.find((node) => node.parent === parent && keyword.test(node.keyword));

function numberOf(normalizedWord: string | undefined): number | undefined {
  const value = normalizedWord === undefined || normalizedWord === '' ? Number.NaN : Number(normalizedWord);
  return Number.isFinite(value) ? value : undefined;
}
