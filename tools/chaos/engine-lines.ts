import { z } from 'zod';
import { jobStatuses } from '../../shared/job-status.ts';

/** What the engine's process says, a line of JSON each. */
export const engineLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('job'),
    name: z.string(),
    status: z.enum(jobStatuses),
    bytesDone: z.number(),
    bytesTotal: z.number().nullable(),
    /** Parts that may be in flight at once. */
    lanes: z.number(),
  }),
  z.object({
    kind: z.literal('ended'),
    name: z.string(),
    status: z.enum(jobStatuses),
    assetId: z.number().nullable(),
    error: z.string().nullable(),
    history: z.array(z.string()),
  }),
  /** Every job has ended; the process goes. */
  z.object({ kind: z.literal('done') }),
]);
export type EngineLine = z.infer<typeof engineLine>;
export type JobLine = Extract<EngineLine, { kind: 'job' }>;
export type EndedLine = Extract<EngineLine, { kind: 'ended' }>;

/** One source that is to become one asset, under a name that no other has. */
export const order = z.object({ name: z.string(), path: z.string() });
export type Order = z.infer<typeof order>;

/** What the engine's process is started with. */
export const engineInput = z.object({
  folder: z.string(),
  baseUrl: z.string(),
  authUrl: z.string(),
  orders: z.array(order),
});
export type EngineInput = z.infer<typeof engineInput>;

/** The environment variable with the key of the vault's cipher: 64 hex digits. */
export const vaultKeyVariable = 'TILELIFT_CHAOS_VAULT_KEY';
