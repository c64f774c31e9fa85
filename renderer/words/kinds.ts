/**
 * Kinds of data in the field's terms, and what the service makes of them (service facts, "sourceType
 * values").
 */

import { type AssetType, assetTypes } from '../../shared/assets.ts';
import { findKind, type Kind, type KnownSourceType, kinds } from '../../shared/kinds.ts';
import { say } from '../say.ts';

/** File endings that people know a kind by. */
const wellKnown: Readonly<Partial<Record<KnownSourceType, string>>> = {
  CITYGML: '.gml .xml',
  POINT_CLOUD: '.las .laz',
  '3D_MODEL': '.gltf .obj .fbx',
  BIM_CAD: '.ifc',
  KML: '.kml .kmz',
  '3DTILES': 'tileset.json',
  RASTER_IMAGERY: '.tif .jpg .png',
  RASTER_TERRAIN: '.tif .asc .dem',
  TERRAIN_DATABASE: '.terraindb',
};

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
  const known = findKind(sourceType);
  return known === undefined ? sourceType : say(`kinds.source.${known.sourceType}`);
}

/** Likewise within a sentence: `point cloud`. */
export function kindWithin(sourceType: string): string {
  const known = findKind(sourceType);
  return known === undefined ? sourceType : say(`kinds.within.${known.sourceType}`);
}

/** What a person knows the kind by. */
export function kindHint({ sourceType }: Kind): string {
  return wellKnown[sourceType] ?? say('kinds.realityMesh');
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
 * The sourceType after the asset type was changed by hand: free text and what fits stay, a suggestion that
 * belongs to another asset type makes room for the first of the new one.
 */
export function sourceTypeAfter(assetType: AssetType, sourceType: string): string {
  const known = findKind(sourceType);
  if (sourceType !== '' && (!known || known.assetType === assetType)) return sourceType;
  return kindsOf(assetType)[0]?.sourceType ?? sourceType;
}
