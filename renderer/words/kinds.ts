/** Kinds of data in the words of the field, and what the service makes of each (service facts, "sourceType values"). */

import type { AssetType } from '../../preload/contract.ts';

export interface Kind {
  /** What a person calls it. */
  readonly label: string;
  readonly assetType: AssetType;
  readonly sourceType: string;
  /** File endings that people know it by. */
  readonly hint: string;
}

export const kinds: readonly Kind[] = [
  { label: 'CityGML', assetType: '3DTILES', sourceType: 'CITYGML', hint: '.gml .xml' },
  { label: 'Photogrammetry', assetType: '3DTILES', sourceType: '3D_CAPTURE', hint: 'reality mesh' },
  { label: 'Point cloud', assetType: '3DTILES', sourceType: 'POINT_CLOUD', hint: '.las .laz' },
  { label: '3D model', assetType: '3DTILES', sourceType: '3D_MODEL', hint: '.gltf .obj .fbx' },
  { label: 'Building or construction model', assetType: '3DTILES', sourceType: 'BIM_CAD', hint: '.ifc' },
  { label: 'KML/COLLADA', assetType: '3DTILES', sourceType: 'KML', hint: '.kml .kmz' },
  { label: 'Existing tileset', assetType: '3DTILES', sourceType: '3DTILES', hint: 'tileset.json' },
  { label: 'Imagery', assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY', hint: '.tif .jpg .png' },
  { label: 'Elevation raster', assetType: 'TERRAIN', sourceType: 'RASTER_TERRAIN', hint: '.tif .asc .dem' },
  { label: 'Terrain database', assetType: 'TERRAIN', sourceType: 'TERRAIN_DATABASE', hint: '.terraindb' },
];

export const assetTypes: readonly { readonly value: AssetType; readonly label: string }[] = [
  { value: '3DTILES', label: '3D Tiles' },
  { value: 'IMAGERY', label: 'Imagery' },
  { value: 'TERRAIN', label: 'Terrain' },
];

/** `3DTILES` → `3D Tiles`; a type that nobody named stays as it is. */
export function assetTypeLabel(type: string): string {
  return assetTypes.find((known) => known.value === type)?.label ?? type;
}

/** The kind of a sourceType in words; a free sourceType stays as it is. */
export function kindLabel(sourceType: string): string {
  return kinds.find((kind) => kind.sourceType === sourceType)?.label ?? sourceType;
}

export function kindsOf(assetType: AssetType): readonly Kind[] {
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
