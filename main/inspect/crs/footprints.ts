import type { Footprint, LonLat } from '../../../shared/source.ts';
import type { Head } from '../formats/read-file.ts';
import { type Corners, cornersOfBox, type NamedSystem } from '../formats/systems/coordinate-system.ts';
import { eastFirst } from './axis-order.ts';
import { converterOfDefinition, converterOfSystem } from './converters.ts';
import { metresBetween } from './distance.ts';
import type { ToLonLat } from './lon-lat.ts';
import { codeOf, type Systems } from './systems.ts';

type Corner = Corners[number];

/** Maximum distance between an edge's middle and the great circle, as a share of the edge. */
const maxDeviation = 0.002;
/** Limits an edge to 16 pieces. */
const maxHalvings = 4;
const maxConverters = 200;
/** Shorter edges don't visibly bend on a map. */
const maxStraightMetres = 30_000;

/** Degrees; about the accuracy of a photo's position. */
const photoHalfSize = 5e-6;

/** The header and sidecar facts that place a file. */
export interface LocatedFile {
  readonly key: string;
  readonly head: Head | null;
  readonly sidecarSystemName: string | null;
  readonly sidecarSystem?: NamedSystem;
}

/** Returns the footprints of all files with a known place. */
export function footprintsOf(
  headers: readonly LocatedFile[],
  systems: Pick<Systems, 'systemByCode'>,
): readonly Footprint[] {
  const outline = outlines(systems);
  return headers.flatMap((header) => {
    const lonLatRing = outline(header);
    return lonLatRing ? [{ key: header.key, ring: lonLatRing }] : [];
  });
}

/** Returns a function that outlines files (null without a known place). It caches the projections. */
export function outlines({
  systemByCode,
}: Pick<Systems, 'systemByCode'>): (header: LocatedFile) => readonly LonLat[] | null {
  const converters = new Map<string, ToLonLat | null>();
  const converterFor = (name: string, { definition, unit }: Pick<NamedSystem, 'definition' | 'unit'>) => {
    const cacheKey = definition ?? `${name} ${unit}`;
    const cached = converters.get(cacheKey);
    if (cached !== undefined) return cached;
    const system = systemByCode(codeOf(name));
    const toLonLat =
      definition === undefined
        ? system && converterOfSystem(system, unit)
        : converterOfDefinition(definition, systemByCode);
    if (converters.size < maxConverters) converters.set(cacheKey, toLonLat);
    return toLonLat;
  };
  return ({ head, sidecarSystemName, sidecarSystem }) => {
    if (head?.kind === 'jpeg' && head.position) {
      const [lon, lat] = head.position;
      const square = cornersOfBox(
        lon - photoHalfSize,
        lat - photoHalfSize,
        lon + photoHalfSize,
        lat + photoHalfSize,
      );
      const toLonLat = converterFor('EPSG:4326', {});
      return square && toLonLat && footprint(square, toLonLat);
    }
    if (!head || !('corners' in head) || !head.corners) return null;
    const headSystem = 'system' in head && head.system !== null ? head : null;
    const toLonLat = converterFor(
      headSystem?.system ?? sidecarSystemName ?? '',
      headSystem ?? sidecarSystem ?? {},
    );
    if (!toLonLat || head.kind !== 'gml') return toLonLat && footprint(head.corners, toLonLat);
    const system = systemByCode(codeOf(head.system));
    const ordered = system && eastFirst(head.corners, system, toLonLat);
    return ordered && footprint(ordered.corners, toLonLat);
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
  const clockwise = areaOf(corners) > 0 ? corners.toReversed() : corners;
  const projected = clockwise.map(([x, y]) => toLonLat(x, y));
  const lonLatRing: LonLat[] = [];
  for (const [index, start] of projected.entries()) {
    const nextIndex = (index + 1) % projected.length;
    const [sourceStart, sourceEnd, end] = [clockwise[index], clockwise[nextIndex], projected[nextIndex]];
    if (!start || !sourceStart || !sourceEnd || !end) return null;
    lonLatRing.push(start);
    const isLong = metresBetween(start, end) > maxStraightMetres;
    if (isLong && !subdivideEdge({ sourceStart, sourceEnd, start, end }, toLonLat, lonLatRing, maxHalvings))
      return null;
  }
  const [firstPoint] = lonLatRing;
  return firstPoint ? [...lonLatRing, firstPoint] : null;
}

interface Edge {
  readonly sourceStart: Corner;
  readonly sourceEnd: Corner;
  readonly start: LonLat;
  readonly end: LonLat;
}

/** Adds the points between; false if one can't be projected. */
function subdivideEdge(
  { sourceStart, sourceEnd, start, end }: Edge,
  toLonLat: ToLonLat,
  lonLatRing: LonLat[],
  halvings: number,
): boolean {
  const sourceMiddle: Corner = [(sourceStart[0] + sourceEnd[0]) / 2, (sourceStart[1] + sourceEnd[1]) / 2];
  const middle = toLonLat(...sourceMiddle);
  if (!middle) return false;
  if (halvings === 0 || isStraight(start, middle, end)) return true;
  const isFirstHalfDone = subdivideEdge(
    { sourceStart, sourceEnd: sourceMiddle, start, end: middle },
    toLonLat,
    lonLatRing,
    halvings - 1,
  );
  lonLatRing.push(middle);
  return (
    isFirstHalfDone &&
    subdivideEdge(
      { sourceStart: sourceMiddle, sourceEnd, start: middle, end },
      toLonLat,
      lonLatRing,
      halvings - 1,
    )
  );
}

function isStraight(start: LonLat, middle: LonLat, end: LonLat): boolean {
  const [startVector, middleVector, endVector] = [onSphere(start), onSphere(middle), onSphere(end)];
  const vectorSum = startVector.map((component, axis) => component + (endVector[axis] ?? 0));
  const sumLength = Math.hypot(...vectorSum);
  // Antipodal points have no unique great circle.
  if (sumLength < 1) return false;
  const deviation = Math.hypot(
    ...vectorSum.map((component, axis) => component / sumLength - (middleVector[axis] ?? 0)),
  );
  return (
    deviation <=
    maxDeviation * Math.hypot(...startVector.map((component, axis) => component - (endVector[axis] ?? 0)))
  );
}

function onSphere([lon, lat]: LonLat): readonly number[] {
  const [east, north] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

/** Twice the area, positive if anticlockwise. */
function areaOf(corners: Corners): number {
  return corners.reduce((areaSum, [x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length] ?? [x, y];
    return areaSum + (x * nextY - nextX * y);
  }, 0);
}
