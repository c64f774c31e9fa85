import type { PhraseValue, Said } from '../strings/phrase.ts';
import type { AssetType } from './assets.ts';
import type { DegreeGroup } from './degrees.ts';
import type { FindingGroup } from './findings.ts';

/** What can be told of a source from its names and heads. */

/** A guess at what the data is, from the names and heads of its files. */
export interface Suggestion {
  /** The kind of data in the words of the field, for example "CityGML". */
  readonly kind: Said;
  readonly assetType: AssetType;
  readonly sourceType: string;
  /** Why, in words: "34 .gml files". */
  readonly reason: PhraseValue;
}

/**
 * Why files of a drop become no asset: documents and films; geodata that the service does not tile; pictures
 * without a place; notes that belong to data of several kinds; anything else.
 */
export type LeftOutReason = 'document' | 'foreign' | 'picture' | 'note' | 'unknown';

/** Degrees: east of Greenwich, north of the equator. */
export type LonLat = readonly [lon: number, lat: number];

/** Where a file is. */
export interface Footprint {
  readonly key: string;
  /** Its outline: closed, clockwise. At the date line the longitude jumps. */
  readonly ring: readonly LonLat[];
}

/** West is more than east where it crosses the date line. Degrees. */
export interface Extent {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/**
 * What was seen of a source so far, by looking into its files one after the other. Its size does not grow
 * with theirs.
 */
export interface Seen {
  /** `stopped`: somebody ended it, or its time was over. */
  readonly state: 'looking' | 'done' | 'stopped';
  readonly looked: number;
  /** Files that hold data of a format of which something can be told. */
  readonly total: number;
  /** As files name them, the commonest first: `EPSG:25832 + EPSG:7837`. */
  readonly systems: readonly { readonly system: string; readonly count: number }[];
  /** Of the files whose place is known. */
  readonly extent: Extent | null;
  readonly placed: number;
  /** How thoroughly data files were checked; those that turned out to hold no data are in none. */
  readonly degrees: readonly DegreeGroup[];
  readonly findings: readonly FindingGroup[];
}

/** What was seen so far of the files of one of several assets. */
export interface AssetSeen extends Pick<Seen, 'systems' | 'degrees' | 'findings'> {
  /** The number of the asset. */
  readonly group: number;
  /** Files that can name a coordinate system: those that are placed by one. */
  readonly locatable: number;
}

/** Stands for the name of a system that has none. */
export const unnamedSystem = 'unnamed';

const withHeights = ' + ';

/** As `Seen.systems` names it: `EPSG:25832 + EPSG:7837`. */
export const joinSystems = (system: string, vertical: string | null): string =>
  vertical === null ? system : `${system}${withHeights}${vertical}`;

/** The same for people: one without a name is said in words. */
export function saidSystem(system: string): PhraseValue {
  const unnamed = { key: 'kinds.reason.unnamedSystem' } as const;
  if (system === unnamedSystem) return unnamed;
  const heights = { key: 'kinds.reason.unnamedHeights' } as const;
  const [first, last] = [unnamedSystem + withHeights, withHeights + unnamedSystem];
  const isUnnamed = system.startsWith(first);
  const hasUnnamed = system.endsWith(last);
  if (!isUnnamed && !hasUnnamed) return system;
  return {
    key: 'kinds.reason.withHeights',
    values: {
      system: isUnnamed ? unnamed : system.slice(0, -last.length),
      heights: hasUnnamed ? heights : system.slice(first.length),
    },
  };
}

/** Where many files lie: how many have their middle in each cell of a grid. */
export interface Density {
  /** Of a cell's sides, degrees. */
  readonly size: number;
  /** West, south and count of each cell. */
  readonly cells: readonly (readonly [west: number, south: number, count: number])[];
}

/** Footprints on their way between processes: as many objects would hold both up. */
export interface PackedFootprints {
  readonly keys: readonly string[];
  /** Points of each ring. */
  readonly lengths: readonly number[];
  /** Longitude and latitude of each point of all rings. */
  readonly places: readonly number[];
}

/** More footprints than these become a density. */
export const maxFootprints = 5_000;

export function packFootprints(footprints: readonly Footprint[]): PackedFootprints {
  return {
    keys: footprints.map(({ key }) => key),
    lengths: footprints.map(({ ring }) => ring.length),
    places: footprints.flatMap(({ ring }) => ring.flat()),
  };
}

export function unpackFootprints({ keys, lengths, places }: PackedFootprints): readonly Footprint[] {
  let at = 0;
  return keys.map((key, index) => {
    const ring = Array.from({ length: lengths[index] ?? 0 }, (): LonLat => {
      at += 2;
      return [places[at - 2] ?? 0, places[at - 1] ?? 0];
    });
    return { key, ring };
  });
}
