import { type AssetType, tiledTypes } from './assets.ts';

/** How data of a kind usually arrives in a watched folder. */
interface UsualDelivery {
  readonly unit: 'files' | 'entries';
  /** Extensions that start an asset; default: those of the kind. */
  readonly extensions?: readonly string[];
  readonly namePattern?: string;
}

interface KindFacts {
  readonly assetType: AssetType;
  /** Identifying extensions without the dot; may be empty. */
  readonly extensions: readonly string[];
  /** Typical files for people; empty if none is typical. */
  readonly examples: string;
  readonly delivery: UsualDelivery;
  /** Clamping to a terrain makes sense; meshes and points of a survey stay where they were measured. */
  readonly standsOnGround?: true;
  /** Accepts `baseTerrainId` without clamping: a local terrain extends a global one. */
  readonly hasBaseTerrain?: true;
  /** `options.sourceType` of the request, if another kind has the same. */
  readonly requestedAs?: string;
}

/** Kinds in the order of the form (service-facts.md, "sourceType values", "File kinds"). */
const facts = {
  CITYGML: {
    ...{ assetType: '3DTILES', extensions: ['gml', 'citygml'], examples: '.gml .xml' },
    ...{ delivery: { unit: 'entries' }, standsOnGround: true },
  },
  '3D_CAPTURE': {
    ...{ assetType: '3DTILES', extensions: [], examples: '' },
    delivery: { unit: 'entries', extensions: ['obj', 'zip'] },
  },
  POINT_CLOUD: {
    ...{ assetType: '3DTILES', extensions: ['las', 'laz'], examples: '.las .laz' },
    delivery: { unit: 'files' },
  },
  '3D_MODEL': {
    ...{
      assetType: '3DTILES',
      extensions: ['obj', 'gltf', 'glb', 'fbx', 'dae'],
      examples: '.gltf .obj .fbx',
    },
    ...{ delivery: { unit: 'entries' }, standsOnGround: true },
  },
  BIM_CAD: {
    ...{ assetType: '3DTILES', extensions: ['ifc', 'ifczip', 'rvt', 'dwg'], examples: '.ifc' },
    ...{ delivery: { unit: 'files', extensions: ['ifc'] }, standsOnGround: true },
  },
  KML: {
    ...{ assetType: '3DTILES', extensions: ['kml', 'kmz'], examples: '.kml .kmz' },
    ...{ delivery: { unit: 'files' }, standsOnGround: true, hasBaseTerrain: true },
  },
  '3DTILES': {
    ...{ assetType: '3DTILES', extensions: [], examples: 'tileset.json' },
    delivery: { unit: 'entries', extensions: ['zip'] },
  },
  // TIFF files may also hold heights, which only headers show.
  RASTER_IMAGERY: {
    ...{ assetType: 'IMAGERY', extensions: ['tif', 'tiff', 'img', 'src'], examples: '.tif .jpg .png' },
    delivery: { unit: 'entries', extensions: ['tif', 'tiff', 'img'], namePattern: '{name} {date}' },
  },
  RASTER_TERRAIN: {
    ...{ assetType: 'TERRAIN', extensions: ['asc', 'dem', 'flt'], examples: '.tif .asc .dem' },
    delivery: { unit: 'entries', extensions: ['tif', 'tiff', 'asc', 'dem', 'flt'] },
    hasBaseTerrain: true,
  },
  TERRAIN_DATABASE: {
    ...{ assetType: 'TERRAIN', extensions: ['terraindb'], examples: '.terraindb' },
    delivery: { unit: 'files' },
  },
  GEOJSON: {
    ...{ assetType: 'GEOJSON', extensions: ['geojson', 'topojson'], examples: '.geojson' },
    delivery: { unit: 'files' },
  },
  CZML: { ...{ assetType: 'CZML', extensions: ['czml'], examples: '.czml' }, delivery: { unit: 'files' } },
  // Lines, polygons and points, which KML of models doesn't have.
  KML_FEATURES: {
    ...{ assetType: 'KML', requestedAs: 'KML', extensions: [], examples: '.kml .kmz' },
    delivery: { unit: 'files', extensions: ['kml', 'kmz'] },
  },
  GLTF: {
    ...{ assetType: 'GLTF', extensions: [], examples: '.glb .gltf' },
    delivery: { unit: 'entries', extensions: ['glb', 'gltf'] },
  },
} as const satisfies Readonly<Record<string, KindFacts>>;

export type KnownSourceType = keyof typeof facts;

/** A kind of data that the service tiles. */
export interface Kind extends KindFacts {
  readonly sourceType: KnownSourceType;
}

/** Kinds, in the order of the form. */
export const kinds: readonly Kind[] = (Object.keys(facts) as KnownSourceType[]).map(kindOf);

export function kindOf(sourceType: KnownSourceType): Kind {
  return { sourceType, ...facts[sourceType] };
}

/** Undefined for an unknown source type. */
export function findKind(sourceType: string): Kind | undefined {
  return kinds.find((kind) => kind.sourceType === sourceType);
}

/** Whether the service tiles a kind, or serves its single file unchanged. */
export const isTiled = ({ assetType }: Kind): boolean => tiledTypes.some((type) => type === assetType);

/** Whether a kind is offered for files with these extensions. All tiled kinds are. */
export function isOfferedFor(kind: Kind, presentTypes: readonly string[]): boolean {
  const fittingExtensions = kind.delivery.extensions ?? kind.extensions;
  return isTiled(kind) || fittingExtensions.some((extension) => presentTypes.includes(extension));
}

/**
 * Resolves a user's word: a source type, or an asset type for all its source types. Ignores case; `-` counts
 * as `_`. Null if unknown.
 */
export function sourceTypesCalled(word: string): readonly KnownSourceType[] | null {
  const name = word.trim().toUpperCase().replaceAll('-', '_');
  const matches = kinds.filter(({ assetType, sourceType }) => assetType === name || sourceType === name);
  return matches.length > 0 ? matches.map(({ sourceType }) => sourceType) : null;
}

/** The known source type that an unknown one probably misspells. */
export function intendedSourceType(sourceType: string): KnownSourceType | undefined {
  if (findKind(sourceType)) return undefined;
  return kinds.find((kind) => isNearly(sourceType.toUpperCase(), kind.sourceType))?.sourceType;
}

/** An edit distance of at most one letter in four, and at most two. Swapped neighbours count as one. */
function isNearly(text: string, word: string): boolean {
  const rows = [Array.from({ length: word.length + 1 }, (_, column) => column)];
  const distanceAt = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= text.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= word.length; column++) {
      const isSwap = text[row - 1] === word[column - 2] && text[row - 2] === word[column - 1];
      rows[row]?.push(
        Math.min(
          distanceAt(row, column - 1) + 1,
          distanceAt(row - 1, column) + 1,
          distanceAt(row - 1, column - 1) + Number(text[row - 1] !== word[column - 1]),
          isSwap ? distanceAt(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return distanceAt(text.length, word.length) <= Math.min(2, Math.max(1, Math.floor(word.length / 4)));
}

/** Whether source and asset type go together. The service only restricts city models (contract 2.2). */
export function fitsAssetType(sourceType: string, assetType: string): boolean {
  return sourceType.trim() !== 'CITYGML' || assetType === '3DTILES';
}
