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
import type { MultiLineString, MultiPolygon, Polygon } from 'geojson';
import type { Density, Footprint, LonLat } from '../../../shared/source.ts';

/** A closed ring, clockwise. */
export type Ring = Footprint['ring'];

/** What the map is drawn upon. */
export interface World {
  readonly land: MultiPolygon;
  readonly borders: MultiLineString;
}

/** In pixels, if nothing else is said. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Paths of an SVG, and what its scale bar says. */
export interface Drawing {
  readonly land: string;
  readonly borders: string;
  /** In the order of the rings. */
  readonly outlines: readonly string[];
  readonly scale: { readonly pixels: number; readonly metres: number };
  /** Of all outlines, from left to right and from top to bottom. In metres. */
  readonly extent: Size;
  /** The outlines once more, larger, where they are too small to be told apart; null where they are not. */
  readonly inset: readonly string[] | null;
}

const earthMetres = 6_371_008.8;
/** So much land around small data shows where it is. */
const leastRadians = 300_000 / earthMetres;
/** Beyond it a round picture of the globe is bent too much. */
const maxRadians = Math.PI / 3;
const smallPixels = 60;
const insetMargin = 10;
const dotPixels = 3;

/** The map of some outlines with their surroundings. */
export function drawMap(rings: readonly Ring[], world: World, size: Size, insetSize: Size): Drawing {
  const polygons = rings.map(polygonOf);
  const data: MultiPolygon = { type: 'MultiPolygon', coordinates: polygons.map((one) => one.coordinates) };
  const { projection, radius } = project(data, size);
  const path = geoPath(projection).pointRadius(dotPixels);
  const [[left, top], [right, bottom]] = path.bounds(data);
  const metresPerPixel = measure(projection, size);
  const isSmall = Math.max(right - left, bottom - top) < smallPixels && radius < maxRadians;
  return {
    land: path(world.land) ?? '',
    borders: path(world.borders) ?? '',
    outlines: polygons.map((one) => outline(one, path)),
    scale: scaleOf(metresPerPixel, size.width),
    extent: { width: (right - left) * metresPerPixel, height: (bottom - top) * metresPerPixel },
    inset: isSmall ? drawInset(data, polygons, insetSize) : null,
  };
}

/** West, south, east and north in degrees; west is more than east across the date line. */
export function boundsOf(ring: Ring): readonly [number, number, number, number] {
  const [[west, south], [east, north]] = geoBounds(polygonOf(ring));
  return [west, south, east, north];
}

/**
 * The cells of a density as rings, and how full each is: 1 for the fullest. One file in a hundred can still
 * be seen.
 */
export function drawCells({
  size,
  cells,
}: Density): readonly { readonly ring: Ring; readonly share: number }[] {
  const most = cells.reduce((so, [, , count]) => Math.max(so, count), 1);
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
    return { ring, share: Math.log1p(count) / Math.log1p(most) };
  });
}

function polygonOf(ring: Ring): Polygon {
  return { type: 'Polygon', coordinates: [ring.map(([lon, lat]) => [lon, lat])] };
}

function project(data: MultiPolygon, { width, height }: Size) {
  const center = geoCentroid(data);
  const radius = Math.max(
    leastRadians,
    1.25 *
      data.coordinates
        .flat(2)
        .reduce((most, place) => Math.max(most, geoDistance(center, place as [number, number])), 0),
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

function drawInset(
  data: MultiPolygon,
  polygons: readonly Polygon[],
  { width, height }: Size,
): readonly string[] {
  const [lon, lat] = geoCentroid(data);
  const path = geoPath(
    geoAzimuthalEqualArea()
      .rotate([-lon, -lat])
      .fitExtent(
        [
          [insetMargin, insetMargin],
          [width - insetMargin, height - insetMargin],
        ],
        data,
      ),
  );
  return polygons.map((one) => path(one) ?? '');
}

/** What would be less than a dot is one. */
function outline(polygon: Polygon, path: GeoPath): string {
  const [[left, top], [right, bottom]] = path.bounds(polygon);
  if (Math.max(right - left, bottom - top) >= 2 * dotPixels) return path(polygon) ?? '';
  return path({ type: 'Point', coordinates: geoCentroid(polygon) }) ?? '';
}

/** Metres of a pixel in the middle. */
function measure({ invert }: GeoProjection, { width, height }: Size): number {
  const place = (x: number) => invert?.([x, height / 2]) ?? [0, 0];
  return (geoDistance(place(width / 2 - 5), place(width / 2 + 5)) * earthMetres) / 10;
}

/** The longest round length that takes less than a third of the width. */
function scaleOf(metresPerPixel: number, width: number): Drawing['scale'] {
  const most = (metresPerPixel * width) / 3;
  const tens = 10 ** Math.floor(Math.log10(most));
  const metres = [5, 2, 1].map((times) => times * tens).find((one) => one <= most) ?? tens;
  return { pixels: metres / metresPerPixel, metres };
}
