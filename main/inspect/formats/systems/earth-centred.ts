/** Geocentric coordinates (EPSG:4978) of 3D Tiles and CZML. */

/** WGS 84: semi-major axis in metres, and squared eccentricity. */
export const [majorAxis, eccentricity] = [6_378_137, 6.694_379_990_14e-3];
const degree = Math.PI / 180;
const minorAxis = majorAxis * Math.sqrt(1 - eccentricity);

/** Plausible heights, metres above the ellipsoid. */
const [minHeight, maxHeight] = [-12_000, 100_000];

type Point = readonly [x: number, y: number, z: number];

/** Degrees (Bowring 1976); null far from the surface. */
export function nearSurface([x, y, z]: Point): readonly [longitude: number, latitude: number] | null {
  const axisDistance = Math.hypot(x, y);
  const angle = Math.atan2(z * majorAxis, axisDistance * minorAxis);
  const bulge = (majorAxis ** 2 - minorAxis ** 2) / minorAxis;
  const latitude = Math.atan2(
    z + bulge * Math.sin(angle) ** 3,
    axisDistance - eccentricity * majorAxis * Math.cos(angle) ** 3,
  );
  const curvature = Math.sqrt(1 - eccentricity * Math.sin(latitude) ** 2);
  // The cosine alone is 0 at the poles.
  const height = axisDistance * Math.cos(latitude) + z * Math.sin(latitude) - majorAxis * curvature;
  if (!(height >= minHeight && height <= maxHeight)) return null;
  return [Math.atan2(y, x) / degree, latitude / degree];
}
