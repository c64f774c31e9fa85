import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../service/answer.ts';
import type { WatchRule } from '../rule.ts';

/**
 * The files by which computers that watch one folder agree. Pure. Other users can write them too: their
 * content is never an order, and an asset that they name is only looked up with the rule's own account.
 */

const ownerSchema = z.object({
  /** Identifies one Tilelift's settings; a copied profile or disk image has the same. */
  instance: z.string().min(1).max(200),
  /** Identifies one computer and one place of the user's data on it (`machineOf`). */
  machine: z.string().max(200),
  host: z.string().max(1_000),
  pid: z.number().int().nonnegative(),
});

const leaseSchema = z.object({
  version: z.literal(1),
  owner: ownerSchema,
  /** Of one run of the program: two processes never share it, whatever was copied. */
  session: z.string().min(1).max(200),
  rule: z.string().max(1_000),
  /** What the rule picks up of the folder; null for everything. */
  patterns: z.array(z.string().max(10_000)).max(1_000).nullable(),
  /** ISO 8601, for people: clocks differ. */
  renewedAt: z.string().max(100),
  /** Grows with each renewal, so that each one changes the content. */
  beat: z.number().int().nonnegative(),
  /** The program has ended in good order while jobs were under way: it may resume at once. */
  resting: z.boolean(),
});

const assetSchema = z.object({
  id: z.number().int().positive(),
  /** API address of its service; null if unknown. */
  service: z.string().max(2_000).nullable(),
  /** All its files are in storage. */
  uploaded: z.boolean(),
});

const markSchema = z.object({
  version: z.literal(1),
  owner: ownerSchema,
  source: z.string().max(40_000),
  identity: z.string().max(200),
  /** `done`: it is COMPLETE. `failed`: no computer retries this content without a user decision. */
  state: z.enum(['taken', 'done', 'failed']),
  outcome: z.string().max(1_000).nullable(),
  asset: assetSchema.nullable(),
  /** What was uploaded (`verify/content.ts`); null if unknown. */
  content: z.string().max(200).nullable(),
  /** Keys of the files of a batch; null for other sources, whose paths say which files are theirs. */
  files: z.array(z.string().max(40_000)).max(2_000_000).nullable(),
});

/** Who watches a folder. */
export type WatchOwner = Readonly<z.infer<typeof ownerSchema>>;
export type LeaseRecord = Readonly<z.infer<typeof leaseSchema>>;
export type MarkedAsset = Readonly<z.infer<typeof assetSchema>>;
/** What became of a source, for the computer that takes the folder over. */
export type Mark = Readonly<z.infer<typeof markSchema>>;

/** Null for anything that isn't a lease. */
export const parseLease = (text: string): LeaseRecord | null =>
  leaseSchema.safeParse(parseJson(text)).data ?? null;

/** Null for anything that isn't a mark. */
export const parseMark = (text: string): Mark | null => markSchema.safeParse(parseJson(text)).data ?? null;

/** Both have the same settings on the same computer. */
export const isSameOwner = (one: WatchOwner, other: WatchOwner): boolean =>
  one.instance === other.instance && one.machine === other.machine;

/**
 * Tells computers with the same settings apart: a copied disk image, a profile that follows its user, two
 * sessions on one terminal server. Returns a hash, which keeps the machine's own id private.
 *
 * @param machineId the computer's own id; null if it has none
 * @param place of the user's data on it
 */
export function machineOf(machineId: string | null, place: string): string {
  return createHash('sha256')
    .update(`tilelift watch\0${machineId ?? ''}\0${place}`)
    .digest('hex')
    .slice(0, 32);
}

/** What a rule picks up of its folder, sorted; null for everything. */
export const patternsOf = ({ unit }: Pick<WatchRule, 'unit'>): string[] | null =>
  unit.kind === 'files' ? [...unit.patterns].sort() : null;

/** The file of the lease: several rules may watch one folder only if each picks up other files. */
export function leaseName(rule: Pick<WatchRule, 'unit'>): string {
  const patterns = patternsOf(rule);
  if (patterns === null) return 'folder.json';
  return `${createHash('sha256').update(patterns.join('\0')).digest('hex').slice(0, 32)}.json`;
}

/**
 * `ours`: this computer watches. `theirs`: another one does; null if it can't be told which. `former`: the
 * lease is of this computer's former run, or of a copy of it that was not seen to renew it yet.
 */
export type Standing =
  | { readonly kind: 'ours' }
  | { readonly kind: 'theirs' | 'former'; readonly host: string | null };

/** Which computer watches a folder. A rule whose folder isn't shared has it to itself. */
export interface FolderLeases {
  readonly owner: WatchOwner;
  /** Takes the lease of the rule's folder if no other computer has it. Throws `watch-lease-unwritable`. */
  take(rule: WatchRule): Promise<Standing>;
  /** Whether this computer still watches for the rule. Throws `watch-lease-unwritable`. */
  renew(rule: WatchRule): Promise<boolean>;
  /** Whether this computer writes what becomes of the rule's sources. */
  writes(rule: WatchRule): boolean;
}
