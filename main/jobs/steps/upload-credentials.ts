import { z } from 'zod';
import type { Vault } from '../../account/vault/vault.ts';
import { parseJson } from '../../service/answer.ts';
import type { CreatedAsset, UploadLocation } from '../../service/model.ts';

/** Secret, so kept in the vault, never in the journal. */
export interface UploadGrant {
  readonly assetId: number;
  readonly location: UploadLocation;
  readonly onComplete: CreatedAsset['onComplete'];
  /** Expected end, ms since the epoch. */
  readonly credentialsEndAt: number;
}

const grantSchema = z
  .object({
    assetId: z.int(),
    location: z.object({
      bucket: z.string(),
      prefix: z.string(),
      accessKey: z.string(),
      secretAccessKey: z.string(),
      sessionToken: z.string(),
      endpoint: z.string().optional(),
    }),
    onComplete: z.object({ method: z.string(), url: z.string(), fields: z.record(z.string(), z.unknown()) }),
    credentialsEndAt: z.number(),
  })
  .transform((grant): UploadGrant => grant);

/** The stored grants of jobs. */
export interface UploadGrants {
  /** Undefined if missing or unreadable. */
  get(jobId: string): UploadGrant | undefined;
  set(jobId: string, grant: UploadGrant): void;
  delete(jobId: string): void;
  jobIds(): readonly string[];
}

export function createUploadGrants(vault: Vault): UploadGrants {
  const stem = 'upload-credentials:';
  const key = (jobId: string) => `${stem}${jobId}`;
  return {
    get: (jobId) => {
      const text = vault.get(key(jobId));
      return text === undefined ? undefined : grantSchema.safeParse(parseJson(text)).data;
    },
    set: (jobId, grant) => vault.set(key(jobId), JSON.stringify(grant)),
    delete: (jobId) => vault.delete(key(jobId)),
    jobIds: () => vault.keys().flatMap((name) => (name.startsWith(stem) ? [name.slice(stem.length)] : [])),
  };
}
