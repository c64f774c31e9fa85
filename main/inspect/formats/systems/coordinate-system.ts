import { unnamedSystem } from '../../../../shared/source.ts';
import { maxWkt } from '../../../../shared/source-changes.ts';
import { systemOfAdv } from './adv-systems.ts';
import { countsFromMiddle, definitionInWkt, isElsewhere, unitInWkt } from './in-wkt.ts';
import { nodesOf, type WktNode } from './wkt-nodes.ts';

/** Normalizes how files name coordinate systems. */

/** A file's coordinate system. */
export interface NamedSystem {
  /** `EPSG:25832`, the file's name for it, or `unnamedSystem`. */
  readonly system: string | null;
  /** The vertical system, if named separately. */
  readonly vertical: string | null;
  /** Not on earth, geocentric, or of another planet or moon. */
  readonly nature?: 'engineering' | 'geocentric' | 'elsewhere';
  /** In feet, or above an ellipsoid. */
  readonly heights?: 'feet' | 'ellipsoid';
  /** PROJ string of a system without a code (`definitionOf`). */
  readonly definition?: string;
  /** Metres, if stated next to a code. */
  readonly unit?: number;
}

/** Outer pixel edges, in the file's system, east first, in ring order. */
export type Corners = readonly (readonly [x: number, y: number])[];

export const noSystem: NamedSystem = { system: null, vertical: null };

/** Of GDAL, libgeotiff and ESRI. */
const noName = /^(?:un(?:named|known|defined|specified)|user[- _]defined|none|null|<[^>]*>)?$/i;

/** `unnamedSystem` for placeholders and WKT. */
export function nameOfSystem(words: string | undefined): string {
  const name = (words ?? '').trim();
  return noName.test(name) || isWellKnownText(name) ? unnamedSystem : name;
}

export const isWellKnownText = (words: string): boolean => /^[A-Z_]{4,20}\s{0,9}[[(]/.test(words);

const placed = /^(?:COMPD_CS|PROJCS|GEOGCS|GEOCCS|COMPOUNDCRS|PROJCRS|GEODCRS|GEOGCRS|BOUNDCRS)$/;
const compound = /^(?:COMPD_CS|COMPOUNDCRS)$/;
const engineering = /^(?:LOCAL_CS|ENGCRS|ENGINEERINGCRS)$/;
const heightsOnly = /^VERT(?:_CS|CRS|ICALCRS)$/;
/** ESRI writes it after the horizontal system, not around both; a `DATUM` in it means ellipsoidal heights. */
const heightsOfEsri = 'VERTCS';
/** Characters. */
export const longestWkt = 16 * 1024;

/** Reads WKT 1 and 2. Only `nature` for engineering systems; no system for other text. */
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

/** Returns a definition for a system without a code, otherwise the unit. */
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

/** Defined in the document, or local. */
const local = /^\s*#|^(?:.*[:/#])?(?:local|engineering)(?![a-z])/i;

/** Reads an `srsName`: EPSG in any spelling, AdV names, otherwise the last word. */
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

/** Null for an invalid box. */
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

/** `x = a · column + b · row + c`, `y = d · column + e · row + f`; null if not finite. */
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

/** Whether WKT names a 2D system on earth, and is short and printable enough for a sidecar file. */
export function canBeTold(wkt: string): boolean {
  if (wkt.length > maxWkt || !flat.test(wkt) || unprintable.test(wkt)) return false;
  const { system, nature } = systemOfWkt(wkt);
  return system !== null && nature === undefined;
}

/** XML can't contain them. */
const unprintable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/;
