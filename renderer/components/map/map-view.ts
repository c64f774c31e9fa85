import { type GeoProjection, geoAzimuthalEqualArea, geoCentroid, geoDistance, geoEqualEarth } from 'd3-geo';
import type { Footprint, LonLat } from '../../../shared/source.ts';
import type { Size } from './map-model.ts';

/** A closed ring, clockwise. */
export type Ring = Footprint['ring'];

/** The part of the earth that a map shows. */
export interface View {
  readonly center: LonLat;
  readonly metresPerPixel: number;
}

export const earthMetres = 6_371_008.8;
/** A larger extent would bend the globe too much. */
const maxRadians = Math.PI / 3;
/** Half the width and height of the Equal Earth projection at scale 1. */
const [halfWorldWidth, halfWorldHeight] = [2.7066, 1.3173];
/** Data's share of the map; the rest is context. */
const dataShare = 0.65;
/** Shortest side, so that a single photo has context. */
const leastMetres = 400;
const leastMetresPerPixel = 0.02;
/** Below this the atlas has no detail, and curved edges would need millions of points. */
const straightBelow = 300;

const visibleRadians = ({ metresPerPixel }: View, { width, height }: Size): number =>
  ((Math.hypot(width, height) / 2) * metresPerPixel) / earthMetres;

const worldScale = ({ width, height }: Size): number =>
  2 * earthMetres * Math.max(halfWorldWidth / width, halfWorldHeight / height);

/** Returns the visible radius in radians. */
export function createProjection(
  view: View,
  { width, height }: Size,
): { readonly projection: GeoProjection; readonly radius: number } {
  const { center, metresPerPixel } = view;
  const radius = visibleRadians(view, { width, height });
  const scale = earthMetres / metresPerPixel;
  const [lon, lat] = center;
  const isGlobal = radius > maxRadians;
  const projection = isGlobal
    ? geoEqualEarth().rotate([-lon, 0]).scale(scale).translate([0, 0])
    : geoAzimuthalEqualArea()
        .rotate([-lon, -lat])
        .scale(scale)
        .translate([width / 2, height / 2]);
  if (isGlobal) projection.translate([width / 2, height / 2 - (projection([lon, lat])?.[1] ?? 0)]);
  if (metresPerPixel < straightBelow) projection.precision(0);
  projection.clipExtent([
    [-2, -2],
    [width + 2, height + 2],
  ]);
  return { projection, radius };
}

/** Shows rings with context, at least `minMetres` metres across; the world if there are none. */
export function fitView(rings: readonly Ring[], size: Size, minMetres = leastMetres): View {
  const points = rings.flat();
  if (points.length === 0) return { center: [0, 20], metresPerPixel: worldScale(size) };
  const centerPoint = centerOf(points);
  const farthest = points.reduce(
    (maximum, point) => Math.max(maximum, geoDistance([...centerPoint], [...point])),
    0,
  );
  if (farthest > maxRadians) return { center: [centerPoint[0], 0], metresPerPixel: worldScale(size) };
  const projection = geoAzimuthalEqualArea()
    .rotate([-centerPoint[0], -centerPoint[1]])
    .scale(earthMetres)
    .translate([0, 0]);
  const box = boxOf(points.map((point) => projection([...point]) ?? [0, 0]));
  const center = projection.invert?.([(box.left + box.right) / 2, (box.top + box.bottom) / 2]) ?? [
    ...centerPoint,
  ];
  const metresPerPixel = Math.max(
    (box.right - box.left) / dataShare / size.width,
    (box.bottom - box.top) / dataShare / size.height,
    minMetres / Math.min(size.width, size.height),
  );
  return clampView({ center, metresPerPixel }, size);
}

const clampView = ({ center: [lon, lat], metresPerPixel }: View, size: Size): View => ({
  center: [lon, Math.max(-90, Math.min(90, lat))],
  metresPerPixel: Math.max(leastMetresPerPixel, Math.min(worldScale(size), metresPerPixel)),
});

const maxMoves = 4;

/** Zooms by a factor: above 1 is closer. The place at the pixel stays; default: the middle. */
export function zoomView(
  view: View,
  factor: number,
  size: Size,
  [x, y]: readonly [number, number] = [size.width / 2, size.height / 2],
): View {
  let zoomed = clampView({ ...view, metresPerPixel: view.metresPerPixel / factor }, size);
  const place = createProjection(view, size).projection.invert?.([x, y]);
  // Moving the middle turns the map, most of all near the poles, so a single move isn't exact.
  for (let move = 0; move < maxMoves && place; move++) {
    const target = createProjection(zoomed, size).projection(place);
    if (!target?.every(Number.isFinite)) break;
    zoomed = panView(zoomed, target[0] - x, target[1] - y, size);
  }
  return zoomed;
}

/** Moves the map's middle by pixels to the right and down. */
export function panView(view: View, rightPixels: number, downPixels: number, size: Size): View {
  const { projection } = createProjection(view, size);
  const center = projection.invert?.([size.width / 2 + rightPixels, size.height / 2 + downPixels]);
  return center?.every(Number.isFinite) ? clampView({ ...view, center }, size) : view;
}

/** Pixels, or metres on the earth. */
export function boxOf(points: readonly (readonly [number, number])[]) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const [x, y] of points) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

function centerOf(points: readonly LonLat[]): LonLat {
  const [lon, lat] = geoCentroid({ type: 'MultiPoint', coordinates: points.map(([x, y]) => [x, y]) });
  return Number.isFinite(lon) && Number.isFinite(lat) ? [lon, lat] : (points[0] ?? [0, 0]);
}

/** The share of rings that form a cluster, and how much farther others may be. */
const cluster = { share: 0.8, reach: 2.5 };
/** Files of one project may be this far apart, radians. */
const leastFar = 50_000 / earthMetres;

/** The cluster that most rings form: its middle, its reach in radians, and the rings without outliers. */
export function clusterOf(rings: readonly Ring[]) {
  const corners = rings.map((ring): LonLat => ring[0] ?? [0, 0]);
  const middleOfAxis = (axis: 0 | 1) =>
    corners.map((corner) => corner[axis]).sort((a, b) => a - b)[Math.floor(corners.length / 2)] ?? 0;
  const center: LonLat = [middleOfAxis(0), middleOfAxis(1)];
  const cornerDistances = corners.map((corner) => geoDistance([...center], [...corner]));
  const usualDistance =
    cornerDistances.toSorted((a, b) => a - b)[Math.ceil((cornerDistances.length - 1) * cluster.share)] ?? 0;
  const radius = Math.max(usualDistance * cluster.reach, leastFar);
  return {
    center,
    reach: radius,
    rings: rings.filter((_, index) => (cornerDistances[index] ?? 0) <= radius),
  };
}

/** Whether a ring is far from a cluster. */
export const isFarFrom = ({ center, reach: radius }: ReturnType<typeof clusterOf>, ring: Ring): boolean =>
  geoDistance([...center], [...(ring[0] ?? center)]) > 2 * radius;
