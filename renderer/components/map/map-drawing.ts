import {
  type GeoPath,
  type GeoProjection,
  geoAzimuthalEqualArea,
  geoBounds,
  geoCentroid,
  geoCircle,
  geoDistance,
  geoEqualEarth,
  geoPath,
} from 'd3-geo';
import type { MultiPoint, MultiPolygon, Polygon } from 'geojson';
import type { Density, Footprint, LonLat } from '../../../shared/source.ts';
import type { MapView, Size, World } from './map-model.ts';

/** A closed ring, clockwise. */
export type Ring = Footprint['ring'];

/** SVG paths and the scale bar's text. */
export interface Drawing {
  readonly land: string;
  readonly borders: string;
  /** Ordered like the rings. */
  readonly outlines: readonly string[];
  readonly scale: { readonly pixels: number; readonly metres: number };
  /** Enlarged outlines if the originals are too small to distinguish, else null. */
  readonly inset: readonly string[] | null;
  readonly view: MapView;
  readonly place: (ring: Ring) => Placed;
}

interface Placed {
  readonly outline: string;
  /** Its path on the inset; null without one. */
  readonly inset: string | null;
  /** Its longer side on the larger of both drawings. */
  readonly pixels: number;
}

const earthMetres = 6_371_008.8;
/** Least surroundings, so that small data is recognizable. */
const leastRadians = 300_000 / earthMetres;
/** A larger extent would bend the globe too much. */
const maxRadians = Math.PI / 3;
const smallPixels = 60;
const insetMargin = 10;
const dotPixels = 3;
/** Larger dots would hide the tiles that fill an inset. Pixels. */
const leastInInset = 1;

export function drawMap(rings: readonly Ring[], world: World, size: Size, insetSize: Size): Drawing {
  const polygons = rings.map(polygonOf);
  const data: MultiPolygon = {
    type: 'MultiPolygon',
    coordinates: polygons.map((polygon) => polygon.coordinates),
  };
  const { projection, radius } = project(data, size);
  const path = geoPath(projection).pointRadius(dotPixels);
  const metresPerPixel = measure(projection, size);
  const cluster = radius < maxRadians ? mostOf(polygons) : null;
  const insetPath = cluster && longerSide(path, cluster) < smallPixels ? insetOf(cluster, insetSize) : null;
  return {
    view: { path, projection, radius, center: geoCentroid(data), bounds: path.bounds(data) },
    land: path(world.land) ?? '',
    borders: path(world.borders) ?? '',
    outlines: polygons.map((polygon) => outline(polygon, path)),
    scale: scaleOf(metresPerPixel, size.width),
    inset: insetPath ? polygons.map((polygon) => outline(polygon, insetPath, leastInInset)) : null,
    place: (ring) => {
      const polygon = polygonOf(ring);
      const inset = insetPath ? outline(polygon, insetPath, leastInInset) : null;
      return { outline: outline(polygon, path), inset, pixels: longerSide(insetPath ?? path, polygon) };
    },
  };
}

/** Extent of a close-up in multiples of the ring's. */
const around = { seen: 3.5, drawn: 12 };
const maxNeighbours = 400;

/**
 * Draws a close-up of a ring with its neighbours.
 *
 * @returns the ring's path, and the neighbours' paths by index in `rings`
 */
export function drawAround(
  ring: Ring,
  rings: readonly Ring[],
  { width, height }: Size,
): {
  readonly path: string;
  readonly neighbours: readonly { readonly index: number; readonly path: string }[];
} {
  const polygon = polygonOf(ring);
  const center = geoCentroid(polygon);
  const far = ([lon, lat]: LonLat) => geoDistance(center, [lon, lat]);
  const reach = Math.max(1e-6, ...ring.map(far));
  const projection = geoAzimuthalEqualArea()
    .rotate([-center[0], -center[1]])
    .fitSize(
      [width, height],
      pointsOf(
        geoCircle()
          .center(center)
          .radius((around.seen * reach * 180) / Math.PI)().coordinates,
      ),
    )
    .clipExtent([
      [-2, -2],
      [width + 2, height + 2],
    ]);
  const path = geoPath(projection).pointRadius(dotPixels);
  const neighbours = rings
    .map((neighbour, index) => ({
      neighbour,
      index,
      distance: neighbour[0] ? far(neighbour[0]) : Number.POSITIVE_INFINITY,
    }))
    .filter(({ neighbour, distance }) => neighbour !== ring && distance < around.drawn * reach)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxNeighbours)
    .map(({ neighbour, index }) => ({ index, path: outline(polygonOf(neighbour), path) }));
  return { path: outline(polygon, path), neighbours };
}

/** West, south, east and north in degrees; west exceeds east across the date line. */
export function boundsOf(ring: Ring): readonly [number, number, number, number] {
  const [[west, south], [east, north]] = geoBounds(polygonOf(ring));
  return [west, south, east, north];
}

/** Cells of a density as rings with their fill, 1 for the fullest. One file in a hundred stays visible. */
export function drawCells({
  size,
  cells,
}: Density): readonly { readonly ring: Ring; readonly share: number }[] {
  const highest = cells.reduce((so, [, , count]) => Math.max(so, count), 1);
  return cells.map(([west, south, count]) => {
    const [east, north] = [west + size, south + size];
    const corners: readonly LonLat[] = [
      [west, south],
      [west, north],
      [east, north],
      [east, south],
      [west, south],
    ];
    const ring = corners.map(
      ([lon, lat]): LonLat => [lon > 180 ? lon - 360 : lon, Math.max(-90, Math.min(90, lat))],
    );
    return { ring, share: Math.log1p(count) / Math.log1p(highest) };
  });
}

function polygonOf(ring: Ring): Polygon {
  return { type: 'Polygon', coordinates: [ring.map(([lon, lat]) => [lon, lat])] };
}

/** Points of shapes, to fit a map to: d3-geo drops shapes of a few metres. */
const pointsOf = (coordinates: Polygon['coordinates']): MultiPoint => ({
  type: 'MultiPoint',
  coordinates: coordinates.flat(),
});

function project(data: MultiPolygon, { width, height }: Size) {
  const center = geoCentroid(data);
  const radius = Math.max(
    leastRadians,
    1.25 *
      data.coordinates
        .flat(2)
        .reduce((farthest, place) => Math.max(farthest, geoDistance(center, place as [number, number])), 0),
  );
  if (radius > maxRadians) {
    const projection = geoEqualEarth().rotate([-center[0], 0]).fitSize([width, height], { type: 'Sphere' });
    return { projection, radius };
  }
  const around = geoCircle()
    .center(center)
    .radius((radius * 180) / Math.PI)();
  const projection = geoAzimuthalEqualArea()
    .rotate([-center[0], -center[1]])
    .fitSize([width, height], around)
    .clipExtent([
      [-2, -2],
      [width + 2, height + 2],
    ]);
  return { projection, radius };
}

function insetOf(data: MultiPolygon, { width, height }: Size): GeoPath {
  const [lon, lat] = geoCentroid(data);
  return geoPath(
    geoAzimuthalEqualArea()
      .rotate([-lon, -lat])
      .fitExtent(
        [
          [insetMargin, insetMargin],
          [width - insetMargin, height - insetMargin],
        ],
        pointsOf(data.coordinates.flat()),
      )
      .clipExtent([
        [-2, -2],
        [width + 2, height + 2],
      ]),
  ).pointRadius(dotPixels);
}

/** The share of outlines that form a cluster, and how much farther others may be. */
const cluster = { share: 0.8, reach: 2.5 };

/** The outlines without distant outliers. */
function mostOf(polygons: readonly Polygon[]): MultiPolygon {
  const corners = polygons.map(({ coordinates: [[[lon = 0, lat = 0] = []] = [[]]] }): LonLat => [lon, lat]);
  const middle = (axis: 0 | 1) =>
    corners.map((corner) => corner[axis]).sort((a, b) => a - b)[Math.floor(corners.length / 2)] ?? 0;
  const center: LonLat = [middle(0), middle(1)];
  const far = corners.map(([lon, lat]) => geoDistance([...center], [lon, lat]));
  const usual = far.toSorted((a, b) => a - b)[Math.floor((far.length - 1) * cluster.share)] ?? 0;
  const near = polygons.filter((_, index) => (far[index] ?? 0) <= usual * cluster.reach + 1e-6);
  return { type: 'MultiPolygon', coordinates: near.map(({ coordinates }) => coordinates) };
}

function longerSide(path: GeoPath, shape: Polygon | MultiPolygon): number {
  const [[left, top], [right, bottom]] = path.bounds(shape);
  return Math.max(right - left, bottom - top);
}

/** Draws shapes below `least` pixels as dots. */
function outline(polygon: Polygon, path: GeoPath, least = 2 * dotPixels): string {
  if (longerSide(path, polygon) >= least) return path(polygon) ?? '';
  return path({ type: 'Point', coordinates: geoCentroid(polygon) }) ?? '';
}

function measure({ invert }: GeoProjection, { width, height }: Size): number {
  const place = (x: number) => invert?.([x, height / 2]) ?? [0, 0];
  return (geoDistance(place(width / 2 - 5), place(width / 2 + 5)) * earthMetres) / 10;
}

/** The longest round length below a third of the width. */
function scaleOf(metresPerPixel: number, width: number): Drawing['scale'] {
  const limit = (metresPerPixel * width) / 3;
  const tens = 10 ** Math.floor(Math.log10(limit));
  const metres = [5, 2, 1].map((times) => times * tens).find((length) => length <= limit) ?? tens;
  return { pixels: metres / metresPerPixel, metres };
}
