import { z } from 'zod';
import { assetTypes } from '../assets.ts';
import { isFurtherOptions, maxOptionsLength } from '../creation-options.ts';

const maxPresetName = 100;

/** A named set of tiling options for new assets and watched folders. */
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
  /** Account that owns the terrain; null without one. */
  accountId: z.string().min(1).max(100).nullable(),
  /** JSON object as text. */
  options: z.string().max(maxOptionsLength).refine(isFurtherOptions),
  /** Preselected for its source type; one per type. */
  isDefault: z.boolean(),
});

export type Preset = z.infer<typeof presetSchema>;
