import { z } from 'zod';
import { assetTypes } from '../assets.ts';
import { isFurtherOptions, maxOptionsLength } from '../creation-options.ts';

/** A watch rule: a watched folder and what to make of what arrives there (design, "Watch rules"). */

/** How far below the watched folder the folders may lie that become assets. */
const maxFolderDepth = 12;

/** What one asset is created from. */
const unitSchema = z.discriminatedUnion('kind', [
  /** Each top-level entry of the folder: a subfolder, or a file with its sidecars. */
  z.object({ kind: z.literal('entries') }),
  /** Each file that fits one of the patterns (gitignore syntax, at any depth), with its sidecars. */
  z.object({
    kind: z.literal('files'),
    patterns: z.array(z.string().min(1).max(1_000)).min(1).max(100).readonly(),
  }),
  /**
   * Each folder at exactly this depth (1 for the top-level ones) that fits one of the patterns (gitignore
   * syntax); none for all. Files between are left alone.
   */
  z.object({
    kind: z.literal('folders'),
    depth: z.number().int().min(1).max(maxFolderDepth),
    patterns: z.array(z.string().min(1).max(1_000)).max(100).readonly(),
  }),
  /** The whole folder, when a file of this name appears in it. The trigger file itself is not sent. */
  z.object({ kind: z.literal('trigger'), file: z.string().min(1).max(255) }),
  /** Everything that arrives together: what is new once nothing has come for the settle time. */
  z.object({ kind: z.literal('batch') }),
]);

/** What a source has to show besides having settled. */
const readySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('settled') }),
  /** A file of this name, which is not sent: `{name}.ok` beside the source, `_SUCCESS` in its folder. */
  z.object({ kind: z.literal('marker'), name: z.string().trim().min(1).max(200) }),
  /** A list of checksums that speaks of it (`a.tif.md5`, `SHA256SUMS`). */
  z.object({ kind: z.literal('checksums') }),
]);

/** What becomes of a source once its asset has ended. Nothing is ever deleted. */
const afterSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('leave') }),
  /** Absolute, or relative to the watched folder; on the same drive. */
  z.object({ kind: z.literal('move'), folder: z.string().min(1).max(4_000) }),
]);

/** Off unless a person wants it: what failed is shown by the desktop in any case, as ever. */
const alertWishesSchema = z.object({
  /** A source has failed, and nothing more is tried by itself. */
  failed: z.boolean().default(false),
  /** A source has been waiting for longer than this, hours. */
  waitingHours: z.number().int().min(1).max(8_760).nullable().default(null),
  /** Nothing has come for this long, days. */
  silentDays: z.number().int().min(1).max(3_650).nullable().default(null),
  /** Nobody is signed in with the rule's account. */
  signedOut: z.boolean().default(false),
});

export type AlertWishes = z.infer<typeof alertWishesSchema>;

export const noAlerts: AlertWishes = {
  failed: false,
  waitingHours: null,
  silentDays: null,
  signedOut: false,
};

/** Whether a receipt is also written as a file. */
const receiptFileSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** Beside the data, wherever they lie after their end. */
  z.object({ kind: z.literal('beside') }),
  /** Absolute, or relative to the watched folder. Made when missing. */
  z.object({ kind: z.literal('folder'), folder: z.string().min(1).max(4_000) }),
]);

/** Where paths are absolute only main can tell: `main/watch/rule.ts`. */
export const watchRuleSchema = z.object({
  id: z.string().min(1).max(100),
  name: z.string().trim().min(1).max(200),
  /** Absolute. */
  folder: z.string().min(1).max(4_000),
  accountId: z.string().min(1).max(100),
  unit: unitSchema,
  readyWhen: readySchema.default({ kind: 'settled' }),
  /** What lists of checksums say that are with a source: hold its files against them, or pass over it. */
  checksums: z.enum(['verify', 'ignore']).default('verify'),
  /**
   * Which sources wait for a person: none, those with findings of the level `will-fail`, or also those with
   * findings of the level `may-disappoint`.
   */
  hold: z.enum(['never', 'will-fail', 'may-disappoint']).default('will-fail'),
  /**
   * `content`: type and kind are decided for each source by what is in it; those below are not used then.
   */
  kindFrom: z.enum(['rule', 'content']).default('rule'),
  assetType: z.enum(assetTypes),
  sourceType: z.string().trim().min(1).max(200),
  clampToTerrain: z.boolean(),
  baseTerrainId: z.number().int().positive().nullable(),
  /** Further options, a JSON object as text. */
  options: z.string().max(maxOptionsLength).refine(isFurtherOptions).default('{}'),
  /** `{name} {parent} {path} {date} {counter}`. */
  namePattern: z.string().trim().min(1).max(500),
  /** Markdown, with the same tokens; empty for none. */
  description: z.string().max(100_000),
  /** Lines in gitignore syntax, besides what every scan leaves out. */
  ignore: z.array(z.string().max(1_000)).max(1_000).readonly(),
  /**
   * How long nothing may have changed, seconds; null for the usual: 10 on local disks, 60 on network drives.
   * Never less than those.
   */
  settleSeconds: z.number().int().positive().max(86_400).nullable(),
  /**
   * What to do with a source that has changed since it was taken: hold it until a person has chosen, create
   * another asset from it, or nothing.
   */
  whenChanged: z.enum(['hold', 'new-asset', 'leave']),
  afterSuccess: afterSchema,
  afterFailure: afterSchema,
  /**
   * Where the upload will probably outlive its credentials: hold the job until a person wants it, or upload
   * anyway.
   */
  whenTooLong: z.enum(['hold', 'upload']),
  /**
   * Where credentials ended before the upload: wait for a person, or start again (twice at most, if it fits).
   */
  whenExpired: z.enum(['wait', 'start-again']),
  /**
   * Files that a cloud service has not put on this computer: wait until someone has it fetched, or fetch them
   * by reading.
   */
  cloudFiles: z.enum(['leave', 'fetch']).default('leave'),
  /**
   * A file that is in the folder while its drive is mounted: without it the folder is an empty mount point.
   * Null for none.
   */
  mountMarker: z
    .string()
    .min(1)
    .max(255)
    .refine((name) => !/[\\/]/.test(name) && !/^\.{1,2}$/.test(name))
    .nullable()
    .default(null),
  /** Other computers watch this folder, too: one of them at a time, by a lease file in it. */
  shared: z.boolean(),
  /** What to be told of. */
  alerts: alertWishesSchema.prefault({}),
  /** Where a receipt is written as a file, besides the journal. */
  receiptFile: receiptFileSchema.default({ kind: 'none' }),
  /** Off: paused by a person. */
  on: z.boolean(),
});

export type WatchRule = Readonly<z.infer<typeof watchRuleSchema>>;
export type WatchUnit = WatchRule['unit'];
export type ReadyWhen = WatchRule['readyWhen'];
export type AfterEnd = WatchRule['afterSuccess'];
