import { type FileBytes, PastEndError } from '../base/file-bytes.ts';
import { type Opened, unrecognizedFile } from '../base/format.ts';
import { cornersOfTransform, type NamedSystem, noSystem } from '../systems/coordinate-system.ts';
import { definitionOf, utm } from '../systems/projection.ts';
import type { PlainRaster } from './grids.ts';

/** Record A of a USGS DEM ("Standards for Digital Elevation Models", part 2). */
export interface DemHead extends PlainRaster {
  readonly kind: 'dem';
}

/** Offsets. */
const fields = {
  level: 150,
  system: 156,
  zone: 162,
  unit: 528,
  heights: 534,
  corners: 546,
  sizes: 816,
  profiles: 858,
  datum: 890,
};
/** Record A was shorter before 1988. */
const [shortRecord, usualRecord, oddRecord] = [864, 1_024, 893];
/** Bytes of record A and the first profile. */
const probeLength = 1_024 + 144;
const [degrees, utmSystem, statePlane] = [0, 1, 2];
const feet = 1;
const surveyFoot = 1_200 / 3_937;
/** EPSG codes of the geographic system and of UTM zone 0, north and south, by datum number. */
const datums: Readonly<Record<number, readonly [geographic: number, north: number, south: number]>> = {
  1: [4267, 26_700, 0],
  2: [4322, 32_200, 32_300],
  3: [4326, 32_600, 32_700],
  4: [4269, 26_900, 0],
};
const [nad27, nad83] = [1, 4];

/** Reads like GDAL, which rejects other `.dem` files. */
export async function readUsgsDem(file: FileBytes): Promise<Opened<DemHead>> {
  const record = (await file.readStart(probeLength)).toString('latin1');
  const wholeAt = (offset: number, length = 6) => parseWhole(record.slice(offset, offset + length));
  const doubleAt = (offset: number, length = 24) => parseDouble(record.slice(offset, offset + length));
  const system = wholeAt(fields.system);
  const isDem = [1, 4].includes(wholeAt(fields.level)) && [0, 1, 2, 3, -9999].includes(system);
  if (!isDem) return unrecognizedFile;
  if (record.length < shortRecord + 144) throw new PastEndError();
  const profileOffset = findProfile(wholeAt);
  if (profileOffset === null) return unrecognizedFile;
  const [width, height, step] = [0, 12, 24].map((offset) => doubleAt(fields.sizes + offset, 12));
  const profiles = wholeAt(fields.profiles);
  const corners = cornersIn(doubleAt, {
    system,
    width,
    height,
    profiles,
    start: doubleAt(profileOffset + 24),
  });
  const isFloat = wholeAt(fields.heights) === feet || (step ?? 1) < 1;
  return {
    head: {
      ...{
        kind: 'dem',
        bands: 1,
        palette: false,
        bits: isFloat ? 32 : 16,
        sample: isFloat ? 'float' : 'signed',
      },
      ...systemIn(
        system,
        wholeAt(fields.zone),
        profileOffset === shortRecord ? nad27 : wholeAt(fields.datum, 2),
        wholeAt(fields.unit),
      ),
      ...(wholeAt(fields.heights) === feet && { heights: 'feet' as const }),
      noData: -32_767,
      corners,
    },
    end: () => {
      // A profile has a header of 144 bytes, then six bytes per cell.
      file.requireRange(profileOffset, profiles > 0 ? profiles * 144 : 0);
      return null;
    },
  };
}

function findProfile(wholeAt: (offset: number) => number): number | null {
  if (wholeAt(shortRecord) === 1 && wholeAt(shortRecord + 6) === 1) return shortRecord;
  const isProfile = (offset: number) => wholeAt(offset) === 1 && [0, 1].includes(wholeAt(offset + 6));
  return [usualRecord, oddRecord].find(isProfile) ?? null;
}

interface Grid {
  readonly system: number;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly profiles: number;
  readonly start: number;
}

/**
 * In metres, pixels start at the first profile, at multiples of the cell size; in degrees, at the sheet's
 * corners.
 */
function cornersIn(
  doubleAt: (offset: number) => number,
  { system, width = Number.NaN, height = Number.NaN, profiles, start }: Grid,
) {
  const corners = [0, 1, 2, 3].map((corner) =>
    [0, 24].map((offset) => doubleAt(fields.corners + corner * 48 + offset)),
  );
  const [
    [west1 = 0, south1 = 0] = [],
    [west2 = 0, north1 = 0] = [],
    [, north2 = 0] = [],
    [, south2 = 0] = [],
  ] = corners;
  const [south, north] = [Math.min(south1, south2), Math.max(north1, north2)];
  if (!(width > 0 && height > 0 && profiles > 0)) return null;
  const isPlane = system !== degrees && system !== 3;
  const [southEdge, northEdge] = isPlane
    ? [Math.floor(south / height) * height, Math.ceil(north / height) * height]
    : [south, north];
  const rows = Math.trunc((northEdge - southEdge) / height + 1.5);
  const west = isPlane ? start : Math.min(west1, west2);
  const scale = isPlane ? 1 : 3_600;
  const transform = [width, 0, west - width / 2, 0, -height, northEdge + height / 2].map(
    (value) => value / scale,
  );
  return cornersOfTransform(transform, profiles, rows);
}

function systemIn(system: number, zone: number, datum: number, unit: number): NamedSystem {
  const number = datum in datums ? datum : nad27;
  const [geographic = 0, north = 0, south = 0] = datums[datum === -9 ? nad83 : number] ?? [];
  if (system === degrees) return { system: `EPSG:${geographic}`, vertical: null };
  if (system === utmSystem && zone !== 0 && Math.abs(zone) <= 60) {
    const base = zone < 0 ? south : north;
    if (unit !== feet && base > 0) return { system: `EPSG:${base + Math.abs(zone)}`, vertical: null };
    const earth = { code: geographic, semiMajor: null, inverseFlattening: null, toWgs84: [], meridian: 0 };
    const definition = definitionOf(utm(Math.abs(zone), zone < 0, unit === feet ? surveyFoot : 1), earth);
    return { system: `UTM ${zone}`, vertical: null, ...(definition !== null && { definition }) };
  }
  // Zone numbers aren't EPSG's, so the system is named but not placed.
  return system === statePlane ? { system: `State Plane ${zone}`, vertical: null } : noSystem;
}

const parseWhole = (text: string): number => (/^\s*[-+]?\d+\s*$/.test(text) ? Number(text) : Number.NaN);
/** Fortran's notation. */
const parseDouble = (text: string): number =>
  text.trim() === '' ? Number.NaN : Number(text.trim().replace(/d/i, 'e'));
