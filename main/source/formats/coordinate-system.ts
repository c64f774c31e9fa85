/** Coordinate reference systems as files name them, brought to what people call them. */

/** What a file says of where its coordinates count from. */
export interface NamedSystem {
  /** `EPSG:25832`, the name that the file gives it, or `unnamedSystem`; null where it has none. */
  readonly system: string | null;
  /** That of its heights, likewise, where it is named apart. */
  readonly vertical: string | null;
  /** It lies nowhere on earth, or counts from the middle of the earth. */
  readonly nature?: 'engineering' | 'geocentric';
  /** What is told of its heights otherwise: that they are feet, or count from an ellipsoid. */
  readonly heights?: 'feet' | 'ellipsoid';
}

/**
 * The corners of what a file holds, in its own system, east first, one after the other round it: outer edges
 * of pixels.
 */
export type Corners = readonly (readonly [x: number, y: number])[];

export const noSystem: NamedSystem = { system: null, vertical: null };

/** GeoTIFF 1.1, annex D. */
const keys = { model: 1024, geographic: 2048, projected: 3072, vertical: 4096, verticalUnit: 4099 };
const projectionParameterKeys = [3074, 3075];
const userDefined = 32_767;
const geocentric = 3;

/** Where a file has a coordinate system that bears no number and no name. */
export const unnamedSystem = 'unnamed';

/**
 * What a GeoTIFF key directory (tag 34735, in LAS files the record of that number) says. A directory may also
 * hold nothing but how pixels are meant: then there is none.
 */
export function systemOfGeoKeys(directory: readonly number[]): NamedSystem {
  const values = geoKeys(directory);
  const height = values.get(keys.vertical) ?? 0;
  const isFeet = verticalFeet.has(height) || feet.has(values.get(keys.verticalUnit) ?? 0);
  const isLocal =
    values.get(keys.model) === userDefined &&
    ![keys.geographic, keys.projected].some((key) => values.has(key));
  return {
    ...namedByKeys(values),
    ...(values.get(keys.model) === geocentric
      ? { nature: 'geocentric' }
      : isLocal
        ? { nature: 'engineering' }
        : {}),
    ...(isFeet ? { heights: 'feet' } : isEllipsoidal(height) ? { heights: 'ellipsoid' } : {}),
  };
}

function namedByKeys(values: ReadonlyMap<number, number>): NamedSystem {
  const code = (key: number) => {
    const value = values.get(key) ?? 0;
    return value >= 1024 && value < userDefined ? value : null;
  };
  const [geographic, projected, vertical] = [
    code(keys.geographic),
    code(keys.projected),
    code(keys.vertical),
  ];
  const own =
    [keys.projected, keys.geographic].some((key) => values.get(key) === userDefined) ||
    projectionParameterKeys.some((key) => values.has(key));
  const heights = vertical === null || isEllipsoidal(vertical) ? null : `EPSG:${vertical}`;
  // A projection of its own upon a numbered geographic system is not that system, nor is what counts from the
  // middle of the earth.
  if (values.get(keys.model) === geocentric || (own && projected === null && values.has(keys.projected)))
    return { system: unnamedSystem, vertical: heights };
  if (projected !== null) return { system: `EPSG:${projected}`, vertical: heights };
  // Writers of GeoTIFF 1.1 give a system of three dimensions as its heights; 5030 says the same of WGS 84.
  if (geographic !== null && vertical !== null && isThreeDimensional(vertical))
    return { system: `EPSG:${vertical}`, vertical: null };
  if (geographic === 4326 && vertical === 5030) return { system: 'EPSG:4979', vertical: null };
  if (geographic !== null) return { system: `EPSG:${geographic}`, vertical: heights };
  return own ? { system: unnamedSystem, vertical: heights } : { system: null, vertical: heights };
}

/** Values of a key directory by their keys; those that stand elsewhere count as the file's own. */
export function geoKeys(directory: readonly number[]): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  const count = directory[3] ?? 0;
  for (let at = 4; at + 3 < directory.length && at < 4 + count * 4; at += 4) {
    const [key = 0, location = 0, , value = 0] = directory.slice(at, at + 4);
    values.set(key, location === 0 ? value : userDefined);
  }
  return values;
}

/**
 * Codes of EPSG: geographic systems of three dimensions, and heights above an ellipsoid as GeoTIFF 1.0
 * numbers them.
 */
const isThreeDimensional = (code: number): boolean => code >= 4900 && code < 5000;
const isEllipsoidal = (code: number): boolean => code >= 5001 && code <= 5033;
/** EPSG's units: foot, US survey foot. */
const feet: ReadonlySet<number> = new Set([9002, 9003]);
/** Codes of EPSG for heights and depths that are counted in them. */
const verticalFeet: ReadonlySet<number> = new Set([
  5614, 5702, 6130, 6131, 6132, 6358, 6359, 6360, 8050, 8051, 8052, 8053, 8228,
]);

/** A part of a well-known text: `NAME["…", …]`. */
interface WktNode {
  readonly keyword: string;
  readonly parent: WktNode | null;
  name?: string;
  /** Its second value: of an identifier, its number. */
  second?: string;
  /** `EPSG:25832` */
  id?: string;
}

const placed = /^(?:COMPD_CS|PROJCS|GEOGCS|GEOCCS|COMPOUNDCRS|PROJCRS|GEODCRS|GEOGCRS|BOUNDCRS)$/;
const compound = /^(?:COMPD_CS|COMPOUNDCRS)$/;
const engineering = /^(?:LOCAL_CS|ENGCRS|ENGINEERINGCRS)$/;
const heightsOnly = /^VERT(?:_CS|CRS|ICALCRS)$/;
/** More of a well-known text is not read. */
export const longestWkt = 16 * 1024;

/**
 * What a well-known text (WKT 1 and 2) says. Nothing for what is none, and for engineering systems, which lie
 * nowhere on earth.
 */
export function systemOfWkt(text: string): NamedSystem {
  const [root, ...others] = nodesOf(text.slice(0, longestWkt));
  if (root && engineering.test(root.keyword)) return { ...noSystem, nature: 'engineering' };
  if (!root || !placed.test(root.keyword)) return noSystem;
  const named = (node: WktNode | undefined) => (node ? (node.id ?? node.name ?? unnamedSystem) : null);
  if (!compound.test(root.keyword)) {
    const nature = root.keyword === 'GEOCCS' ? { nature: 'geocentric' as const } : {};
    return { system: named(root), vertical: null, ...nature };
  }
  const parts = others.filter(({ parent }) => parent === root);
  const heights = parts.find(({ keyword }) => heightsOnly.test(keyword));
  const system = parts.find(({ keyword }) => placed.test(keyword)) ?? root;
  const isFeet = others.some(
    (node) =>
      /^(?:LENGTH)?UNIT$/.test(node.keyword) &&
      isWithin(node, heights) &&
      /f(?:oo|ee)t/i.test(node.name ?? ''),
  );
  return { system: named(system), vertical: named(heights), ...(isFeet ? { heights: 'feet' } : {}) };
}

function isWithin(node: WktNode, outer: WktNode | undefined): boolean {
  for (let one = node.parent; one; one = one.parent) if (one === outer) return true;
  return false;
}

/** In the order in which they begin; a text that is cut off gives those that have begun. */
function nodesOf(text: string): readonly WktNode[] {
  const nodes: WktNode[] = [];
  const start = text.replaceAll('\0', ' ').replace(/^\uFEFF/, '');
  if (!/^\s*[A-Za-z_]{1,30}\s*[[(]/.test(start)) return nodes;
  let top = null as WktNode | null;
  let word = '';
  for (const [index, piece] of start.split('"').entries()) {
    // Every second piece stands in quotes.
    if (index % 2 === 1) addValue(top, piece);
    else
      for (const [token] of piece.matchAll(/[A-Za-z_]\w*|[[\]()]|[-+.\d][-+.\w]*/g)) {
        if (token === '[' || token === '(') {
          top = { keyword: word.toUpperCase(), parent: top };
          nodes.push(top);
        } else if (token === ']' || token === ')') {
          if (top) identify(top);
          top = top?.parent ?? null;
        } else if (/^[A-Za-z_]/.test(token)) word = token;
        else addValue(top, token);
      }
  }
  return nodes;
}

function addValue(node: WktNode | null, value: string): void {
  if (node && node.name === undefined) node.name = value.slice(0, 200);
  else if (node) node.second ??= value.slice(0, 200);
}

/** What an identifier says is said of what it stands in. */
function identify({ keyword, parent, name, second = '' }: WktNode): void {
  const isEpsg = (keyword === 'AUTHORITY' || keyword === 'ID') && name?.toUpperCase() === 'EPSG';
  if (isEpsg && parent && /^\d{4,6}$/.test(second)) parent.id = `EPSG:${second}`;
}

/** What an `srsName` says: EPSG's numbers in any of the spellings, else its last word. */
export function systemOfSrsName(name: string): NamedSystem {
  const [system, vertical] = [
    ...name.matchAll(/EPSG[:/]+(?:[\d.]*[:/])?(\d{4,6})(?:\+(\d{4,6}))?/gi),
  ].flatMap(([, first, second]) => (second ? [first, second] : [first]));
  if (system) return { system: `EPSG:${system}`, vertical: vertical ? `EPSG:${vertical}` : null };
  const last = name.trim().split(/[:/#]/).at(-1) ?? '';
  return { system: last === '' ? null : last.slice(0, 100), vertical: null };
}

/** The corners of a box; null where it is none. */
export function cornersOfBox(west: number, south: number, east: number, north: number): Corners | null {
  const isBox = [west, south, east, north].every(Number.isFinite) && west <= east && south <= north;
  return isBox
    ? [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
      ]
    : null;
}
