import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../service/answer.ts';

/**
 * What stands in a claim. Pure. Others write there too: nothing in it is an order, and its asset is only ever
 * looked up with our own account.
 */

/** Claims of versions before it have no number, name no asset and no machine. */
export const claimVersion = 2;

const ownerSchema = z.object({
  /** Of one Tilelift's settings, for good; a copied profile or disk image has the same. */
  instance: z.string().min(1).max(200),
  /**
   * Of one computer and one place of the user's data on it (`machineOf`): with `instance`, it knows its own
   * claims again after a restart.
   */
  machine: z.string().max(200).nullable().default(null),
  host: z.string().max(1_000),
  pid: z.number().int().nonnegative(),
});

const assetSchema = z.object({
  id: z.number().int().positive(),
  /** API address of its service; null where that is not known. */
  service: z.string().max(2_000).nullable(),
  /** All its files are in storage. */
  uploaded: z.boolean(),
});

const contentSchema = z.object({
  fingerprint: z.string().max(200),
  newestMs: z.number(),
  /** SHA-256 over `key`, size and ETag of every file, by which copies of a receipt can be told apart. */
  digest: z.string().max(200),
  /** All of it in one word (`verify/content.ts`); versions before did not say it. */
  word: z.string().max(200).optional(),
  /** As in a receipt; null where there are too many to list. */
  files: z
    .array(
      z.object({
        key: z.string().max(4_000),
        size: z.number().nonnegative(),
        etag: z.string().max(200).nullable(),
        partSize: z.number().nonnegative(),
      }),
    )
    .max(200)
    .nullable(),
});

const claimSchema = z.object({
  version: z.number().int().max(claimVersion).default(1),
  /** Of this claim alone: no other file ever has the same content. */
  id: z.string().max(200),
  owner: ownerSchema,
  source: z.string().max(40_000),
  identity: z.string().max(200),
  /** ms since the epoch, for people: of a clock that others need not share. */
  since: z.number(),
  /** `done`: it is COMPLETE. `failed`: with this content nobody tries it again without a person's word. */
  state: z.enum(['held', 'done', 'failed']),
  /** What became of the source, once it is not held any more. */
  outcome: z.string().max(20_000).nullable(),
  /** Grows with each renewal, so that one shows whatever the file server's clock says. */
  beat: z.number().int().nonnegative().default(0),
  /** Null before there is one. */
  asset: assetSchema.nullable().default(null),
  /** Of what became COMPLETE. */
  content: contentSchema.nullable().default(null),
});

const laterSchema = z.object({ version: z.number().gt(claimVersion) });

export type ClaimOwner = Readonly<z.input<typeof ownerSchema>>;
export type ClaimedAsset = z.infer<typeof assetSchema>;
export type ClaimedContent = z.infer<typeof contentSchema>;
export type Claim = z.infer<typeof claimSchema>;

/** Null for what makes no sense; `later` for a claim of a version that this one can't read. */
export function parseClaim(text: string): Claim | 'later' | null {
  const json = parseJson(text);
  if (laterSchema.safeParse(json).success) return 'later';
  return claimSchema.safeParse(json).data ?? null;
}

/** The claim is of the same settings on the same computer. Claims of earlier versions name only the host. */
export function isOwn(claim: { readonly owner: ClaimOwner } | null | undefined, owner: ClaimOwner): boolean {
  if (claim?.owner.instance !== owner.instance) return false;
  const theirs = claim.owner.machine ?? null;
  const ours = owner.machine ?? null;
  return theirs === null || ours === null ? claim.owner.host === owner.host : theirs === ours;
}

/** The claim is from a computer with the same settings: a copied disk image, a roaming profile. */
export function isTwin(claim: { readonly owner: ClaimOwner }, owner: ClaimOwner): boolean {
  return claim.owner.instance === owner.instance && !isOwn(claim, owner);
}

/**
 * What tells this computer's claims from those of others with the same settings: a copied disk image, a
 * profile that follows its user, two sessions on one terminal server. A hash, since the machine's own id is
 * nobody else's business.
 *
 * @param machineId the computer's own id; null where it has none
 * @param place of the user's data on it
 */
export function machineOf(machineId: string | null, place: string): string {
  return createHash('sha256')
    .update(`tilelift claims\0${machineId ?? ''}\0${place}`)
    .digest('hex')
    .slice(0, 32);
}
