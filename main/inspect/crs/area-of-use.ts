import type { LonLat } from '../../../shared/source.ts';
import type { Area } from '../../../strings/format/place.ts';
import type { System } from './systems.ts';

/** Margins in degrees: countries use one UTM zone nationwide, and polar systems far from their pole. */
const margins = { least: 2, tall: 20, wide: 15, high: 10, polar: 40 };
const smallMargin = 0.1;

/**
 * Whether a point is in a system's area of use, to 0.1°; `withMargin`: or near enough for its use in
 * practice.
 */
export function isInArea([lon, lat]: LonLat, { box }: Pick<System, 'box'>, withMargin: boolean): boolean {
  const width = box.east >= box.west ? box.east - box.west : box.east + 360 - box.west;
  const height = box.north - box.south;
  const [marginEast, marginNorth] = withMargin
    ? [
        height > margins.tall ? margins.wide : width + margins.least,
        width >= 359 ? margins.polar : Math.min(height + margins.least, margins.high),
      ]
    : [smallMargin, smallMargin];
  if (lat < box.south - marginNorth || lat > box.north + marginNorth) return false;
  const east = (((lon - (box.west - marginEast)) % 360) + 360) % 360;
  return width + 2 * marginEast >= 360 || east <= width + 2 * marginEast;
}

export const areaOfUse = ({ area, box }: System): Area => ({ text: area, bounds: box });
