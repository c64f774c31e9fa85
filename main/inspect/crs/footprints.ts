import type { Footprint, LonLat } from '../../../shared/source.ts';
import type { Head } from '../formats/read-file.ts';
import { type Corners, cornersOfBox, type NamedSystem } from '../formats/systems/coordinate-system.ts';
import { eastFirst } from './axis-order.ts';
import { metresBetween } from './distance.ts';
import type { ToLonLat } from './lon-lat.ts';
import { ownWay, wayIn } from './own-system.ts';
import { codeOf, type Systems } from './systems.ts';

type Corner = Corners[number];

/** Maximum distance between an edge's middle and the great circle, as a share of the edge. */
const straight = 0.002;
/** Limits an edge to 16 pieces. */
const maxHalvings = 4;
const maxWays = 200;
/** Shorter edges don't visibly bend on a map. */
const straightMetres = 30_000;

/** Degrees; about the accuracy of a photo's position. */
const halfPhoto = 5e-6;

/** The header and sidecar facts that place a file. */
interface Placed {
  readonly key: string;
  readonly head: Head | null;
  readonly systemBeside: string | null;
  readonly besideSays?: NamedSystem;
}

/** Returns the footprints of all files with a known place. */
export function footprintsOf(
  looks: readonly Placed[],
  systems: Pick<Systems, 'systemOf'>,
): readonly Footprint[] {
  const outline = outlines(systems);
  return looks.flatMap((look) => {
    const ring = outline(look);
    return ring ? [{ key: look.key, ring }] : [];
  });
}

/** Returns a function that outlines files (null without a known place). It caches the projections. */
export function outlines({
  systemOf,
}: Pick<Systems, 'systemOf'>): (look: Placed) => readonly LonLat[] | null {
  const ways = new Map<string, ToLonLat | null>();
  const wayOf = (name: string, { definition, unit }: Pick<NamedSystem, 'definition' | 'unit'>) => {
    const told = definition ?? `${name} ${unit}`;
    const known = ways.get(told);
    if (known !== undefined) return known;
    const system = systemOf(codeOf(name));
    const way = definition === undefined ? system && wayIn(system, unit) : ownWay(definition, systemOf);
    if (ways.size < maxWays) ways.set(told, way);
    return way;
  };
  return ({ head, systemBeside, besideSays }) => {
    if (head?.kind === 'jpeg' && head.position) {
      const [lon, lat] = head.position;
      const around = cornersOfBox(lon - halfPhoto, lat - halfPhoto, lon + halfPhoto, lat + halfPhoto);
      const way = wayOf('EPSG:4326', {});
      return around && way && footprint(around, way);
    }
    if (!head || !('corners' in head) || !head.corners) return null;
    const inside = 'system' in head && head.system !== null ? head : null;
    const way = wayOf(inside?.system ?? systemBeside ?? '', inside ?? besideSays ?? {});
    if (!way || head.kind !== 'gml') return way && footprint(head.corners, way);
    const system = systemOf(codeOf(head.system));
    const ordered = system && eastFirst(head.corners, system, way);
    return ordered && footprint(ordered.corners, way);
  };
}

/**
 * Returns a closed clockwise ring in lon/lat, with edges off the great circle split; null if a point can't be
 * projected. Longitudes jump at the date line; a ring around a pole goes around once.
 *
 * @param corners in ring order, in either direction
 */
export function footprint(corners: Corners, toLonLat: ToLonLat): readonly LonLat[] | null {
  if (corners.length < 3) return null;
  const inOrder = areaOf(corners) > 0 ? corners.toReversed() : corners;
  const places = inOrder.map(([x, y]) => toLonLat(x, y));
  const ring: LonLat[] = [];
  for (const [index, place] of places.entries()) {
    const next = (index + 1) % places.length;
    const [from, to, end] = [inOrder[index], inOrder[next], places[next]];
    if (!place || !from || !to || !end) return null;
    ring.push(place);
    const isLong = metresBetween(place, end) > straightMetres;
    if (isLong && !bend({ from, to, place, end }, toLonLat, ring, maxHalvings)) return null;
  }
  const [first] = ring;
  return first ? [...ring, first] : null;
}

interface Edge {
  readonly from: Corner;
  readonly to: Corner;
  readonly place: LonLat;
  readonly end: LonLat;
}

/** Adds the points between; false if one can't be projected. */
function bend({ from, to, place, end }: Edge, toLonLat: ToLonLat, ring: LonLat[], halvings: number): boolean {
  const half: Corner = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const middle = toLonLat(...half);
  if (!middle) return false;
  if (halvings === 0 || isStraight(place, middle, end)) return true;
  const before = bend({ from, to: half, place, end: middle }, toLonLat, ring, halvings - 1);
  ring.push(middle);
  return before && bend({ from: half, to, place: middle, end }, toLonLat, ring, halvings - 1);
}

function isStraight(a: LonLat, middle: LonLat, b: LonLat): boolean {
  const [from, half, to] = [onSphere(a), onSphere(middle), onSphere(b)];
  const sum = from.map((one, axis) => one + (to[axis] ?? 0));
  const length = Math.hypot(...sum);
  // Antipodal points have no unique great circle.
  if (length < 1) return false;
  const beside = Math.hypot(...sum.map((one, axis) => one / length - (half[axis] ?? 0)));
  return beside <= straight * Math.hypot(...from.map((one, axis) => one - (to[axis] ?? 0)));
}

function onSphere([lon, lat]: LonLat): readonly number[] {
  const [east, north] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

/** Twice the area, positive if anticlockwise. */
function areaOf(corners: Corners): number {
  return corners.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length] ?? [x, y];
    return sum + (x * nextY - nextX * y);
  }, 0);
}
