import type { LonLat } from '../../../shared/source.ts';
import type { System } from './systems.ts';

/** Margins in degrees: countries use one UTM zone nationwide, and polar systems far from their pole. */
const nearby = { least: 2, tall: 20, wide: 15, high: 10, polar: 40 };
const little = 0.1;

/**
 * Whether a point is in a system's area of use, to 0.1°; `withMargin`: or near enough for its use in
 * practice.
 */
export function isInArea([lon, lat]: LonLat, { box }: Pick<System, 'box'>, withMargin: boolean): boolean {
  const width = box.east >= box.west ? box.east - box.west : box.east + 360 - box.west;
  const height = box.north - box.south;
  const [aside, above] = withMargin
    ? [
        height > nearby.tall ? nearby.wide : width + nearby.least,
        width >= 359 ? nearby.polar : Math.min(height + nearby.least, nearby.high),
      ]
    : [little, little];
  if (lat < box.south - above || lat > box.north + above) return false;
  const east = (((lon - (box.west - aside)) % 360) + 360) % 360;
  return width + 2 * aside >= 360 || east <= width + 2 * aside;
}
