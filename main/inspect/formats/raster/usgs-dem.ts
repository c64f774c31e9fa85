import { type FileBytes, PastEnd } from '../base/file-bytes.ts';
import { type Opened, somethingElse } from '../base/format.ts';
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
const reach = 1_024 + 144;
const [degrees, ofUtm, statePlane] = [0, 1, 2];
const feet = 1;
const foot = 1_200 / 3_937;
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
  const record = (await file.first(reach)).toString('latin1');
  const whole = (at: number, length = 6) => wholeIn(record.slice(at, at + length));
  const double = (at: number, length = 24) => doubleIn(record.slice(at, at + length));
  const system = whole(fields.system);
  const isDem = [1, 4].includes(whole(fields.level)) && [0, 1, 2, 3, -9999].includes(system);
  if (!isDem) return somethingElse;
  if (record.length < shortRecord + 144) throw new PastEnd();
  const begin = beginOf(whole);
  if (begin === null) return somethingElse;
  const [width, height, step] = [0, 12, 24].map((at) => double(fields.sizes + at, 12));
  const profiles = whole(fields.profiles);
  const place = placeIn(double, { system, width, height, profiles, start: double(begin + 24) });
  const isFloat = whole(fields.heights) === feet || (step ?? 1) < 1;
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
        whole(fields.zone),
        begin === shortRecord ? nad27 : whole(fields.datum, 2),
        whole(fields.unit),
      ),
      ...(whole(fields.heights) === feet && { heights: 'feet' as const }),
      noData: -32_767,
      corners: place,
    },
    end: () => {
      // A profile has a header of 144 bytes, then six bytes per cell.
      file.need(begin, profiles > 0 ? profiles * 144 : 0);
      return null;
    },
  };
}

function beginOf(whole: (at: number) => number): number | null {
  if (whole(shortRecord) === 1 && whole(shortRecord + 6) === 1) return shortRecord;
  const isProfile = (at: number) => whole(at) === 1 && [0, 1].includes(whole(at + 6));
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
function placeIn(
  double: (at: number) => number,
  { system, width = Number.NaN, height = Number.NaN, profiles, start }: Grid,
) {
  const corners = [0, 1, 2, 3].map((corner) =>
    [0, 24].map((at) => double(fields.corners + corner * 48 + at)),
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
  const [low, high] = isPlane
    ? [Math.floor(south / height) * height, Math.ceil(north / height) * height]
    : [south, north];
  const rows = Math.trunc((high - low) / height + 1.5);
  const west = isPlane ? start : Math.min(west1, west2);
  const scale = isPlane ? 1 : 3_600;
  const transform = [width, 0, west - width / 2, 0, -height, high + height / 2].map((value) => value / scale);
  return cornersOfTransform(transform, profiles, rows);
}

function systemIn(system: number, zone: number, datum: number, unit: number): NamedSystem {
  const number = datum in datums ? datum : nad27;
  const [geographic = 0, north = 0, south = 0] = datums[datum === -9 ? nad83 : number] ?? [];
  if (system === degrees) return { system: `EPSG:${geographic}`, vertical: null };
  if (system === ofUtm && zone !== 0 && Math.abs(zone) <= 60) {
    const base = zone < 0 ? south : north;
    if (unit !== feet && base > 0) return { system: `EPSG:${base + Math.abs(zone)}`, vertical: null };
    const earth = { code: geographic, semiMajor: null, inverseFlattening: null, toWgs84: [], meridian: 0 };
    const definition = definitionOf(utm(Math.abs(zone), zone < 0, unit === feet ? foot : 1), earth);
    return { system: `UTM ${zone}`, vertical: null, ...(definition !== null && { definition }) };
  }
  // Zone numbers aren't EPSG's, so the system is named but not placed.
  return system === statePlane ? { system: `State Plane ${zone}`, vertical: null } : noSystem;
}

const wholeIn = (text: string): number => (/^\s*[-+]?\d+\s*$/.test(text) ? Number(text) : Number.NaN);
/** Fortran's notation. */
const doubleIn = (text: string): number =>
  text.trim() === '' ? Number.NaN : Number(text.trim().replace(/d/i, 'e'));
