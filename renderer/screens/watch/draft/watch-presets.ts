/** How data of each kind usually arrives in a watched folder (service facts, "File kinds"). */

import type { AssetType, WatchUnitView } from '../../../../preload/contract.ts';

export interface WatchPreset {
  readonly assetType: AssetType;
  readonly sourceType: string;
  readonly unit: WatchUnitView['kind'];
  /** For whoever makes one asset of each file; gitignore syntax. */
  readonly patterns: readonly string[];
  readonly namePattern: string;
}

export const watchPresets: readonly WatchPreset[] = [
  preset('3DTILES', '3D_CAPTURE', 'entries', ['*.obj', '*.zip']),
  preset('IMAGERY', 'RASTER_IMAGERY', 'entries', ['*.tif', '*.tiff', '*.img'], '{name} {date}'),
  preset('TERRAIN', 'RASTER_TERRAIN', 'entries', ['*.tif', '*.tiff', '*.asc', '*.dem', '*.flt']),
  preset('3DTILES', 'CITYGML', 'entries', ['*.gml', '*.citygml']),
  preset('3DTILES', 'POINT_CLOUD', 'files', ['*.las', '*.laz']),
  preset('3DTILES', '3D_MODEL', 'entries', ['*.glb', '*.gltf', '*.obj', '*.fbx', '*.dae']),
  preset('3DTILES', 'BIM_CAD', 'files', ['*.ifc']),
  preset('3DTILES', 'KML', 'files', ['*.kml', '*.kmz']),
  preset('3DTILES', '3DTILES', 'entries', ['*.zip']),
  preset('TERRAIN', 'TERRAIN_DATABASE', 'files', ['*.terraindb']),
];

/** Undefined for a source type of one's own, or one that makes another type of asset than usual. */
export function presetOf(assetType: AssetType | null, sourceType: string): WatchPreset | undefined {
  return watchPresets.find((one) => one.assetType === assetType && one.sourceType === sourceType.trim());
}

function preset(
  assetType: AssetType,
  sourceType: string,
  unit: WatchUnitView['kind'],
  patterns: readonly string[],
  namePattern = '{name}',
): WatchPreset {
  return { assetType, sourceType, unit, patterns, namePattern };
}
