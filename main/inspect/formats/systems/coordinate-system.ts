import { unnamedSystem } from '../../../../shared/source.ts';
import { maxWkt } from '../../../../shared/source-changes.ts';
import { systemOfAdv } from './adv-systems.ts';
import { countsFromMiddle, definitionInWkt, isElsewhere, unitInWkt } from './wkt-definition.ts';
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
const emptyName = /^(?:un(?:named|known|defined|specified)|user[- _]defined|none|null|<[^>]*>)?$/i;

/** `unnamedSystem` for placeholders and WKT. */
export function nameOfSystem(systemText: string | undefined): string {
  const name = (systemText ?? '').trim();
  return emptyName.test(name) || isWellKnownText(name) ? unnamedSystem : name;
}

export const isWellKnownText = (systemText: string): boolean => /^[A-Z_]{4,20}\s{0,9}[[(]/.test(systemText);

const placedKeyword = /^(?:COMPD_CS|PROJCS|GEOGCS|GEOCCS|COMPOUNDCRS|PROJCRS|GEODCRS|GEOGCRS|BOUNDCRS)$/;
const compoundKeyword = /^(?:COMPD_CS|COMPOUNDCRS)$/;
const engineeringKeyword = /^(?:LOCAL_CS|ENGCRS|ENGINEERINGCRS)$/;
const heightsKeyword = /^VERT(?:_CS|CRS|ICALCRS)$/;
/** ESRI writes it after the horizontal system, not around both; a `DATUM` in it means ellipsoidal heights. */
const esriHeightsKeyword = 'VERTCS';
/** Characters. */
export const maxWktLength = 16 * 1024;

/** Reads WKT 1 and 2. Only `nature` for engineering systems; no system for other text. */
export function systemOfWkt(text: string): NamedSystem {
  const [root, ...otherNodes] = nodesOf(text.slice(0, maxWktLength));
  if (root && engineeringKeyword.test(root.keyword)) return { ...noSystem, nature: 'engineering' };
  if (!root || !placedKeyword.test(root.keyword)) return noSystem;
  const systemName = (node: WktNode | undefined) => (node ? (node.id ?? nameOfSystem(node.name)) : null);
  if (!compoundKeyword.test(root.keyword)) {
    const isGeocentric = root.keyword === 'GEOCCS' || countsFromMiddle([root, ...otherNodes], root);
    const nature = isElsewhere(otherNodes)
      ? { nature: 'elsewhere' as const }
      : isGeocentric
        ? { nature: 'geocentric' as const }
        : {};
    const heights = otherNodes.find(
      ({ keyword, parent }) => keyword === esriHeightsKeyword && parent === null,
    );
    const heightFacts = heights ? heightsIn(otherNodes, heights, systemName(heights)) : { vertical: null };
    return {
      system: systemName(root),
      ...nature,
      ...heightFacts,
      ...describeSystem([root, ...otherNodes], root),
    };
  }
  const childNodes = otherNodes.filter(({ parent }) => parent === root);
  const heights = childNodes.find(({ keyword }) => heightsKeyword.test(keyword));
  const system = childNodes.find(({ keyword }) => placedKeyword.test(keyword)) ?? root;
  return {
    system: systemName(system),
    ...(heights ? heightsIn(otherNodes, heights, systemName(heights)) : { vertical: null }),
    ...(isElsewhere(otherNodes) ? { nature: 'elsewhere' } : {}),
    ...describeSystem([root, ...otherNodes], system),
  };
}

function heightsIn(
  nodes: readonly WktNode[],
  heights: WktNode,
  vertical: string | null,
): Pick<NamedSystem, 'vertical' | 'heights'> {
  const heightNodes = nodes.filter((node) => isWithin(node, heights));
  const isFeet = heightNodes.some(
    ({ keyword, name = '' }) => /^(?:LENGTH)?UNIT$/.test(keyword) && /f(?:oo|ee)t/i.test(name),
  );
  const isEllipsoidal =
    heights.keyword === esriHeightsKeyword && heightNodes.some(({ keyword }) => keyword === 'DATUM');
  return {
    vertical: isEllipsoidal ? null : vertical,
    ...(isFeet ? { heights: 'feet' as const } : isEllipsoidal ? { heights: 'ellipsoid' as const } : {}),
  };
}

/** Returns a definition for a system without a code, otherwise the unit. */
function describeSystem(
  nodes: readonly WktNode[],
  system: WktNode,
): Pick<NamedSystem, 'definition' | 'unit'> {
  const systemNodes = nodes.filter((node) => node === system || isWithin(node, system));
  if (system.id !== undefined) {
    const unit = unitInWkt(systemNodes);
    return unit === null ? {} : { unit };
  }
  const definition = definitionInWkt(systemNodes);
  return definition === null ? {} : { definition };
}

function isWithin(node: WktNode, ancestorNode: WktNode | undefined): boolean {
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent)
    if (ancestor === ancestorNode) return true;
  return false;
}

/** Defined in the document, or local. */
const localName = /^\s*#|^(?:.*[:/#])?(?:local|engineering)(?![a-z])/i;

/** Reads an `srsName`: EPSG in any spelling, AdV names, otherwise the last word. */
export function systemOfSrsName(name: string): NamedSystem {
  const [system, vertical] = [
    ...name.matchAll(/EPSG[:/]+(?:[\d.]*[:/])?(\d{4,6})(?:\+(\d{4,6}))?/gi),
  ].flatMap(([, horizontalCode, verticalCode]) =>
    verticalCode ? [horizontalCode, verticalCode] : [horizontalCode],
  );
  if (system) return { system: `EPSG:${system}`, vertical: vertical ? `EPSG:${vertical}` : null };
  const advSystem = systemOfAdv(name);
  if (advSystem) return advSystem;
  if (localName.test(name)) return { ...noSystem, nature: 'engineering' };
  const lastPart = name.trim().split(/[:/#]/).at(-1) ?? '';
  return { system: lastPart === '' ? null : nameOfSystem(lastPart.slice(0, 100)), vertical: null };
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
  const cornerAt = (column: number, row: number) =>
    [a * column + b * row + c, d * column + e * row + f] as const;
  const corners = [cornerAt(0, rows), cornerAt(columns, rows), cornerAt(columns, 0), cornerAt(0, 0)];
  return corners.flat().every(Number.isFinite) ? corners : null;
}

const flatSystem = /^\s*(?:PROJCS|GEOGCS|PROJCRS|GEOGCRS|GEODCRS)\s*[[(]/i;

/** Whether WKT names a 2D system on earth, and is short and printable enough for a sidecar file. */
export function isAssignableWkt(wkt: string): boolean {
  if (wkt.length > maxWkt || !flatSystem.test(wkt) || unprintableCharacter.test(wkt)) return false;
  const { system, nature } = systemOfWkt(wkt);
  return system !== null && nature === undefined;
}

/** XML can't contain them. */
const unprintableCharacter = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/;
