/** Names of coordinate systems as files write them, brought to what people call them. */

/** GeoTIFF 1.1, annex D; the keys that name a system. */
const geographicKey = 2048;
const projectedKey = 3072;
const projectionParameterKeys = [3074, 3075];
const userDefined = 32_767;

/** In words, where a file has a coordinate system that bears no number. */
export const unnamedSystem = 'a coordinate system of its own';

/**
 * What a GeoTIFF key directory (tag 34735, in LAS files the record of that number) says: `EPSG:25832`, or that there is one without a number. Null for none: a
 * directory may also hold nothing but how pixels are meant.
 */
export function systemOfGeoKeys(directory: readonly number[]): string | null {
  const values = new Map<number, number>();
  const count = directory[3] ?? 0;
  for (let at = 4; at + 3 < directory.length && at < 4 + count * 4; at += 4) {
    const [key = 0, location = 0, , value = 0] = directory.slice(at, at + 4);
    // Values elsewhere are parameters or names; that they are there is enough.
    values.set(key, location === 0 ? value : userDefined);
  }
  const numbered = [projectedKey, geographicKey]
    .map((key) => values.get(key) ?? 0)
    .find((value) => value >= 1024 && value < userDefined);
  // A projection of its own upon a numbered geographic system is not that system.
  const ownProjection = values.get(projectedKey) === userDefined;
  if (numbered !== undefined && !ownProjection) return `EPSG:${numbered}`;
  const own = ownProjection || values.get(geographicKey) === userDefined;
  return own || projectionParameterKeys.some((key) => values.has(key)) ? unnamedSystem : null;
}

/** What a well-known text says: `ETRS89 / UTM zone 32N`. Null for what is none, and for engineering systems, which lie nowhere on earth. */
export function systemOfWkt(text: string): string | null {
  const found =
    /^\s*(COMPD_CS|PROJCS|GEOGCS|GEOCCS|COMPOUNDCRS|PROJCRS|GEODCRS|GEOGCRS|BOUNDCRS)\s*[[(]\s*(?:"([^"]{1,200})")?/i.exec(
      text.replaceAll('\0', ' ').replace(/^\uFEFF/, ''),
    );
  return found ? (found[2] ?? unnamedSystem) : null;
}

/** What an `srsName` says: `EPSG:25832` of any of the spellings, else its last word. Null for none. */
export function systemOfSrsName(name: string): string | null {
  const epsg = /EPSG[:/]+(?:[\d.]*[:/])?(\d{4,6})/i.exec(name)?.[1];
  if (epsg) return `EPSG:${epsg}`;
  const last = name.trim().split(/[:/#]/).at(-1) ?? '';
  return last === '' ? null : last.slice(0, 100);
}
