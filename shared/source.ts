import type { PhraseValue, Said } from '../strings/phrase.ts';
import type { AssetType } from './assets.ts';
import type { DegreeGroup } from './degrees.ts';
import type { FindingGroup } from './findings.ts';

/** The presumed kind of data, from file names and headers. */
export interface Suggestion {
  /** Common name of the kind, for example "CityGML". */
  readonly kind: Said;
  readonly assetType: AssetType;
  readonly sourceType: string;
  /** For example "34 .gml files". */
  readonly reason: PhraseValue;
}

/**
 * Why dropped files become no asset: documents and films; geodata that the service doesn't tile; pictures
 * without a position; notes that belong to several kinds; anything else.
 */
export type LeftOutReason = 'document' | 'foreign' | 'hidden' | 'picture' | 'note' | 'unknown';

/** Degrees east and north. */
export type LonLat = readonly [lon: number, lat: number];

/** Outline of a file's area. */
export interface Footprint {
  readonly key: string;
  /** Closed, clockwise; the longitude jumps at the date line. */
  readonly ring: readonly LonLat[];
}

/** Degrees. West exceeds east across the date line. */
export interface Extent {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Current results of the inspection. Their size doesn't grow with the number of files. */
export interface Seen {
  /** `stopped`: cancelled or out of time. */
  readonly state: 'looking' | 'done' | 'stopped';
  readonly looked: number;
  /** Files in formats that can be inspected. */
  readonly total: number;
  /** As named by files, most frequent first: `EPSG:25832 + EPSG:7837`. */
  readonly systems: readonly { readonly system: string; readonly count: number }[];
  /** Covers files with a known position. */
  readonly extent: Extent | null;
  readonly placed: number;
  /** Excludes files that turned out to hold no data. */
  readonly degrees: readonly DegreeGroup[];
  readonly findings: readonly FindingGroup[];
}

/** Inspection results of one of several assets. */
export interface AssetSeen extends Pick<Seen, 'systems' | 'degrees' | 'findings'> {
  readonly group: number;
  /** Files in formats that use a coordinate system. */
  readonly locatable: number;
}

/** Placeholder for a system without a name. */
export const unnamedSystem = 'unnamed';

const withHeights = ' + ';

/** Joins horizontal and vertical system as in `Seen.systems`. */
export const joinSystems = (system: string, vertical: string | null): string =>
  vertical === null ? system : `${system}${withHeights}${vertical}`;

/** The system for display; unnamed ones become a phrase. */
export function saidSystem(system: string): PhraseValue {
  const unnamed = { key: 'kinds.reason.unnamedSystem' } as const;
  if (system === unnamedSystem) return unnamed;
  const heights = { key: 'kinds.reason.unnamedHeights' } as const;
  const [unnamedPrefix, unnamedSuffix] = [unnamedSystem + withHeights, withHeights + unnamedSystem];
  const isUnnamed = system.startsWith(unnamedPrefix);
  const hasUnnamed = system.endsWith(unnamedSuffix);
  if (!isUnnamed && !hasUnnamed) return system;
  return {
    key: 'kinds.reason.withHeights',
    values: {
      system: isUnnamed ? unnamed : system.slice(0, -unnamedSuffix.length),
      heights: hasUnnamed ? heights : system.slice(unnamedPrefix.length),
    },
  };
}

/** Number of file centres per grid cell. */
export interface Density {
  /** Side of a cell, degrees. */
  readonly size: number;
  readonly cells: readonly (readonly [west: number, south: number, count: number])[];
}

/** Footprints packed for IPC: many small objects would block both processes. */
export interface PackedFootprints {
  readonly keys: readonly string[];
  readonly lengths: readonly number[];
  /** Longitude and latitude of all points of all rings. */
  readonly places: readonly number[];
}

/** Places of files if a coordinate system is assigned to them. */
export interface AssignedPlaces {
  readonly footprints: PackedFootprints;
  /** Number of files without coordinates, or with coordinates that the system can't convert. */
  readonly unplaced: number;
}

/** Larger sets are shown as a density. */
export const maxFootprints = 5_000;

export function packFootprints(footprints: readonly Footprint[]): PackedFootprints {
  return {
    keys: footprints.map(({ key }) => key),
    lengths: footprints.map(({ ring }) => ring.length),
    places: footprints.flatMap(({ ring }) => ring.flat()),
  };
}

export function unpackFootprints({ keys, lengths, places }: PackedFootprints): readonly Footprint[] {
  let offset = 0;
  return keys.map((key, index) => {
    const ring = Array.from({ length: lengths[index] ?? 0 }, (): LonLat => {
      offset += 2;
      return [places[offset - 2] ?? 0, places[offset - 1] ?? 0];
    });
    return { key, ring };
  });
}
