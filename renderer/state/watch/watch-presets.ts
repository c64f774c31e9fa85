/** How data of each kind usually arrives in a watched folder (service-facts.md, "File kinds"). */

import type { AssetType, WatchUnit } from '../../../preload/contract.ts';
import { type KnownSourceType, kindOf } from '../../../shared/kinds.ts';

export interface WatchPreset {
  readonly assetType: AssetType;
  readonly sourceType: string;
  readonly unit: WatchUnit['kind'];
  /** For one asset per file; gitignore syntax. */
  readonly patterns: readonly string[];
  readonly namePattern: string;
}

export const watchPresets: readonly WatchPreset[] = [
  preset('3D_CAPTURE', 'entries', ['obj', 'zip']),
  preset('RASTER_IMAGERY', 'entries', ['tif', 'tiff', 'img'], '{name} {date}'),
  preset('RASTER_TERRAIN', 'entries', ['tif', 'tiff', 'asc', 'dem', 'flt']),
  preset('CITYGML', 'entries'),
  preset('POINT_CLOUD', 'files'),
  preset('3D_MODEL', 'entries'),
  preset('BIM_CAD', 'files', ['ifc']),
  preset('KML', 'files'),
  preset('3DTILES', 'entries', ['zip']),
  preset('TERRAIN_DATABASE', 'files'),
];

/** Undefined for a custom source type, or one with an unusual type of asset. */
export function presetOf(assetType: AssetType | null, sourceType: string): WatchPreset | undefined {
  return watchPresets.find(
    (candidate) => candidate.assetType === assetType && candidate.sourceType === sourceType.trim(),
  );
}

function preset(
  sourceType: KnownSourceType,
  unit: WatchUnit['kind'],
  extensions = kindOf(sourceType).extensions,
  namePattern = '{name}',
): WatchPreset {
  const { assetType } = kindOf(sourceType);
  return {
    assetType,
    sourceType,
    unit,
    patterns: extensions.map((extension) => `*.${extension}`),
    namePattern,
  };
}
