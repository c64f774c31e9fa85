/** How data of each kind usually arrives in a watched folder (service-facts.md, "File kinds"). */

import type { AssetType, WatchUnit } from '../../../preload/contract.ts';
import { kinds } from '../../../shared/kinds.ts';

export interface WatchPreset {
  readonly assetType: AssetType;
  readonly sourceType: string;
  readonly unit: WatchUnit['kind'];
  /** For one asset per file; gitignore syntax. */
  readonly patterns: readonly string[];
  readonly namePattern: string;
}

export const watchPresets: readonly WatchPreset[] = kinds.map((kind) => {
  const { unit, extensions = kind.extensions, namePattern = '{name}' } = kind.delivery;
  const patterns = extensions.map((extension) => `*.${extension}`);
  return { assetType: kind.assetType, sourceType: kind.sourceType, unit, patterns, namePattern };
});

/** Undefined for a custom source type, or one with an unusual type of asset. */
export function presetOf(assetType: AssetType | null, sourceType: string): WatchPreset | undefined {
  return watchPresets.find(
    (candidate) => candidate.assetType === assetType && candidate.sourceType === sourceType.trim(),
  );
}
