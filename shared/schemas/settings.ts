import { z } from 'zod';
import { assetTypes } from '../assets.ts';
import { type BackgroundSwitch, backgroundSwitches } from '../background.ts';

/** `HH:MM`, local time. */
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** Upload limits, bytes per second; null for no limit. */
export const bandwidthSchema = z.object({
  limit: z.number().positive().nullable(),
  /** Weekly periods with their own limit; the first match counts. */
  timetable: z
    .array(
      z.object({
        /** Days on which it begins, 0 is Sunday. */
        days: z.array(z.number().int().min(0).max(6)).max(7).readonly(),
        /** Runs past midnight unless `until` is after `from`. */
        from: clockTime,
        until: clockTime,
        limit: z.number().positive().nullable(),
      }),
    )
    .max(100)
    .readonly(),
});

/** Whether to check for updates, and whether to include betas. */
export const updatesSchema = z.object({ check: z.boolean(), channel: z.enum(['latest', 'beta']) });

const eachSwitch = <Schema extends z.ZodType>(schemaOf: (isOn: boolean) => Schema) =>
  Object.fromEntries(
    Object.entries(backgroundSwitches).map(([name, isOn]) => [name, schemaOf(isOn)]),
  ) as Readonly<Record<BackgroundSwitch, Schema>>;

export const backgroundSwitchesSchema = z.object(eachSwitch(() => z.boolean()));
/** Missing switches get their default. */
export const storedSwitchesSchema = z.object(eachSwitch((isOn) => z.boolean().default(isOn)));

/** The last choices for a kind of data, offered as defaults. */
export const lastChoiceSchema = z.object({
  assetType: z.enum(assetTypes),
  sourceType: z.string().min(1),
  clampToTerrain: z.boolean(),
  baseTerrainId: z.number().int().positive().nullable(),
  /** JSON object as text. */
  options: z.string(),
});

/** A program to start when a source ends. It is set on this computer and never part of a rule. */
export const anyProgramSchema = z.object({
  file: z.string().min(1).max(4_000),
  /** Passed unchanged, without a shell. */
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
export type Programs = Readonly<Record<'success' | 'failure', Program | null>>;
