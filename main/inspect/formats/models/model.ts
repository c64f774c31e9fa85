import type { FileBytes } from '../base/file-bytes.ts';
import type { Opened } from '../base/format.ts';

/** Facts from the first positions of a model. */
export interface ModelHead {
  readonly kind: 'model';
  /** Single-precision step in the file's unit, if all positions are far from the origin. */
  readonly step: number | null;
  /** Stored in single precision; text is exact. */
  readonly isSingle: boolean;
}

/** Coordinates are in the file's unit. */
export type Point = readonly [x: number, y: number, z: number];

/** Limits of bytes read and positions checked. */
export const probeLength = 64 * 1024;
export const maxPoints = 2_000;
/**
 * Metres. Most northings are larger, and models smaller; a model in millimetres about its own origin is as
 * large as its coordinates.
 */
const farFromOrigin = 1_000_000;
const maxRelativeExtent = 0.05;
/** IEEE 754 single precision. */
const fractionBits = 23;

/** Null unless positions are far away on one axis, not near on another, and close together. */
function precisionStep(points: readonly Point[]): number | null {
  const nearestPerAxis = ([0, 1, 2] as const).map((axis) => {
    let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const point of points) {
      if (!Number.isFinite(point[axis])) return Number.NaN;
      lowest = Math.min(lowest, point[axis]);
      highest = Math.max(highest, point[axis]);
    }
    const nearestDistance = lowest * highest <= 0 ? 0 : Math.min(Math.abs(lowest), Math.abs(highest));
    return highest - lowest > Math.max(nearestDistance, farFromOrigin) * maxRelativeExtent
      ? Number.NaN
      : nearestDistance;
  });
  const [largest = 0, secondLargest = 0] = nearestPerAxis.toSorted((a, b) => b - a);
  if (nearestPerAxis.some(Number.isNaN) || !(largest >= farFromOrigin && secondLargest >= farFromOrigin / 10))
    return null;
  return 2 ** (Math.floor(Math.log2(largest)) - fractionBits);
}

/** Null without positions. */
export const headOf = (points: readonly Point[], isSingle: boolean): ModelHead | null =>
  points.length === 0 ? null : { kind: 'model', step: precisionStep(points), isSingle };

/** Wavefront OBJ: lines that begin with `v`. */
export async function readObj(file: FileBytes): Promise<Opened<ModelHead>> {
  const text = (await file.readStart(probeLength)).toString('latin1');
  // The last line may be cut.
  const lines = text.split('\n').slice(0, file.size > probeLength ? -1 : undefined);
  const points: Point[] = [];
  for (const line of lines) {
    if (!line.startsWith('v ') && !line.startsWith('v\t')) continue;
    const [, x, y, z] = line.trim().split(/\s+/).map(Number);
    if (x !== undefined && y !== undefined && z !== undefined) points.push([x, y, z]);
    if (points.length >= maxPoints) break;
  }
  return { head: headOf(points, false), end: () => null };
}

/** COLLADA: the first array of positions. */
export function headOfCollada(text: string): ModelHead | null {
  for (
    let arrayOffset = text.indexOf('<float_array');
    arrayOffset >= 0;
    arrayOffset = text.indexOf('<float_array', arrayOffset + 1)
  ) {
    const textStart = text.indexOf('>', arrayOffset);
    if (textStart < 0) return null;
    if (!text.slice(arrayOffset, textStart).toLowerCase().includes('position')) continue;
    const textEnd = text.indexOf('<', textStart);
    const numbers = text
      .slice(textStart + 1, textEnd < 0 ? undefined : textEnd)
      .trim()
      .split(/\s+/)
      // The last number may be cut.
      .slice(0, textEnd < 0 ? -1 : undefined)
      .map(Number);
    return headOf(pointsIn(numbers), false);
  }
  return null;
}

function pointsIn(numbers: readonly number[]): readonly Point[] {
  const points: Point[] = [];
  for (let index = 0; index + 2 < numbers.length && points.length < maxPoints; index += 3)
    points.push([numbers[index] ?? 0, numbers[index + 1] ?? 0, numbers[index + 2] ?? 0]);
  return points;
}
