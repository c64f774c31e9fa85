import { type AssetType, mayBeClamped } from './assets.ts';

/**
 * The kinds of data that the service tiles (service facts, "sourceType values", "File kinds", "Options
 * seen").
 */

export interface Kind {
  readonly assetType: AssetType;
  readonly sourceType: KnownSourceType;
  /** By which its files are recognised, without the dot; none where it has none of its own. */
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
  // Heights are in TIFF files, too: their heads tell.
  RASTER_IMAGERY: { assetType: 'IMAGERY', extensions: ['tif', 'tiff', 'img', 'src'] },
  RASTER_TERRAIN: { assetType: 'TERRAIN', extensions: ['asc', 'dem', 'flt'] },
  TERRAIN_DATABASE: { assetType: 'TERRAIN', extensions: ['terraindb'] },
};

/** In the order in which a person is offered them. */
export const kinds: readonly Kind[] = knownSourceTypes.map((sourceType) => kindOf(sourceType));

export function kindOf(sourceType: KnownSourceType): Kind {
  return { sourceType, ...facts[sourceType] };
}

/** Undefined for a source type that nobody named. */
export function findKind(sourceType: string): Kind | undefined {
  return kinds.find((kind) => kind.sourceType === sourceType);
}

/**
 * What a person may call a kind of data: a source type, or an asset type, which stands for all that can
 * become it. In any case, with `-` for `_`. Null for what nobody knows.
 */
export function sourceTypesCalled(word: string): readonly KnownSourceType[] | null {
  const name = word.trim().toUpperCase().replaceAll('-', '_');
  const ofAssetType = kinds.filter(({ assetType }) => assetType === name);
  const found = ofAssetType.length > 0 ? ofAssetType : kinds.filter(({ sourceType }) => sourceType === name);
  return found.length > 0 ? found.map(({ sourceType }) => sourceType) : null;
}

/**
 * Whether the service makes such an asset of such data: of city models it refuses all but one type (contract
 * 2.2), of all else it says nothing.
 */
export function fitsAssetType(sourceType: string, assetType: AssetType): boolean {
  return sourceType.trim() !== 'CITYGML' || assetType === '3DTILES';
}

/** Options of the tiling that mean something for some kinds only. The service documents no list. */
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

/** Whether an option means something for a kind; any that is not listed goes with every kind. */
export function hasOption(sourceType: string, option: string): boolean {
  const listed = optionNames.find((name) => name === option);
  return listed === undefined || kindsWithOption[listed].includes(sourceType);
}

/**
 * Likewise of an option that was set for data of several kinds at once: most rasters name their system
 * themselves, and one that was meant for a point cloud beside them must not contradict it.
 */
export function sharesOption(sourceType: string, option: string): boolean {
  const isRaster = sourceType === 'RASTER_IMAGERY' || sourceType === 'RASTER_TERRAIN';
  return hasOption(sourceType, option) && !(isRaster && option === 'inputCrs');
}

/**
 * Files of models count from a point of their own; photos name a position, building models a site, which may
 * be there without being read here.
 */
export const hasNoPlaceOfItsOwn = (sourceType: string): boolean =>
  sourceType === '3D_MODEL' && hasOption(sourceType, 'position');

/** What stands on the ground as buildings do; meshes and points of a survey are where they were measured. */
const standing: readonly string[] = ['CITYGML', '3D_MODEL', 'BIM_CAD', 'KML'];

/** Whether clamping to a terrain makes sense: of a source type that nobody named nothing is known. */
export function canStandOnTerrain(assetType: AssetType | null, sourceType: string): boolean {
  const kind = sourceType.trim();
  return mayBeClamped(assetType) && (standing.includes(kind) || findKind(kind) === undefined);
}
