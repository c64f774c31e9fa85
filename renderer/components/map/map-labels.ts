import { geoContains, geoDistance } from 'd3-geo';
import type { Atlas } from './atlas.ts';
import type { MapView, Size } from './map-model.ts';

/** A country's name with its centre, or a town's with its position; pixels. */
export interface Label {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly box: Box;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const maxLabels = 4;
/** Least visible area of a labelled country, pixels². */
const leastArea = 6_000;
/** Width of a letter, height of a line, and gap around a name, pixels. */
const [letter, line, gap] = [7.6, 13, 5];

/**
 * Labels the countries that cover most of a map: in the middle of their visible parts, or above or below
 * obstacles. Names without room are left out.
 *
 * @param obstacles boxes that labels must not cover
 * @param nameOf by ISO 3166-1 number; undefined if the language has none
 */
export function labelsOn(
  { path, projection, radius, center }: MapView,
  countries: Atlas['countries'],
  { size, obstacles }: { readonly size: Size; readonly obstacles: readonly Box[] },
  nameOf: (id: string) => string | undefined,
): readonly Label[] {
  const labels: Label[] = [];
  const boxes = [...obstacles];
  const visibleCountries = countries
    .filter(({ box }) => overlaps(box, center, radius))
    .map((country) => ({ ...country, area: path.area(country.shape) }))
    .filter(({ area }) => area >= leastArea)
    .sort((a, b) => b.area - a.area);
  for (const { id, shape } of visibleCountries) {
    const name = id === null ? undefined : nameOf(id);
    if (name === undefined || labels.length >= maxLabels) continue;
    const [x, centerY] = path.centroid(shape);
    const halfLabel = (name.length * letter) / 2 + gap;
    const boxAt = (y: number): Box => ({
      left: x - halfLabel,
      top: y - line,
      right: x + halfLabel,
      bottom: y + line,
    });
    const ys = [centerY, ...obstacles.flatMap(({ top, bottom }) => [bottom + line + gap, top - line - gap])];
    const isFree = (y: number) => {
      const label = boxAt(y);
      const place = projection.invert?.([x, y]);
      const isInside =
        label.left > 0 && label.top > 0 && label.right < size.width && label.bottom < size.height && place;
      return isInside && !boxes.some((box) => meet(box, label)) && geoContains(shape, place);
    };
    const y = ys.find(isFree);
    if (y === undefined) continue;
    boxes.push(boxAt(y));
    labels.push({ name, x, y, box: boxAt(y) });
  }
  return labels;
}

const maxTowns = 8;
/** Width of a letter and half the height of a line in towns' names, pixels. */
const [townLetter, halfLine] = [6.2, 8];

/**
 * Labels the largest towns on a map, to the right of their positions; those without room are left out.
 *
 * @param towns the largest first
 * @param pixelOf null on the other side of the earth
 * @param obstacles boxes that labels must not cover
 */
export function townsOn(
  towns: Atlas['towns'],
  pixelOf: (place: [number, number]) => readonly [x: number, y: number] | null,
  { size, obstacles }: { readonly size: Size; readonly obstacles: readonly Box[] },
): readonly Label[] {
  const labels: Label[] = [];
  for (const { name, place } of towns) {
    const [x, y] = pixelOf([...place]) ?? [Number.NaN, Number.NaN];
    const box = {
      left: x - gap,
      top: y - halfLine,
      right: x + 2 * gap + name.length * townLetter,
      bottom: y + halfLine,
    };
    const isInside = box.left > 0 && box.top > 0 && box.right < size.width && box.bottom < size.height;
    if (
      !isInside ||
      [...obstacles, ...labels.map((label) => label.box)].some((usedBox) => meet(usedBox, box))
    )
      continue;
    labels.push({ name, x, y, box });
    if (labels.length === maxTowns) break;
  }
  return labels;
}

const meet = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** True if a part of the country may be visible. */
function overlaps(
  { west, south, east, north }: Atlas['countries'][number]['box'],
  [lon, lat]: MapView['center'],
  radius: number,
): boolean {
  const nearestPoint: [number, number] = [
    Math.max(west, Math.min(east, lon)),
    Math.max(south, Math.min(north, lat)),
  ];
  return geoDistance(nearestPoint, [lon, lat]) <= 2 * radius;
}
