import { geoBounds, geoDistance, geoPath } from 'd3-geo';
import type { Position } from 'geojson';
import type { Density, LonLat } from '../../../shared/source.ts';
import type { MapView, Size, World } from './map-model.ts';
import { boxOf, createProjection, earthMetres, type Ring, type View } from './map-view.ts';

type Pixel = readonly [x: number, y: number];

/** A ring on the map, in pixels. */
export interface Shape {
  readonly path: string;
  readonly box: ReturnType<typeof boxOf>;
  readonly points: readonly Pixel[];
  readonly isDot: boolean;
}

/** SVG paths and the scale bar's length. */
export interface Drawing {
  readonly land: string;
  readonly borders: string;
  /** Lines of round degrees, with the places where they meet the top and left edges. */
  readonly lines: string;
  readonly lineLabels: readonly {
    readonly degrees: number;
    readonly x: number;
    readonly y: number;
    readonly isMeridian: boolean;
  }[];
  readonly scale: { readonly pixels: number; readonly metres: number };
  readonly view: MapView;
  /** Null outside the map. */
  readonly draw: (ring: Ring) => Shape | null;
}

const dotPixels = 3;
/** Labels of meridians and parallels would meet in the top left corner. */
const cornerPixels = 36;
/** The scale bar is in the bottom left corner. */
const scalePixels = 30;
const margin = 20;

/** Draws the surroundings of a view. */
export function drawMap(view: View, worldMap: World, size: Size): Drawing {
  const { projection, radius } = createProjection(view, size);
  const path = geoPath(projection);
  const { lines, labels } = drawLines(view, projection, size);
  const isNear = ({ center, reach }: Part) =>
    radius > Math.PI / 3 || geoDistance([...center], [...view.center]) < reach + 2 * radius;
  const { land, borders } = partsOf(worldMap);
  const nearParts = (parts: readonly Part[]) => parts.filter(isNear);
  return {
    land:
      path({ type: 'MultiPolygon', coordinates: nearParts(land).map(({ rings: partRings }) => partRings) }) ??
      '',
    borders:
      path({
        type: 'MultiLineString',
        coordinates: nearParts(borders).flatMap(({ rings: partRings }) => partRings),
      }) ?? '',
    lines,
    lineLabels: labels,
    scale: scaleOf(view.metresPerPixel, size.width),
    view: { path, projection, radius, center: view.center },
    draw: (ring) => drawRing(ring, projection, size),
  };
}

/** An island, a continent or a border, and a circle around it, radians. */
interface Part {
  readonly rings: Position[][];
  readonly center: LonLat;
  readonly reach: number;
}

const drawnParts = new WeakMap<
  World,
  { readonly land: readonly Part[]; readonly borders: readonly Part[] }
>();

/** Parts of the world, so that a close map draws only those nearby. */
function partsOf(worldMap: World) {
  const cachedParts = drawnParts.get(worldMap);
  if (cachedParts) return cachedParts;
  const partOf = (partRings: Position[][]): Part => {
    const points = (partRings[0] ?? []).map(([lon = 0, lat = 0]): LonLat => [lon, lat]);
    const center = points[points.length >> 1] ?? [0, 0];
    const radius = points.reduce(
      (maximum, point) => Math.max(maximum, geoDistance([...center], [...point])),
      0,
    );
    return { rings: partRings, center, reach: radius };
  };
  const parts = {
    land: worldMap.land.coordinates.map(partOf),
    borders: worldMap.borders.coordinates.map((line) => partOf([line])),
  };
  drawnParts.set(worldMap, parts);
  return parts;
}

/** Projects corners itself: d3-geo drops shapes of a few metres. Small shapes become dots. */
function drawRing(ring: Ring, projection: MapView['projection'], { width, height }: Size): Shape | null {
  const points = ring.map(([lon, lat]) => projection([lon, lat]) ?? ([Number.NaN, Number.NaN] as const));
  const box = boxOf(points);
  const isOutside =
    !(box.right >= -margin && box.left <= width + margin) ||
    !(box.bottom >= -margin && box.top <= height + margin);
  if (isOutside) return null;
  const isDot = Math.max(box.right - box.left, box.bottom - box.top) < 2 * dotPixels;
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const isBent = box.right - box.left > width && box.left > -width;
  const path = isDot
    ? `M${fixed(x - dotPixels)},${fixed(y)}a3,3 0 1,0 6,0a3,3 0 1,0 -6,0z`
    : isBent
      ? (geoPath(projection)({ type: 'Polygon', coordinates: [ring.map(([lon, lat]) => [lon, lat])] }) ?? '')
      : `M${points.map(([px, py]) => `${fixed(px)},${fixed(py)}`).join('L')}Z`;
  return { path, box, points, isDot };
}

const fixed = (pixels: number): number => Math.round(pixels * 10) / 10;

/** True if the shape contains the pixel, or nearly for dots. */
export function hits({ box, points, isDot }: Shape, x: number, y: number): boolean {
  const lineEnd = isDot ? dotPixels : 0;
  if (x < box.left - lineEnd || x > box.right + lineEnd || y < box.top - lineEnd || y > box.bottom + lineEnd)
    return false;
  if (isDot) return true;
  let isInside = false;
  for (const [index, [endX, endY]] of points.entries()) {
    const [startX, startY] = points[index === 0 ? points.length - 1 : index - 1] ?? [endX, endY];
    if (endY > y !== startY > y && x < ((startX - endX) * (y - endY)) / (startY - endY) + endX)
      isInside = !isInside;
  }
  return isInside;
}

/** Degrees; 6 is the width of a UTM zone. */
const steps = [30, 12, 6, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
const leastStepPixels = 90;
/** Straight pieces of a line. */
const pieces = 12;

function drawLines(view: View, projection: MapView['projection'], { width, height }: Size) {
  const degreePixels = (earthMetres * Math.PI) / 180 / view.metresPerPixel;
  const [lon, lat] = view.center;
  const flatness = Math.max(0.05, Math.cos((lat * Math.PI) / 180));
  const step = steps.findLast((degrees) => degrees * degreePixels * flatness >= leastStepPixels);
  const isFlat = Math.hypot(width, height) < 40 * degreePixels && Math.abs(lat) < 75;
  if (step === undefined || !isFlat) return { lines: '', labels: [] };
  const [halfWidth, halfHeight] = [(width / degreePixels / flatness) * 0.8, (height / degreePixels) * 0.8];
  const linePoints = (isMeridian: boolean, degrees: number) =>
    Array.from({ length: pieces + 1 }, (_, index): Pixel => {
      const fraction = (2 * index) / pieces - 1;
      return (
        projection(
          isMeridian ? [degrees, lat - fraction * halfHeight] : [lon + fraction * halfWidth, degrees],
        ) ?? [0, 0]
      );
    });
  const multiples = (fromDegrees: number, toDegrees: number) =>
    Array.from(
      { length: Math.max(0, Math.floor(toDegrees / step) - Math.ceil(fromDegrees / step) + 1) },
      (_, index) => (Math.ceil(fromDegrees / step) + index) * step,
    );
  const labels: Drawing['lineLabels'][number][] = [];
  const drawnPaths = [
    ...multiples(lon - halfWidth, lon + halfWidth).map((degrees) => ({ degrees, isMeridian: true })),
    ...multiples(Math.max(-89, lat - halfHeight), Math.min(89, lat + halfHeight)).map((degrees) => ({
      degrees,
      isMeridian: false,
    })),
  ].map(({ degrees, isMeridian }) => {
    const points = linePoints(isMeridian, degrees);
    const edge = entryOf(isMeridian ? points.map(([x, y]): Pixel => [y, x]) : points);
    const degreesInRange = degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
    const place = isMeridian ? { x: edge ?? 0, y: 12 } : { x: 4, y: (edge ?? 0) - 3 };
    if (edge !== null && edge > cornerPixels && (isMeridian || edge < height - scalePixels))
      labels.push({ degrees: Number(degreesInRange.toFixed(3)), isMeridian, ...place });
    return `M${points.map(([x, y]) => `${fixed(x)},${fixed(y)}`).join('L')}`;
  });
  return { lines: drawnPaths.join(''), labels };
}

/** The second coordinate where the first becomes positive; null if it never does. */
function entryOf(points: readonly Pixel[]): number | null {
  const splitIndex = points.findIndex(([longitude]) => longitude >= 0);
  const [start, end] = [points[splitIndex - 1], points[splitIndex]];
  if (!start || !end) return null;
  return start[1] - (start[0] / (end[0] - start[0])) * (end[1] - start[1]);
}

/** West, south, east and north in degrees; west exceeds east across the date line. */
export function boundsOf(ring: Ring): readonly [number, number, number, number] {
  const polygon = { type: 'Polygon' as const, coordinates: [ring.map(([lon, lat]) => [lon, lat])] };
  const [[west, south], [east, north]] = geoBounds(polygon);
  return [west, south, east, north];
}

/** Cells of a density as rings with their fill, 1 for the fullest. One file in a hundred stays visible. */
export function drawCells({
  size,
  cells,
}: Density): readonly { readonly ring: Ring; readonly share: number }[] {
  const maxCount = cells.reduce((maximum, [, , count]) => Math.max(maximum, count), 1);
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
    return { ring, share: Math.log1p(count) / Math.log1p(maxCount) };
  });
}

/** The longest round length below a third of the width. */
function scaleOf(metresPerPixel: number, width: number): Drawing['scale'] {
  const limit = (metresPerPixel * width) / 3;
  const powerOfTen = 10 ** Math.floor(Math.log10(limit));
  const metres = [5, 2, 1].map((times) => times * powerOfTen).find((length) => length <= limit) ?? powerOfTen;
  return { pixels: metres / metresPerPixel, metres };
}
