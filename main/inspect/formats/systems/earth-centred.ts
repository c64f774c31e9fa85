/** Geocentric coordinates (EPSG:4978) of 3D Tiles and CZML. */

/** WGS 84: semi-major axis in metres, and squared eccentricity. */
export const [axis, eccentricity] = [6_378_137, 6.694_379_990_14e-3];
const degree = Math.PI / 180;
const shorterAxis = axis * Math.sqrt(1 - eccentricity);

/** Plausible heights, metres above the ellipsoid. */
const [lowest, highest] = [-12_000, 100_000];

type Point = readonly [x: number, y: number, z: number];

/** Degrees (Bowring 1976); null far from the surface. */
export function nearSurface([x, y, z]: Point): readonly [longitude: number, latitude: number] | null {
  const across = Math.hypot(x, y);
  const angle = Math.atan2(z * axis, across * shorterAxis);
  const bulge = (axis ** 2 - shorterAxis ** 2) / shorterAxis;
  const latitude = Math.atan2(
    z + bulge * Math.sin(angle) ** 3,
    across - eccentricity * axis * Math.cos(angle) ** 3,
  );
  const bend = Math.sqrt(1 - eccentricity * Math.sin(latitude) ** 2);
  // The cosine alone is 0 at the poles.
  const height = across * Math.cos(latitude) + z * Math.sin(latitude) - axis * bend;
  if (!(height >= lowest && height <= highest)) return null;
  return [Math.atan2(y, x) / degree, latitude / degree];
}
