import proj4 from 'proj4';
import type { LonLat } from '../../../shared/source.ts';
import type { System } from './systems.ts';

/** Converts coordinates (east first) to lon/lat; null for an invalid point. Never throws. */
export type ToLonLat = (x: number, y: number) => LonLat | null;

/** Preparing a projection takes longer than converting a point. */
const cachedConverters = new Map<string, ToLonLat | null>();
const maxCachedConverters = 200;

/**
 * Returns the conversion to WGS 84. Null for engineering and geocentric systems, and for projections that
 * proj4 lacks or computes differently from PROJ.
 */
export function toLonLat({ definition }: Pick<System, 'definition'>): ToLonLat | null {
  if (definition === null) return null;
  let converter = cachedConverters.get(definition);
  if (converter === undefined) {
    converter = createConverter(definition);
    if (cachedConverters.size >= maxCachedConverters) cachedConverters.clear();
    cachedConverters.set(definition, converter);
  }
  return converter;
}

function createConverter(definition: string): ToLonLat | null {
  try {
    return definition.startsWith('+proj=longlat')
      ? createGeographicConverter(definition)
      : createProjectedConverter(definition);
  } catch {
    return null;
  }
}

function createProjectedConverter(definition: string): ToLonLat {
  const projection = proj4(definition, 'WGS84');
  return (x, y) => toValidLonLat(() => projection.forward([x, y], true));
}

/** `+to_degree` is our own, because PROJ's strings omit units and a few geographic systems use grads. */
function createGeographicConverter(definition: string): ToLonLat {
  const factor = Number(/\+to_degree=(\S+)/.exec(definition)?.[1] ?? 1);
  const projection = proj4(definition.replace(/ \+to_degree=\S+/, ''), 'WGS84');
  return (x, y) =>
    Math.abs(y * factor) > 90 ? null : toValidLonLat(() => projection.forward([x * factor, y * factor]));
}

function toValidLonLat(project: () => readonly number[]): LonLat | null {
  try {
    const [lon = Number.NaN, lat = Number.NaN] = project();
    if (!Number.isFinite(lon) || !(Math.abs(lat) <= 90)) return null;
    return [lon - 360 * Math.floor((lon + 180) / 360), lat];
  } catch {
    return null;
  }
}
