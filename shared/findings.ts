import type { PhraseValue } from '../strings/phrase.ts';

/** Findings in source files: ids and values. Their texts are `findings.*` in the catalogue. */

/** From certain DATA_ERROR to good to know. No level ever blocks an upload. */
export const findingLevels = ['will-fail', 'may-disappoint', 'worth-knowing'] as const;
export type FindingLevel = (typeof findingLevels)[number];

interface FindingFacts {
  readonly level: FindingLevel;
  /**
   * Evidence: file bytes, the service's public guide, or likelihood. Only the first two justify `will-fail`.
   */
  readonly proof: 'bytes' | 'documented' | 'heuristic';
  /** Kinds of data concerned; absent for all. */
  readonly sourceTypes?: readonly string[];
  /** Concerns all files that become one asset together. */
  readonly ofWhole?: true;
  /** Its values are only examples: files with different values form one group. */
  readonly withExamples?: true;
}

const rasters = ['RASTER_IMAGERY', 'RASTER_TERRAIN'];
const placedTypes = [...rasters, 'POINT_CLOUD', 'CITYGML'];
const heights = ['RASTER_TERRAIN', 'POINT_CLOUD'];
const [imagery, terrain, points] = [['RASTER_IMAGERY'], ['RASTER_TERRAIN'], ['POINT_CLOUD']];
const models = ['3D_MODEL', '3D_CAPTURE', 'BIM_CAD'];
const misplaced = { level: 'may-disappoint', proof: 'heuristic', sourceTypes: placedTypes } as const;
const cityFinding = { level: 'worth-knowing', proof: 'bytes', sourceTypes: ['CITYGML'] } as const;
const referenceFinding = { level: 'may-disappoint', proof: 'bytes', withExamples: true } as const;
const pointFinding = { level: 'worth-knowing', proof: 'bytes', sourceTypes: points } as const;
const imageryFinding = { level: 'worth-knowing', proof: 'bytes', sourceTypes: imagery } as const;

/** service-facts.md, "File kinds": city models and rasters must carry a coordinate system. */
export const findingFacts = {
  empty: { level: 'will-fail', proof: 'bytes' },
  'cut-off': { level: 'will-fail', proof: 'bytes' },
  unfinished: { level: 'will-fail', proof: 'bytes' },
  'broken-json': { level: 'will-fail', proof: 'bytes' },
  'lfs-pointer': { level: 'will-fail', proof: 'bytes' },
  'web-page': { level: 'will-fail', proof: 'bytes' },
  'server-error': { level: 'will-fail', proof: 'bytes' },
  'wrong-format': { level: 'will-fail', proof: 'bytes' },
  'not-filled': { level: 'will-fail', proof: 'bytes' },
  'zip-damaged': { level: 'will-fail', proof: 'bytes' },
  'missing-volumes': { level: 'will-fail', proof: 'bytes' },
  /** Only in watched folders. */
  'rule-kind': { level: 'will-fail', proof: 'bytes', ofWhole: true },
  /** Only in watched folders; elsewhere degrees say more. */
  'not-read': { level: 'worth-knowing', proof: 'heuristic', ofWhole: true },
  'no-system-raster': { level: 'will-fail', proof: 'documented', sourceTypes: rasters },
  'no-system-city': { level: 'will-fail', proof: 'documented', sourceTypes: ['CITYGML'] },
  'kml-no-models': { level: 'will-fail', proof: 'documented', sourceTypes: ['KML'], ofWhole: true },
  'no-system-points': { level: 'may-disappoint', proof: 'heuristic', sourceTypes: ['POINT_CLOUD'] },
  'engineering-system': { level: 'may-disappoint', proof: 'bytes', sourceTypes: placedTypes },
  'planet-system': { level: 'may-disappoint', proof: 'bytes', sourceTypes: placedTypes },
  'contradicting-systems': { level: 'may-disappoint', proof: 'bytes', sourceTypes: rasters },
  'contradicting-unit': { level: 'may-disappoint', proof: 'bytes', sourceTypes: placedTypes },
  'swapped-axes': misplaced,
  'degrees-as-metres': misplaced,
  'metres-as-degrees': misplaced,
  millimetres: misplaced,
  'zone-prefix': misplaced,
  'no-zone-prefix': misplaced,
  feet: misplaced,
  'metres-as-feet': misplaced,
  'outside-area': misplaced,
  'terrain-of-colours': { level: 'may-disappoint', proof: 'heuristic', sourceTypes: terrain },
  'terrain-of-bytes': { level: 'may-disappoint', proof: 'heuristic', sourceTypes: terrain },
  'unnamed-fill': { level: 'may-disappoint', proof: 'heuristic', sourceTypes: terrain },
  'only-no-data': { level: 'may-disappoint', proof: 'heuristic', sourceTypes: rasters },
  'hardly-heights': { level: 'worth-knowing', proof: 'heuristic', sourceTypes: terrain },
  'imagery-of-heights': { level: 'may-disappoint', proof: 'heuristic', sourceTypes: imagery },
  'las-inverted': { level: 'may-disappoint', proof: 'bytes', sourceTypes: points },
  'las-overflow': { level: 'may-disappoint', proof: 'bytes', sourceTypes: points },
  'city-foreign': { ...cityFinding, level: 'may-disappoint', proof: 'heuristic' },
  'city-no-geometry': { ...cityFinding, level: 'may-disappoint' },
  'city-only-terrain': { ...cityFinding, level: 'may-disappoint', proof: 'heuristic' },
  'city-system-name': { ...cityFinding, level: 'may-disappoint', proof: 'heuristic' },
  'zip-backslash': { level: 'may-disappoint', proof: 'bytes' },
  'zip-encrypted': { level: 'may-disappoint', proof: 'bytes' },
  'zip-escaping': { level: 'may-disappoint', proof: 'bytes' },
  'zip-nested': { level: 'may-disappoint', proof: 'bytes' },
  'zip-methods': { level: 'may-disappoint', proof: 'bytes' },
  'missing-files': referenceFinding,
  'unfinished-download': { level: 'may-disappoint', proof: 'heuristic' },
  'bare-name-references': { ...referenceFinding, level: 'worth-knowing' },
  'absolute-references': referenceFinding,
  'other-case-references': referenceFinding,
  'backslash-references': referenceFinding,
  'coarse-coordinates': { level: 'may-disappoint', proof: 'bytes', sourceTypes: [...models, 'POINT_CLOUD'] },
  'large-coordinates': { level: 'worth-knowing', proof: 'heuristic', sourceTypes: models },
  'local-coordinates': { level: 'worth-knowing', proof: 'bytes', sourceTypes: models, ofWhole: true },
  'mixed-kinds': { level: 'worth-knowing', proof: 'heuristic', ofWhole: true },
  'mixed-systems': { level: 'worth-knowing', proof: 'bytes', ofWhole: true },
  'far-away': { level: 'worth-knowing', proof: 'heuristic', ofWhole: true },
  overlaps: { level: 'worth-knowing', proof: 'bytes', sourceTypes: rasters, ofWhole: true },
  gaps: { level: 'worth-knowing', proof: 'bytes', sourceTypes: rasters, ofWhole: true },
  'deprecated-system': { level: 'worth-knowing', proof: 'documented', sourceTypes: placedTypes },
  'geocentric-system': { level: 'worth-knowing', proof: 'bytes', sourceTypes: placedTypes },
  'no-place': { level: 'may-disappoint', proof: 'bytes', sourceTypes: rasters },
  'no-vertical': { level: 'worth-knowing', proof: 'bytes', sourceTypes: heights },
  'heights-in-feet': { level: 'worth-knowing', proof: 'bytes', sourceTypes: heights },
  palette: imageryFinding,
  'sixteen-bits': imageryFinding,
  'band-count': imageryFinding,
  'las-no-points': pointFinding,
  'las-no-offset': pointFinding,
  'las-no-colours': pointFinding,
  'las-unclassified': pointFinding,
  'unclear-axes': { ...cityFinding, proof: 'heuristic' },
  'city-version': cityFinding,
  'city-dtd': cityFinding,
  'city-lods': cityFinding,
  'city-no-appearance': cityFinding,
  'many-zeros': { level: 'worth-knowing', proof: 'heuristic' },
  'sparse-file': { level: 'worth-knowing', proof: 'heuristic' },
  'only-in-cloud': { level: 'worth-knowing', proof: 'heuristic' },
  'tileset-empty': { level: 'may-disappoint', proof: 'bytes', sourceTypes: ['3DTILES'] },
  'tileset-name': { level: 'worth-knowing', proof: 'documented', sourceTypes: ['3DTILES'], ofWhole: true },
  'ifc-no-place': { level: 'worth-knowing', proof: 'bytes', sourceTypes: ['BIM_CAD'] },
  splats: { level: 'worth-knowing', proof: 'bytes' },
  'unlisted-format': { level: 'worth-knowing', proof: 'documented' },
  'newly-listed-format': { level: 'worth-knowing', proof: 'documented' },
  'large-models': { level: 'worth-knowing', proof: 'documented' },
  'large-textures': {
    level: 'worth-knowing',
    proof: 'documented',
    sourceTypes: ['CITYGML', '3D_MODEL', 'BIM_CAD', 'KML'],
  },
  'large-asset': { level: 'worth-knowing', proof: 'documented', ofWhole: true },
  duplicates: { level: 'worth-knowing', proof: 'heuristic' },
  'photos-invalid-position': { level: 'may-disappoint', proof: 'bytes', sourceTypes: ['3D_CAPTURE'] },
  'photos-without-hemisphere': { level: 'worth-knowing', proof: 'bytes', sourceTypes: ['3D_CAPTURE'] },
  'photos-in-one-spot': {
    level: 'worth-knowing',
    proof: 'bytes',
    sourceTypes: ['3D_CAPTURE'],
    ofWhole: true,
  },
  'several-cameras': { level: 'worth-knowing', proof: 'bytes', sourceTypes: ['3D_CAPTURE'], ofWhole: true },
  'photos-days-apart': { level: 'worth-knowing', proof: 'bytes', sourceTypes: ['3D_CAPTURE'], ofWhole: true },
  'photos-without-position': { level: 'worth-knowing', proof: 'bytes', sourceTypes: ['3D_CAPTURE'] },
} as const satisfies Readonly<Record<string, FindingFacts>>;

export type FindingId = keyof typeof findingFacts;

export function factsOf(id: FindingId): FindingFacts {
  return findingFacts[id];
}

/** Whether a finding matters to these kinds of data; without kinds, only unrestricted findings do. */
export function mattersTo(id: FindingId, sourceTypes: readonly string[]): boolean {
  const { sourceTypes: ownSourceTypes } = factsOf(id);
  return !ownSourceTypes || ownSourceTypes.some((type) => sourceTypes.includes(type));
}

export interface Finding {
  readonly id: FindingId;
  /** Values of its text except the count. */
  readonly values?: Readonly<Record<string, PhraseValue>>;
}

/** A remedy that the user can choose; `source-changes.ts` stores the choice. */
export type Fix =
  /** `epsg`: from a sidecar that the service ignores, or most other files of the source. */
  | { readonly kind: 'assign'; readonly epsg?: number }
  /** `wkt`: from sidecars that the service ignores; `name`: the name in it. */
  | { readonly kind: 'assign-wkt'; readonly wkt: string; readonly name: string }
  | { readonly kind: 'leave-out' }
  /** `paths`: absolute, of neighbours of the dropped files. */
  | { readonly kind: 'take-along'; readonly paths: readonly string[] }
  | { readonly kind: 'switch'; readonly sourceType: string }
  /** `key`: the root of a tileset. */
  | { readonly kind: 'tileset-root'; readonly key: string }
  /** One of the option's choices. Only for kinds of data that have the option. */
  | { readonly kind: 'option'; readonly option: 'heightReference' }
  /** Creates one asset per kind of data or coordinate system. */
  | { readonly kind: 'split' }
  /** Degrees; metres above the ellipsoid. */
  | {
      readonly kind: 'position';
      readonly longitude: number;
      readonly latitude: number;
      readonly height: number;
    };

/** One finding with all files that show it. */
export interface FindingGroup extends Finding {
  /** Among inspected files. */
  readonly count: number;
  /** For files with the same extensions. */
  readonly looked: number;
  readonly total: number;
  /** Sorted and capped. */
  readonly keys: readonly string[];
  readonly fix?: Fix;
  /** Files in archives can't be excluded or assigned a system. */
  readonly inArchives?: true;
}

/** A group without file counts. */
export type WholeFinding = Omit<FindingGroup, 'looked' | 'total'>;
