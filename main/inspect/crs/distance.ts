import type { LonLat } from '../../../shared/source.ts';

/** Mean radius (IUGG). */
const earthMetres = 6_371_008.8;

/** Great-circle distance on a sphere, accurate to 0.5 %. */
export function metresBetween([lonA, latA]: LonLat, [lonB, latB]: LonLat): number {
  const [latitudeA, latitudeB] = [radians(latA), radians(latB)];
  const haversine =
    Math.sin((latitudeB - latitudeA) / 2) ** 2 +
    Math.cos(latitudeA) * Math.cos(latitudeB) * Math.sin(radians(lonB - lonA) / 2) ** 2;
  return 2 * earthMetres * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
