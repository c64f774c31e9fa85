import type { AssetType } from './assets.ts';

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
  /** Accepts `baseTerrainId` without clamping: a local terrain lies on a global one. */
  readonly hasBaseTerrain?: true;
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

/**
 * Resolves a user's word: a source type, or an asset type for all its source types. Ignores case; `-` counts
 * as `_`. Null if unknown.
 */
export function sourceTypesCalled(word: string): readonly KnownSourceType[] | null {
  const name = word.trim().toUpperCase().replaceAll('-', '_');
  const ofAssetType = kinds.filter(({ assetType }) => assetType === name);
  const matches =
    ofAssetType.length > 0 ? ofAssetType : kinds.filter(({ sourceType }) => sourceType === name);
  return matches.length > 0 ? matches.map(({ sourceType }) => sourceType) : null;
}

/** Whether source and asset type go together. The service only restricts city models (contract 2.2). */
export function fitsAssetType(sourceType: string, assetType: AssetType): boolean {
  return sourceType.trim() !== 'CITYGML' || assetType === '3DTILES';
}
