import type { LonLat } from '../../../../shared/source.ts';

/** A photo's position. */
export interface PhotoPosition {
  /** Rounded to a metre; absent if missing or invalid. */
  readonly position?: LonLat;
  /** Why there is no position; `no-hemisphere`: the position assumes the hemispheres. */
  readonly positionFault?: 'zero' | 'outside' | 'void' | 'no-hemisphere';
}

/** @param hasHemispheres whether letters (N, S, E, W) or signs state the hemispheres */
export function positionAt(latitude: number, longitude: number, hasHemispheres = true): PhotoPosition {
  const [lon, lat] = [longitude, latitude].map((degrees) => Number(degrees.toFixed(5)));
  if (lon === undefined || lat === undefined || Number.isNaN(lon + lat)) return {};
  // Cameras without a fix write 0/0, in the Gulf of Guinea.
  if (lon === 0 && lat === 0) return { positionFault: 'zero' };
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return { positionFault: 'outside' };
  return { position: [lon, lat], ...(!hasHemispheres && { positionFault: 'no-hemisphere' }) };
}

/** DJI also misspells one of its own. */
const properties = [
  ['exif:GPSLatitude', 'exif:GPSLongitude'],
  ['drone-dji:GpsLatitude', 'drone-dji:GpsLongitude'],
  ['drone-dji:GpsLatitude', 'drone-dji:GpsLongtitude'],
] as const;
const valuePattern = /^\s{0,9}(?:=\s{0,9}["']|>)([^"'<]{1,60})/;

function propertyValue(packet: string, name: string): string {
  const nameOffset = packet.indexOf(name);
  return nameOffset < 0
    ? ''
    : (valuePattern.exec(packet.slice(nameOffset + name.length, nameOffset + name.length + 100))?.[1] ?? '');
}

/** Reads an XMP packet or its beginning. */
export function positionInXmp(packet: string): PhotoPosition {
  for (const propertyPair of properties) {
    const [latitude, longitude] = propertyPair.map((property) =>
      parseDegrees(propertyValue(packet, property)),
    );
    if (latitude !== undefined && longitude !== undefined) return positionAt(latitude, longitude);
  }
  return {};
}

/** `+51.35`, `51,21.0N`, `51,21,0N`. */
function parseDegrees(angleText: string): number | undefined {
  const angleParts =
    /^([+-]?)(\d{1,3}(?:\.\d+)?)(?:,(\d{1,2}(?:\.\d+)?))?(?:,(\d{1,2}(?:\.\d+)?))?([NESW]?)$/i.exec(
      angleText.trim(),
    );
  if (!angleParts) return undefined;
  const [, sign, wholeDegrees, minutes = 0, seconds = 0, hemisphere = ''] = angleParts;
  const degrees = Number(wholeDegrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  return sign === '-' || /[SW]/i.test(hemisphere) ? -degrees : degrees;
}
