import { unnamedSystem } from '../../../../shared/source.ts';
import { maxWkt } from '../../../../shared/source-changes.ts';
import { systemOfAdv } from './adv-systems.ts';
import { countsFromMiddle, definitionInWkt, isElsewhere, unitInWkt } from './in-wkt.ts';
import { nodesOf, type WktNode } from './wkt-nodes.ts';

/** Coordinate reference systems as files name them, brought to what people call them. */

/** What a file says of where its coordinates count from. */
export interface NamedSystem {
  /** `EPSG:25832`, the name that the file gives it, or `unnamedSystem`; null where it has none. */
  readonly system: string | null;
  /** That of its heights, likewise, where it is named apart. */
  readonly vertical: string | null;
  /** It lies nowhere on earth, counts from the middle of the earth, or is that of another planet or moon. */
  readonly nature?: 'engineering' | 'geocentric' | 'elsewhere';
  /** What is told of its heights otherwise: that they are feet, or count from an ellipsoid. */
  readonly heights?: 'feet' | 'ellipsoid';
  /** Of one without a number, what it is: a PROJ string (`definitionOf`); absent where that can't be told. */
  readonly definition?: string;
  /** Metres of one unit of its coordinates, where the file says so beside a number. */
  readonly unit?: number;
}

/**
 * The corners of what a file holds, in its own system, east first, one after the other round it: outer edges
 * of pixels.
 */
export type Corners = readonly (readonly [x: number, y: number])[];

export const noSystem: NamedSystem = { system: null, vertical: null };

/** What programs write where there is no name: GDAL, libgeotiff, ESRI. */
const noName = /^(?:un(?:named|known|defined|specified)|user[- _]defined|none|null|<[^>]*>)?$/i;

/** The name of a system by the words that stand for it in a file, which may be none, or all of it. */
export function nameOfSystem(words: string | undefined): string {
  const name = (words ?? '').trim();
  return noName.test(name) || isWellKnownText(name) ? unnamedSystem : name;
}

export const isWellKnownText = (words: string): boolean => /^[A-Z_]{4,20}\s{0,9}[[(]/.test(words);

const placed = /^(?:COMPD_CS|PROJCS|GEOGCS|GEOCCS|COMPOUNDCRS|PROJCRS|GEODCRS|GEOGCRS|BOUNDCRS)$/;
const compound = /^(?:COMPD_CS|COMPOUNDCRS)$/;
const engineering = /^(?:LOCAL_CS|ENGCRS|ENGINEERINGCRS)$/;
const heightsOnly = /^VERT(?:_CS|CRS|ICALCRS)$/;
/** ESRI writes it behind the horizontal one, not around both; above an ellipsoid with a datum of that. */
const heightsOfEsri = 'VERTCS';
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
  const named = (node: WktNode | undefined) => (node ? (node.id ?? nameOfSystem(node.name)) : null);
  if (!compound.test(root.keyword)) {
    const isGeocentric = root.keyword === 'GEOCCS' || countsFromMiddle([root, ...others], root);
    const nature = isElsewhere(others)
      ? { nature: 'elsewhere' as const }
      : isGeocentric
        ? { nature: 'geocentric' as const }
        : {};
    const heights = others.find(({ keyword, parent }) => keyword === heightsOfEsri && parent === null);
    const ofHeights = heights ? heightsIn(others, heights, named(heights)) : { vertical: null };
    return { system: named(root), ...nature, ...ofHeights, ...described([root, ...others], root) };
  }
  const parts = others.filter(({ parent }) => parent === root);
  const heights = parts.find(({ keyword }) => heightsOnly.test(keyword));
  const system = parts.find(({ keyword }) => placed.test(keyword)) ?? root;
  return {
    system: named(system),
    ...(heights ? heightsIn(others, heights, named(heights)) : { vertical: null }),
    ...(isElsewhere(others) ? { nature: 'elsewhere' } : {}),
    ...described([root, ...others], system),
  };
}

/** What is said of heights: their system, and that they are feet, or count from an ellipsoid. */
function heightsIn(
  nodes: readonly WktNode[],
  heights: WktNode,
  vertical: string | null,
): Pick<NamedSystem, 'vertical' | 'heights'> {
  const within = nodes.filter((node) => isWithin(node, heights));
  const isFeet = within.some(
    ({ keyword, name = '' }) => /^(?:LENGTH)?UNIT$/.test(keyword) && /f(?:oo|ee)t/i.test(name),
  );
  const isEllipsoidal =
    heights.keyword === heightsOfEsri && within.some(({ keyword }) => keyword === 'DATUM');
  return {
    vertical: isEllipsoidal ? null : vertical,
    ...(isFeet ? { heights: 'feet' as const } : isEllipsoidal ? { heights: 'ellipsoid' as const } : {}),
  };
}

/** What a system without a number is, and the unit of one with a number. */
function described(nodes: readonly WktNode[], system: WktNode): Pick<NamedSystem, 'definition' | 'unit'> {
  const own = nodes.filter((node) => node === system || isWithin(node, system));
  if (system.id !== undefined) {
    const unit = unitInWkt(own);
    return unit === null ? {} : { unit };
  }
  const definition = definitionInWkt(own);
  return definition === null ? {} : { definition };
}

function isWithin(node: WktNode, outer: WktNode | undefined): boolean {
  for (let one = node.parent; one; one = one.parent) if (one === outer) return true;
  return false;
}

/** A system that the document defines itself, or one that is called local. */
const local = /^\s*#|^(?:.*[:/#])?(?:local|engineering)(?![a-z])/i;

/** What an `srsName` says: EPSG's numbers in any of the spellings, a name of the AdV, else its last word. */
export function systemOfSrsName(name: string): NamedSystem {
  const [system, vertical] = [
    ...name.matchAll(/EPSG[:/]+(?:[\d.]*[:/])?(\d{4,6})(?:\+(\d{4,6}))?/gi),
  ].flatMap(([, first, second]) => (second ? [first, second] : [first]));
  if (system) return { system: `EPSG:${system}`, vertical: vertical ? `EPSG:${vertical}` : null };
  const ofAdv = systemOfAdv(name);
  if (ofAdv) return ofAdv;
  if (local.test(name)) return { ...noSystem, nature: 'engineering' };
  const last = name.trim().split(/[:/#]/).at(-1) ?? '';
  return { system: last === '' ? null : nameOfSystem(last.slice(0, 100)), vertical: null };
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

/**
 * The corners of a raster: `x = a · column + b · row + c`, `y = d · column + e · row + f`.
 *
 * @returns null if they are not finite
 */
export function cornersOfTransform(
  [
    a = Number.NaN,
    b = Number.NaN,
    c = Number.NaN,
    d = Number.NaN,
    e = Number.NaN,
    f = Number.NaN,
  ]: readonly number[],
  columns: number,
  rows: number,
): Corners | null {
  const at = (column: number, row: number) => [a * column + b * row + c, d * column + e * row + f] as const;
  const corners = [at(0, rows), at(columns, rows), at(columns, 0), at(0, 0)];
  return corners.flat().every(Number.isFinite) ? corners : null;
}

const flat = /^\s*(?:PROJCS|GEOGCS|PROJCRS|GEOGCRS|GEODCRS)\s*[[(]/i;

/** Whether a well-known text names a flat system of the earth, and is short and plain enough to go along. */
export function canBeTold(wkt: string): boolean {
  if (wkt.length > maxWkt || !flat.test(wkt) || unprintable.test(wkt)) return false;
  const { system, nature } = systemOfWkt(wkt);
  return system !== null && nature === undefined;
}

/** XML has no place for them. */
const unprintable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/;
