import { z } from 'zod';
import { assetTypes } from '../assets.ts';

/** Settings that pages show. */

/** `HH:MM`, local time. */
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** How fast uploads may go, bytes a second; null for no limit. */
export const bandwidthSchema = z.object({
  limit: z.number().positive().nullable(),
  /** Times of the week with a limit of their own; the first that fits counts. */
  timetable: z
    .array(
      z.object({
        /** Days on which it begins, 0 for Sunday. */
        days: z.array(z.number().int().min(0).max(6)).max(7).readonly(),
        /** `until` not after `from` runs over midnight. */
        from: clockTime,
        until: clockTime,
        limit: z.number().positive().nullable(),
      }),
    )
    .max(100)
    .readonly(),
});

/** Whether Tilelift looks for updates by itself, and whether it takes preliminary ones too. */
export const updatesSchema = z.object({ check: z.boolean(), channel: z.enum(['latest', 'beta']) });

/** What the person chose for an asset of one kind of data, to be offered next time. */
export const lastChoiceSchema = z.object({
  assetType: z.enum(assetTypes),
  sourceType: z.string().min(1),
  clampToTerrain: z.boolean(),
  baseTerrainId: z.number().int().positive().nullable(),
  /** Further options, a JSON object as text. */
  options: z.string(),
});

/** A program that is started when a source has ended: a setting of this computer, never part of a rule. */
export const anyProgramSchema = z.object({
  /** Absolute. */
  file: z.string().min(1).max(4_000),
  /** One each, handed over as they are: no shell reads them. */
  arguments: z
    .array(
      z
        .string()
        .max(2_000)
        .regex(/^[^\0]*$/),
    )
    .max(50)
    .readonly(),
});

export type Bandwidth = z.infer<typeof bandwidthSchema>;
export type Period = Bandwidth['timetable'][number];
export type UpdateSettings = z.infer<typeof updatesSchema>;
export type UpdateChannel = UpdateSettings['channel'];
export type LastChoice = z.infer<typeof lastChoiceSchema>;
export type Program = z.infer<typeof anyProgramSchema>;
/** What is started when sources of a rule have ended. */
export type Programs = Readonly<Record<'success' | 'failure', Program | null>>;
