import type { Corners } from '../formats/systems/coordinate-system.ts';
import { isInArea } from './area-of-use.ts';
import type { ToLonLat } from './lon-lat.ts';
import type { System } from './systems.ts';

/** `unclear`: both orders are in the system's area of use. */
type AxisOrder = 'east-first' | 'north-first' | 'unclear';

/** City models use either axis order, whatever their system. */
interface OrderedCorners {
  readonly corners: Corners;
  readonly order: AxisOrder;
}

const swapAxes = (corners: Corners): Corners => corners.map(([x, y]) => [y, x] as const);

/**
 * Finds the axis order inside the system's area of use, or null. If both fit, degrees count as latitude first
 * (as in EPSG) and metres as east first (as in most files).
 */
export function eastFirst(corners: Corners, system: System, toLonLat: ToLonLat): OrderedCorners | null {
  const swapped = swapAxes(corners);
  for (const withMargin of [false, true]) {
    const isInside = (candidate: Corners): boolean => {
      const point = toLonLat(...middleOf(candidate));
      return point !== null && isInArea(point, system, withMargin);
    };
    const [fitsAsWritten, fitsSwapped] = [isInside(corners), isInside(swapped)];
    if (!fitsAsWritten && !fitsSwapped) continue;
    const isNorthFirst = fitsSwapped && (!fitsAsWritten || isInDegrees(system));
    const order = fitsAsWritten && fitsSwapped ? 'unclear' : isNorthFirst ? 'north-first' : 'east-first';
    return { corners: isNorthFirst ? swapped : corners, order };
  }
  return null;
}

/** Whether the order is neither EPSG's nor usual: metres and short system names mostly mean east first. */
export function isSwapped(order: AxisOrder, { axes, definition }: System, srsName = ''): boolean {
  if (order === 'unclear' || definition?.includes('+axis=')) return false;
  const isNorthFirst = axes.startsWith('N');
  if (order === 'north-first') return !isNorthFirst;
  return isNorthFirst && isInDegrees({ definition }) && !/^EPSG:\d+$/i.test(srsName);
}

export const isInDegrees = ({ definition }: Pick<System, 'definition'>): boolean =>
  definition?.startsWith('+proj=longlat') ?? false;

export function middleOf(corners: Corners): readonly [x: number, y: number] {
  const sum = (axis: 0 | 1) => corners.reduce((total, corner) => total + corner[axis] / corners.length, 0);
  return [sum(0), sum(1)];
}
