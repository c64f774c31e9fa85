import type { FindingId } from '../../../shared/findings.ts';
import type { LonLat } from '../../../shared/source.ts';
import { isInArea } from '../crs/area-of-use.ts';
import { isInDegrees, middleOf } from '../crs/axis-order.ts';
import type { toLonLat } from '../crs/lon-lat.ts';
import type { System, Systems } from '../crs/systems.ts';
import type { Corners } from '../formats/systems/coordinate-system.ts';

/** Coordinate systems and their conversion to lon/lat, loaded on demand. */
export interface Earth extends Pick<Systems, 'systemByCode' | 'systemByName'> {
  readonly toLonLat: typeof toLonLat;
}

/** A file's middle, or what is wrong with it. */
export type Place =
  | { readonly kind: 'placed'; readonly lonLat: LonLat }
  | { readonly kind: 'misplaced'; readonly why: FindingId };

type Point = readonly [x: number, y: number];

/** Exceeds all coordinates in metres, and in feet of systems in use. */
const farthest = 100_000_000;
const foot = 0.3048;
const zone = 1_000_000;

/**
 * Locates a file, or null if unknown. Far outside its system's area of use its coordinates are probably
 * wrong; if undoing a common mistake puts it inside, the result names that mistake.
 */
export function placeOf(
  corners: Corners,
  system: System,
  { toLonLat }: Pick<Earth, 'toLonLat'>,
): Place | null {
  const way = toLonLat(system);
  if (!way || system.kind === 'geocentric') return null;
  const middle = middleOf(corners);
  const isDegrees = isInDegrees(system);
  const isInside = (point: Point | null, margin: boolean): boolean => {
    const position = point && isSane(point) ? way(...point) : null;
    return position !== null && isInArea(position, system, margin);
  };
  const position = isSane(middle) ? way(...middle) : null;
  const looksLikeDegrees =
    !isDegrees &&
    Math.hypot(...middle) > 1 &&
    corners.every(([x, y]) => Math.abs(x) <= 180 && Math.abs(y) <= 90);
  if (looksLikeDegrees && isInArea(middle, system, false))
    return { kind: 'misplaced', why: 'degrees-as-metres' };
  if (position && isInArea(position, system, true)) return { kind: 'placed', lonLat: position };
  // With axes west, south or north first, files use either order.
  if (system.definition?.includes('+axis=')) return null;
  // No system has such degrees; grids may extend past one turn around the earth.
  const isBeyond = isDegrees
    ? corners.some(([x, y]) => Math.abs(x) > 540 || Math.abs(y) > 400)
    : !isSane(middle);
  if (isDegrees && isBeyond) return { kind: 'misplaced', why: 'metres-as-degrees' };
  const why = (isDegrees ? angular : planar).find(([, undo]) => isInside(undo(middle, system), false))?.[0];
  if (why) return { kind: 'misplaced', why };
  return position || isBeyond ? { kind: 'misplaced', why: 'outside-area' } : null;
}

type Undo = (point: Point, system: System) => Point | null;

/** Undo mistakes, likelier ones first. */
const angular: readonly (readonly [FindingId, Undo])[] = [['swapped-axes', ([x, y]) => [y, x]]];
const planar: readonly (readonly [FindingId, Undo])[] = [
  ['swapped-axes', ([x, y]) => [y, x]],
  ['zone-prefix', ([x, y]) => (x >= zone && x < 61 * zone ? [x % zone, y] : null)],
  ['no-zone-prefix', ([x, y], { definition }) => withPrefix(x, y, definition ?? '')],
  ['millimetres', ([x, y]) => [x / 1_000, y / 1_000]],
  ['feet', ([x, y], { definition }) => (isInFeet(definition) ? null : [x * foot, y * foot])],
  ['metres-as-feet', ([x, y], { definition }) => (isInFeet(definition) ? [x / foot, y / foot] : null)],
];

const isInFeet = (definition: string | null): boolean =>
  /\+units=(?:us-)?ft\b|\+to_meter=0\.304/.test(definition ?? '');

/** Some countries prefix the zone in millions: 3,500,000 is the middle of zone 3. */
function withPrefix(x: number, y: number, definition: string): Point | null {
  const falseEasting = Number(/\+x_0=([\d.]+)/.exec(definition)?.[1] ?? 0);
  const millions = Math.floor(falseEasting / zone);
  return millions > 0 && x > 0 && x < zone ? [x + millions * zone, y] : null;
}

function isSane([x, y]: Point): boolean {
  return Math.abs(x) <= farthest && Math.abs(y) <= farthest;
}
