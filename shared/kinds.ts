import { type AssetType, mayBeClamped } from './assets.ts';

/**
 * A kind of data that the service tiles (service facts, "sourceType values", "File kinds", "Options seen").
 */

export interface Kind {
  readonly assetType: AssetType;
  readonly sourceType: KnownSourceType;
  /** Identifying extensions without the dot; may be empty. */
  readonly extensions: readonly string[];
}

const knownSourceTypes = [
  'CITYGML',
  '3D_CAPTURE',
  'POINT_CLOUD',
  '3D_MODEL',
  'BIM_CAD',
  'KML',
  '3DTILES',
  'RASTER_IMAGERY',
  'RASTER_TERRAIN',
  'TERRAIN_DATABASE',
] as const;
export type KnownSourceType = (typeof knownSourceTypes)[number];

const facts: Readonly<Record<KnownSourceType, Omit<Kind, 'sourceType'>>> = {
  CITYGML: { assetType: '3DTILES', extensions: ['gml', 'citygml'] },
  '3D_CAPTURE': { assetType: '3DTILES', extensions: [] },
  POINT_CLOUD: { assetType: '3DTILES', extensions: ['las', 'laz'] },
  '3D_MODEL': { assetType: '3DTILES', extensions: ['obj', 'gltf', 'glb', 'fbx', 'dae'] },
  BIM_CAD: { assetType: '3DTILES', extensions: ['ifc', 'ifczip', 'rvt', 'dwg'] },
  KML: { assetType: '3DTILES', extensions: ['kml', 'kmz'] },
  '3DTILES': { assetType: '3DTILES', extensions: [] },
  // TIFF files may also hold heights, which only headers show.
  RASTER_IMAGERY: { assetType: 'IMAGERY', extensions: ['tif', 'tiff', 'img', 'src'] },
  RASTER_TERRAIN: { assetType: 'TERRAIN', extensions: ['asc', 'dem', 'flt'] },
  TERRAIN_DATABASE: { assetType: 'TERRAIN', extensions: ['terraindb'] },
};

/** In the order in which they are offered. */
export const kinds: readonly Kind[] = knownSourceTypes.map((sourceType) => kindOf(sourceType));

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

/** Tiling options that only apply to some kinds. The service documents no list. */
export const optionNames = [
  'inputCrs',
  'textureFormat',
  'geometryCompression',
  'instancing',
  'position',
] as const;
export type OptionName = (typeof optionNames)[number];

const kindsWithOption: Readonly<Record<OptionName, readonly string[]>> = {
  inputCrs: [
    ...['POINT_CLOUD', '3D_CAPTURE', '3D_MODEL', 'BIM_CAD'],
    ...['RASTER_IMAGERY', 'RASTER_TERRAIN'],
  ],
  textureFormat: ['CITYGML', '3D_CAPTURE', '3D_MODEL', 'BIM_CAD', 'KML'],
  geometryCompression: ['CITYGML', '3D_CAPTURE', '3D_MODEL', 'BIM_CAD', 'KML'],
  instancing: ['3D_MODEL', 'BIM_CAD'],
  position: ['3D_CAPTURE', '3D_MODEL', 'BIM_CAD'],
};

/** Whether an option applies to a kind; unlisted options apply to all. */
export function hasOption(sourceType: string, option: string): boolean {
  const listed = optionNames.find((name) => name === option);
  return listed === undefined || kindsWithOption[listed].includes(sourceType);
}

/**
 * Like `hasOption`, for an option set for several kinds at once. Rasters mostly name their own system, which
 * an option for a point cloud must not contradict.
 */
export function sharesOption(sourceType: string, option: string): boolean {
  const isRaster = sourceType === 'RASTER_IMAGERY' || sourceType === 'RASTER_TERRAIN';
  return hasOption(sourceType, option) && !(isRaster && option === 'inputCrs');
}

/** Whether only the `position` option can place such data. Photos and building models may carry their own. */
export const hasNoPlaceOfItsOwn = (sourceType: string): boolean =>
  sourceType === '3D_MODEL' && hasOption(sourceType, 'position');

/** Kinds that stand on the ground; meshes and points of a survey stay where they were measured. */
const standing: readonly string[] = ['CITYGML', '3D_MODEL', 'BIM_CAD', 'KML'];

/** Whether clamping to a terrain makes sense; unknown source types are allowed. */
export function canStandOnTerrain(assetType: AssetType | null, sourceType: string): boolean {
  const kind = sourceType.trim();
  return mayBeClamped(assetType) && (standing.includes(kind) || findKind(kind) === undefined);
}
