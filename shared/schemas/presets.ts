import { z } from 'zod';
import { assetTypes } from '../assets.ts';
import { isFurtherOptions, maxOptionsLength } from '../creation-options.ts';

/** Named sets of tiling options, for new assets and for watched folders alike. */

/** Characters. */
const maxPresetName = 100;

/** One of them, as the settings keep it. */
export const presetSchema = z.object({
  id: z
    .string()
    .max(100)
    .regex(/^[\w-]+$/),
  name: z.string().trim().min(1).max(maxPresetName),
  assetType: z.enum(assetTypes),
  sourceType: z.string().trim().min(1).max(200),
  clampToTerrain: z.boolean(),
  /** Null: the WGS84 ellipsoid. */
  baseTerrainId: z.number().int().positive().nullable(),
  /** Whose terrain that is; null where there is none. */
  accountId: z.string().min(1).max(100).nullable(),
  /** Further options, a JSON object as text. */
  options: z.string().max(maxOptionsLength).refine(isFurtherOptions),
  /** Chosen without being asked for, for data of this source type: one for each. */
  isDefault: z.boolean(),
});

export type Preset = z.infer<typeof presetSchema>;
