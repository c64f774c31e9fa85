import type { NewAssetInput } from '../../preload/contract.ts';
import type { CreationBody } from '../service/model.ts';
import { furtherOptions } from './further-options.ts';

/** The body as the contract wants it (2.2): options that are off or empty are left out. */
export function creationBody(input: NewAssetInput): CreationBody {
  return {
    name: input.name.trim(),
    ...(input.description ? { description: input.description } : {}),
    type: input.assetType,
    options: {
      ...furtherOptions(input.options),
      sourceType: input.sourceType.trim(),
      ...(input.clampToTerrain ? { clampToTerrain: true } : {}),
      ...(input.clampToTerrain && input.baseTerrainId !== null ? { baseTerrainId: input.baseTerrainId } : {}),
    },
  };
}
