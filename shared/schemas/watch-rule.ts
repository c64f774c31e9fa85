import { z } from 'zod';
import { assetTypes } from '../assets.ts';
import { isFurtherOptions, maxOptionsLength } from '../creation-options.ts';

/** Maximum depth of unit folders below the watched folder. */
const maxFolderDepth = 12;

const unitSchema = z.discriminatedUnion('kind', [
  /** Each top-level entry: a subfolder, or a file with its sidecars. */
  z.object({ kind: z.literal('entries') }),
  /** Each file matching a pattern (gitignore syntax, any depth), with its sidecars. */
  z.object({
    kind: z.literal('files'),
    patterns: z.array(z.string().min(1).max(1_000)).min(1).max(100).readonly(),
  }),
  /**
   * Each folder at this depth (1 is the top level) matching a pattern (gitignore syntax); no patterns match
   * all. Files above that depth are skipped.
   */
  z.object({
    kind: z.literal('folders'),
    depth: z.number().int().min(1).max(maxFolderDepth),
    patterns: z.array(z.string().min(1).max(1_000)).max(100).readonly(),
  }),
  /** The watched folder as one source. */
  z.object({ kind: z.literal('whole-folder') }),
  /** All new files together once nothing has arrived for the settle time. */
  z.object({ kind: z.literal('batch') }),
]);

const readySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('settled') }),
  /** A file of this name, which isn't uploaded: `{name}.ok` next to the source, `_SUCCESS` in its folder. */
  z.object({ kind: z.literal('marker'), name: z.string().trim().min(1).max(200) }),
  /** A checksum list that covers the source (`a.tif.md5`, `SHA256SUMS`). */
  z.object({ kind: z.literal('checksums') }),
]);

/** Action after a source's asset has ended. Sources are never deleted. */
const afterSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('leave') }),
  /** Absolute, or relative to the watched folder; on the same drive. */
  z.object({ kind: z.literal('move'), folder: z.string().min(1).max(4_000) }),
]);

/** Off by default. The desktop shows failures in any case. */
const alertWishesSchema = z.object({
  failed: z.boolean().default(false),
  /** Alert after a source has waited this long, hours. */
  waitingHours: z.number().int().min(1).max(8_760).nullable().default(null),
  /** Alert after no source has arrived for this long, days. */
  silentDays: z.number().int().min(1).max(3_650).nullable().default(null),
  signedOut: z.boolean().default(false),
});

export type AlertWishes = z.infer<typeof alertWishesSchema>;

export const noAlerts: AlertWishes = {
  failed: false,
  waitingHours: null,
  silentDays: null,
  signedOut: false,
};

const receiptFileSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** Next to the data, wherever it ends up. */
  z.object({ kind: z.literal('beside') }),
  /** Absolute, or relative to the watched folder. Created if missing. */
  z.object({ kind: z.literal('folder'), folder: z.string().min(1).max(4_000) }),
]);

/**
 * A watched folder and what to create from it. Only main can check for absolute
 * paths: `main/watch/model/rule.ts`.
 */
export const watchRuleSchema = z.object({
  id: z.string().min(1).max(100),
  name: z.string().trim().min(1).max(200),
  folder: z.string().min(1).max(4_000),
  accountId: z.string().min(1).max(100),
  unit: unitSchema,
  readyWhen: readySchema.default({ kind: 'settled' }),
  /** Whether checksum lists next to a source are verified. */
  checksums: z.enum(['verify', 'ignore']).default('verify'),
  /** Lowest level of findings that holds a source for the user. */
  hold: z.enum(['never', 'will-fail', 'may-disappoint']).default('will-fail'),
  /** `content`: each source's content decides its types, and those below are unused. */
  kindFrom: z.enum(['rule', 'content']).default('rule'),
  assetType: z.enum(assetTypes),
  sourceType: z.string().trim().min(1).max(200),
  clampToTerrain: z.boolean(),
  baseTerrainId: z.number().int().positive().nullable(),
  /** JSON object as text. */
  options: z.string().max(maxOptionsLength).refine(isFurtherOptions).default('{}'),
  namePattern: z.string().trim().min(1).max(500),
  /** Markdown with the same tokens; may be empty. */
  description: z.string().max(100_000),
  /** Gitignore lines, in addition to the built-in rules. */
  ignore: z.array(z.string().max(1_000)).max(1_000).readonly(),
  /** Required time without changes, seconds. Null is the minimum: 10 on local disks, 60 on network drives. */
  settleSeconds: z.number().int().positive().max(86_400).nullable(),
  /**
   * Action for a source that changed after its upload: hold it for the user, create another asset, or
   * nothing.
   */
  whenChanged: z.enum(['hold', 'new-asset', 'leave']),
  afterSuccess: afterSchema,
  afterFailure: afterSchema,
  /** If the upload will probably outlive its credentials: hold the job for the user, or upload anyway. */
  whenTooLong: z.enum(['hold', 'upload']),
  /** If credentials end before the upload: wait for the user, or restart (once, if it fits). */
  whenExpired: z.enum(['wait', 'start-again']),
  /** Files that are only in the cloud: wait until they are local, or download them by reading. */
  cloudFiles: z.enum(['leave', 'fetch']).default('leave'),
  /** A file that exists only while the drive is mounted, to recognise an empty mount point. Null for none. */
  mountMarker: z
    .string()
    .min(1)
    .max(255)
    .refine((name) => !/[\\/]/.test(name) && !/^\.{1,2}$/.test(name))
    .nullable()
    .default(null),
  /** Several computers watch this folder; a lease file in it selects one at a time. */
  shared: z.boolean(),
  alerts: alertWishesSchema.prefault({}),
  receiptFile: receiptFileSchema.default({ kind: 'none' }),
  /** False: paused by the user. */
  on: z.boolean(),
});

export type WatchRule = Readonly<z.infer<typeof watchRuleSchema>>;
export type WatchUnit = WatchRule['unit'];
export type ReadyWhen = WatchRule['readyWhen'];
export type AfterEnd = WatchRule['afterSuccess'];
