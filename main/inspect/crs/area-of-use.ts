import type { LonLat } from '../../../shared/source.ts';
import type { System } from './systems.ts';

/**
 * Degrees around an area in which its systems are used all the same: the zones of UTM by whole countries
 * beside them, those around a pole far down.
 */
const nearby = { least: 2, tall: 20, wide: 15, high: 10, polar: 40 };
const little = 0.1;

/**
 * Whether a place is in the area that a system is meant for, to a tenth of a degree; `withMargin`: or so near
 * that the system is used there all the same.
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
