import type { AsSentView } from '../../../preload/contract.ts';
import { assetTypes } from '../../../shared/assets.ts';
import type { CreationBody } from '../../service/model.ts';

/** A job's request for correction by the user. `keys`: from `keysAsSent`. */
export function asSentView(
  { name, description = '', type, options }: CreationBody,
  keys: Pick<AsSentView, 'leftOut' | 'assigned' | 'worded'>,
): AsSentView {
  const { sourceType, clampToTerrain = false, baseTerrainId = null, ...furtherOptions } = options;
  return {
    assetType: assetTypes.find((assetType) => assetType === type) ?? null,
    ...{ name, description, sourceType, clampToTerrain, baseTerrainId },
    options: JSON.stringify(furtherOptions),
    ...keys,
  };
}
