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
export type Place = readonly [x: number, y: number, z: number];

/** Limits of bytes read and positions checked. */
export const reach = 64 * 1024;
export const maxPlaces = 2_000;
/**
 * Metres. Most northings are larger, and models smaller; a model in millimetres about its own origin is as
 * large as its coordinates.
 */
const far = 1_000_000;
const small = 0.05;
/** IEEE 754 single precision. */
const fraction = 23;

/** Null unless positions are far away on one axis, not near on another, and close together. */
function stepOf(places: readonly Place[]): number | null {
  const nearest = ([0, 1, 2] as const).map((axis) => {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const place of places) {
      if (!Number.isFinite(place[axis])) return Number.NaN;
      least = Math.min(least, place[axis]);
      most = Math.max(most, place[axis]);
    }
    const near = least * most <= 0 ? 0 : Math.min(Math.abs(least), Math.abs(most));
    return most - least > Math.max(near, far) * small ? Number.NaN : near;
  });
  const [first = 0, second = 0] = nearest.toSorted((a, b) => b - a);
  if (nearest.some(Number.isNaN) || !(first >= far && second >= far / 10)) return null;
  return 2 ** (Math.floor(Math.log2(first)) - fraction);
}

/** Null without positions. */
export const headOf = (places: readonly Place[], isSingle: boolean): ModelHead | null =>
  places.length === 0 ? null : { kind: 'model', step: stepOf(places), isSingle };

/** Wavefront OBJ: lines that begin with `v`. */
export async function readObj(file: FileBytes): Promise<Opened<ModelHead>> {
  const text = (await file.first(reach)).toString('latin1');
  // The last line may be cut.
  const lines = text.split('\n').slice(0, file.size > reach ? -1 : undefined);
  const places: Place[] = [];
  for (const line of lines) {
    if (!line.startsWith('v ') && !line.startsWith('v\t')) continue;
    const [, x, y, z] = line.trim().split(/\s+/).map(Number);
    if (x !== undefined && y !== undefined && z !== undefined) places.push([x, y, z]);
    if (places.length >= maxPlaces) break;
  }
  return { head: headOf(places, false), end: () => null };
}

/** COLLADA: the first array of positions. */
export function headOfCollada(text: string): ModelHead | null {
  for (let at = text.indexOf('<float_array'); at >= 0; at = text.indexOf('<float_array', at + 1)) {
    const open = text.indexOf('>', at);
    if (open < 0) return null;
    if (!text.slice(at, open).toLowerCase().includes('position')) continue;
    const close = text.indexOf('<', open);
    const numbers = text
      .slice(open + 1, close < 0 ? undefined : close)
      .trim()
      .split(/\s+/)
      // The last number may be cut.
      .slice(0, close < 0 ? -1 : undefined)
      .map(Number);
    return headOf(placesIn(numbers), false);
  }
  return null;
}

function placesIn(numbers: readonly number[]): readonly Place[] {
  const places: Place[] = [];
  for (let at = 0; at + 2 < numbers.length && places.length < maxPlaces; at += 3)
    places.push([numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0]);
  return places;
}
