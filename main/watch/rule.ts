import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { isFurtherOptions, longestOptions } from '../service/creation-options.ts';
import { assetTypes } from '../service/model.ts';

/** A watch rule: a watched folder and what to make of what arrives there (design, "Watch rules"). */

/** What one asset is made of. */
const unitSchema = z.discriminatedUnion('kind', [
  /** Each top-level entry of the folder: a subfolder, or a file with its sidecars. */
  z.object({ kind: z.literal('entries') }),
  /** Each file that fits one of the patterns (gitignore syntax, at any depth), with its sidecars. */
  z.object({
    kind: z.literal('files'),
    patterns: z.array(z.string().min(1).max(1_000)).min(1).max(100).readonly(),
  }),
  /** The whole folder, when a file of this name appears in it. The trigger file itself is not sent. */
  z.object({ kind: z.literal('trigger'), file: z.string().min(1).max(255) }),
]);

/** What becomes of a source once its asset has ended. Nothing is ever deleted. */
const afterSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('leave') }),
  /** Absolute, or relative to the watched folder; on the same drive. */
  z.object({ kind: z.literal('move'), folder: z.string().min(1).max(4_000) }),
]);

export const watchRuleSchema = z.object({
  id: z.string().min(1).max(100),
  name: z.string().trim().min(1).max(200),
  folder: z.string().min(1).max(4_000).refine(isAbsolute),
  accountId: z.string().min(1).max(100),
  unit: unitSchema,
  assetType: z.enum(assetTypes),
  sourceType: z.string().trim().min(1).max(200),
  clampToTerrain: z.boolean(),
  baseTerrainId: z.number().int().positive().nullable(),
  /** Further options, a JSON object as text. Rules of earlier versions have none. */
  options: z.string().max(longestOptions).refine(isFurtherOptions).default('{}'),
  /** `{name} {parent} {date} {counter}`. */
  namePattern: z.string().trim().min(1).max(500),
  /** Markdown, with the same tokens; empty for none. */
  description: z.string().max(100_000),
  /** Lines in gitignore syntax, besides what every scan leaves out. */
  ignore: z.array(z.string().max(1_000)).max(1_000).readonly(),
  /** How long nothing may have changed, seconds; null for the usual: 10 on local disks, 60 on network drives. Never less than those. */
  settleSeconds: z.number().int().positive().max(86_400).nullable(),
  /** What to do with a source that has changed since it was taken. */
  whenChanged: z.enum(['new-asset', 'leave']),
  afterSuccess: afterSchema,
  afterFailure: afterSchema,
  /** Where the upload will probably outlive its credentials: hold the job until a person wants it, or upload all the same. */
  whenTooLong: z.enum(['hold', 'upload']),
  /** Where the credentials ended before the upload: wait for a person, or start again (twice at most, when the forecast fits). */
  whenExpired: z.enum(['wait', 'start-again']),
  /** Other computers watch this folder too: claim files in it keep them from taking the same source. */
  shared: z.boolean(),
  /** Off: paused by a person. */
  on: z.boolean(),
});

export type WatchRule = z.infer<typeof watchRuleSchema>;
export type WatchUnit = WatchRule['unit'];
export type AfterEnd = WatchRule['afterSuccess'];
