import { type AssetType, mayBeClamped } from './assets.ts';
import { findKind, type KnownSourceType, kinds } from './kinds.ts';

/** `choice` takes one of `choices`, `suggestion` any text, `number` a positive number. */
interface OptionFacts {
  readonly field: 'system' | 'choice' | 'suggestion' | 'text' | 'number' | 'switch' | 'position';
  readonly kinds: readonly KnownSourceType[];
  readonly choices?: readonly string[];
}

const allKinds = kinds.map(({ sourceType }) => sourceType);
const meshes = ['3D_CAPTURE', '3D_MODEL', 'BIM_CAD'] as const;

/**
 * Tiling options with their own field, in the order of the form: one row each (service-facts.md, "Options by
 * kind"). Form, presets, rules, and request follow from it; texts are `options.fields.NAME`.
 */
const facts = {
  inputCrs: { field: 'system', kinds: ['POINT_CLOUD', ...meshes, 'RASTER_IMAGERY', 'RASTER_TERRAIN'] },
  heightReference: { field: 'choice', kinds: ['RASTER_TERRAIN'], choices: ['MEAN_SEA_LEVEL', 'WGS84'] },
  toMeters: { field: 'number', kinds: ['RASTER_TERRAIN'] },
  textureFormat: { field: 'choice', kinds: ['CITYGML', ...meshes, 'KML'], choices: ['AUTO', 'WEBP'] },
  geometryCompression: {
    field: 'suggestion',
    kinds: ['CITYGML', ...meshes, 'KML', 'POINT_CLOUD'],
    choices: ['NONE', 'DRACO', 'MESHOPT'],
  },
  attribution: { field: 'text', kinds: allKinds },
  tilesetJson: { field: 'text', kinds: ['3DTILES'] },
  position: { field: 'position', kinds: [...meshes, 'POINT_CLOUD'] },
  waterMask: { field: 'switch', kinds: ['RASTER_TERRAIN'] },
  instancing: { field: 'switch', kinds: ['3D_MODEL', 'BIM_CAD'] },
  optimize: { field: 'switch', kinds: ['3D_MODEL'] },
  disableColors: { field: 'switch', kinds: ['CITYGML'] },
  disableTextures: { field: 'switch', kinds: ['CITYGML'] },
} as const satisfies Readonly<Record<string, OptionFacts>>;

export type OptionName = keyof typeof facts;
export type SwitchName = {
  [Name in OptionName]: (typeof facts)[Name]['field'] extends 'switch' ? Name : never;
}[OptionName];
/** Options whose field is a line of text or a list. */
export type TextName = Exclude<OptionName, SwitchName | 'position'>;

export const optionNames = Object.keys(facts) as readonly OptionName[];

export function optionFacts(option: OptionName): OptionFacts {
  return facts[option];
}

/** Whether an option applies to a kind; unlisted options apply to all. */
export function hasOption(sourceType: string, option: string): boolean {
  const name = optionNames.find((candidate) => candidate === option);
  return name === undefined || optionFacts(name).kinds.some((kind) => kind === sourceType);
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
export const hasNoPlaceOfItsOwn = (sourceType: string): boolean => sourceType === '3D_MODEL';

/** Whether clamping to a terrain makes sense; unknown source types are allowed. */
function canStandOnTerrain(assetType: AssetType | null, sourceType: string): boolean {
  const kind = sourceType.trim();
  return mayBeClamped(assetType) && (findKind(kind)?.standsOnGround ?? findKind(kind) === undefined);
}

export const kindsWithBaseTerrain: readonly string[] = kinds
  .filter(({ hasBaseTerrain }) => hasBaseTerrain)
  .map(({ sourceType }) => sourceType);

/** Whether `baseTerrainId` is sent without clamping; unknown source types are allowed. */
export function mayHaveBaseTerrain(sourceType: string): boolean {
  const kind = sourceType.trim();
  return kindsWithBaseTerrain.includes(kind) || findKind(kind) === undefined;
}

/** The base terrain of the request: none without clamping, unless the kind accepts it alone. */
export function requestedTerrain(options: {
  readonly clampToTerrain: boolean;
  readonly baseTerrainId: number | null;
  readonly sourceType: string;
}): number | null {
  return options.clampToTerrain || mayHaveBaseTerrain(options.sourceType) ? options.baseTerrainId : null;
}

interface TypedAsset {
  readonly assetType: AssetType | null;
  readonly sourceType: string;
}

/** Whether an asset is clamped, if the settings of several assets say so. */
export function isClamped({ assetType, sourceType }: TypedAsset, isShared: boolean): boolean {
  return isShared ? canStandOnTerrain(assetType, sourceType) : mayBeClamped(assetType);
}

/** Fields that a form offers for assets: clamping, and a base terrain without it. */
export interface TerrainFields {
  readonly clamp: boolean;
  readonly base: boolean;
}

/** A chosen clamping stays visible as long as the request can contain it. */
export function terrainFields(assets: readonly TypedAsset[], clampToTerrain: boolean): TerrainFields {
  return {
    clamp: assets.some(
      ({ assetType, sourceType }) =>
        canStandOnTerrain(assetType, sourceType) || (clampToTerrain && mayBeClamped(assetType)),
    ),
    base: assets.some(({ sourceType }) => kindsWithBaseTerrain.includes(sourceType.trim())),
  };
}
