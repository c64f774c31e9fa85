import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../service/answer.ts';
import type { WatchRule } from './rule.ts';

/**
 * The files through which computers that watch one folder coordinate. Pure. Other users can write them too,
 * so an asset ID in them is only looked up with the rule's own account.
 */

const ownerSchema = z.object({
  /** Identifies an installation's settings; a copied profile or disk image has the same. */
  instance: z.string().min(1).max(200),
  /** Identifies a computer and the location of the user's data (`machineOf`). */
  machine: z.string().max(200),
  host: z.string().max(1_000),
  pid: z.number().int().nonnegative(),
});

const leaseSchema = z.object({
  version: z.literal(1),
  owner: ownerSchema,
  /** Unique to one run, even among copied profiles. */
  session: z.string().min(1).max(200),
  rule: z.string().max(1_000),
  /** Null for everything. */
  patterns: z.array(z.string().max(10_000)).max(1_000).nullable(),
  /** ISO 8601, for people only, because clocks differ. */
  renewedAt: z.string().max(100),
  /** Makes the content of each renewal different. */
  beat: z.number().int().nonnegative(),
  /** The program has quit cleanly with jobs under way and may resume at once. */
  resting: z.boolean(),
});

const assetSchema = z.object({
  id: z.number().int().positive(),
  /** API address of its service; null if unknown. */
  service: z.string().max(2_000).nullable(),
  uploaded: z.boolean(),
});

const markSchema = z.object({
  version: z.literal(1),
  owner: ownerSchema,
  source: z.string().max(40_000),
  identity: z.string().max(200),
  /** `done`: COMPLETE. `failed`: retried only by a user decision. */
  state: z.enum(['taken', 'done', 'failed']),
  outcome: z.string().max(1_000).nullable(),
  asset: assetSchema.nullable(),
  /** Null if unknown (`scan/content.ts`). */
  content: z.string().max(200).nullable(),
  /** File keys of a batch; null for other sources. */
  files: z.array(z.string().max(40_000)).max(2_000_000).nullable(),
});

/** Identifies a watching computer. */
export type WatchOwner = Readonly<z.infer<typeof ownerSchema>>;
export type LeaseRecord = Readonly<z.infer<typeof leaseSchema>>;
export type MarkedAsset = Readonly<z.infer<typeof assetSchema>>;
/** The outcome of a source, for the computer that takes the folder over. */
export type Mark = Readonly<z.infer<typeof markSchema>>;

/** Reads a lease; null if it isn't one. */
export const parseLease = (text: string): LeaseRecord | null =>
  leaseSchema.safeParse(parseJson(text)).data ?? null;

/** Reads a mark; null if it isn't one. */
export const parseMark = (text: string): Mark | null => markSchema.safeParse(parseJson(text)).data ?? null;

/** Whether both have the same settings on the same computer. */
export const isSameOwner = (owner: WatchOwner, otherOwner: WatchOwner): boolean =>
  owner.instance === otherOwner.instance && owner.machine === otherOwner.machine;

/**
 * Distinguishes computers with the same settings: copied disk images, roaming profiles, terminal servers.
 * Hashed to keep the machine ID private.
 *
 * @param machineId null if the computer has none
 * @param place the location of the user's data
 */
export function machineOf(machineId: string | null, place: string): string {
  return createHash('sha256')
    .update(`tilelift watch\0${machineId ?? ''}\0${place}`)
    .digest('hex')
    .slice(0, 32);
}

/** A rule's file patterns, sorted; null for everything. */
export const patternsOf = ({ unit }: Pick<WatchRule, 'unit'>): string[] | null =>
  unit.kind === 'files' ? [...unit.patterns].sort() : null;

/** The lease's file. Several rules may watch one folder only if their patterns differ. */
export function leaseName(rule: Pick<WatchRule, 'unit'>): string {
  const patterns = patternsOf(rule);
  if (patterns === null) return 'folder.json';
  return `${createHash('sha256').update(patterns.join('\0')).digest('hex').slice(0, 32)}.json`;
}

/**
 * `ours`: this computer watches. `theirs`: another one does. `former`: the lease is from this computer's
 * previous run, or from a copy of it that hasn't renewed it yet. `host`: null if unknown.
 */
export type Standing =
  | { readonly kind: 'ours' }
  | { readonly kind: 'theirs' | 'former'; readonly host: string | null };

/** Coordinates which computer watches a folder. */
export interface FolderLeases {
  /** Throws `watch-lease-unwritable`. */
  acquire(rule: WatchRule): Promise<Standing>;
  /** Whether this computer still watches for the rule. Throws `watch-lease-unwritable`. */
  renew(rule: WatchRule): Promise<boolean>;
  writes(rule: WatchRule): boolean;
}
