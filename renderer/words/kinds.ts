/** Kinds of data in the words of the field, and what the service makes of each (service facts, "sourceType values"). */

import type { AssetType } from '../../preload/contract.ts';
import { say } from '../../strings/say.ts';

export interface Kind {
  readonly assetType: AssetType;
  readonly sourceType: KnownSourceType;
  /** File endings that people know it by; empty where it has none of its own. */
  readonly endings: string;
}

type KnownSourceType =
  | 'CITYGML'
  | '3D_CAPTURE'
  | 'POINT_CLOUD'
  | '3D_MODEL'
  | 'BIM_CAD'
  | 'KML'
  | '3DTILES'
  | 'RASTER_IMAGERY'
  | 'RASTER_TERRAIN'
  | 'TERRAIN_DATABASE';

export const kinds: readonly Kind[] = [
  { assetType: '3DTILES', sourceType: 'CITYGML', endings: '.gml .xml' },
  { assetType: '3DTILES', sourceType: '3D_CAPTURE', endings: '' },
  { assetType: '3DTILES', sourceType: 'POINT_CLOUD', endings: '.las .laz' },
  { assetType: '3DTILES', sourceType: '3D_MODEL', endings: '.gltf .obj .fbx' },
  { assetType: '3DTILES', sourceType: 'BIM_CAD', endings: '.ifc' },
  { assetType: '3DTILES', sourceType: 'KML', endings: '.kml .kmz' },
  { assetType: '3DTILES', sourceType: '3DTILES', endings: 'tileset.json' },
  { assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY', endings: '.tif .jpg .png' },
  { assetType: 'TERRAIN', sourceType: 'RASTER_TERRAIN', endings: '.tif .asc .dem' },
  { assetType: 'TERRAIN', sourceType: 'TERRAIN_DATABASE', endings: '.terraindb' },
];

const assetTypes: readonly AssetType[] = ['3DTILES', 'IMAGERY', 'TERRAIN'];

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

export function assetTypeChoices(): readonly Choice<AssetType>[] {
  return assetTypes.map((value) => ({ value, label: say(`kinds.asset.${value}`) }));
}

/** `3DTILES` → `3D Tiles`; a type that nobody named stays as it is. */
export function assetTypeLabel(type: string): string {
  const known = assetTypes.find((one) => one === type);
  return known === undefined ? type : say(`kinds.asset.${known}`);
}

/** The kind of a sourceType in words; a free sourceType stays as it is. */
export function kindLabel(sourceType: string): string {
  const known = kinds.find((kind) => kind.sourceType === sourceType);
  return known === undefined ? sourceType : say(`kinds.source.${known.sourceType}`);
}

/** What a person knows the kind by. */
export function kindHint({ endings }: Kind): string {
  return endings === '' ? say('kinds.realityMesh') : endings;
}

/** The source types of an asset type; of all, as long as there is none. */
export function sourceTypeChoices(assetType: AssetType | null): readonly Choice<KnownSourceType>[] {
  const fitting = assetType === null ? kinds : kindsOf(assetType);
  return fitting.map(({ sourceType }) => ({ value: sourceType, label: kindLabel(sourceType) }));
}

function kindsOf(assetType: AssetType): readonly Kind[] {
  return kinds.filter((kind) => kind.assetType === assetType);
}

/**
 * The sourceType after the asset type was changed by hand: free text and what fits stay, a suggestion that belongs to
 * another asset type makes room for the first of the new one.
 */
export function sourceTypeAfter(assetType: AssetType, sourceType: string): string {
  const known = kinds.find((kind) => kind.sourceType === sourceType);
  if (sourceType !== '' && (!known || known.assetType === assetType)) return sourceType;
  return kindsOf(assetType)[0]?.sourceType ?? sourceType;
}
