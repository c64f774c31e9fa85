import { z } from 'zod';
import { type WatchTiming, watchRuleSchema } from '../../main/watch/model/rule.ts';

export const watcherInput = z.object({
  folder: z.string(),
  machine: z.string().optional(),
  baseUrl: z.string(),
  authUrl: z.string(),
  /** Their `accountId` is replaced by the signed-in account's. */
  rules: z.array(watchRuleSchema),
  /** Whether to upload files that are older than the rules. */
  takeExisting: z.boolean(),
  logFolder: z.string().optional(),
  timing: z.custom<Partial<WatchTiming>>().optional(),
});
export type WatcherInput = z.infer<typeof watcherInput>;

/** Environment variable with the key of the vault's cipher: 64 hex digits. */
export const vaultKeyVariable = 'TILELIFT_SOAK_VAULT_KEY';

/** Messages to the process: the user's actions. */
export const orderSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('choose'),
    ruleId: z.string(),
    path: z.string(),
    choice: z.enum(['leave-it', 'make-asset']),
  }),
  /** Edits a rule's ignore lines; affected sources stay as they are. */
  z.object({ kind: z.literal('edit'), ruleId: z.string(), ignore: z.array(z.string()) }),
]);
export type WatcherOrder = z.infer<typeof orderSchema>;

/** Messages from the process. */
export const tidingSchema = z.discriminatedUnion('kind', [
  /** A source is held; repeated until the user has chosen. */
  z.object({ kind: z.literal('held'), ruleId: z.string(), path: z.string(), why: z.string() }),
  /** The rule was edited. `concerned`: number of sources that the dialog asked about. */
  z.object({ kind: z.literal('edited'), concerned: z.number() }),
  z.object({ kind: z.literal('not-edited'), error: z.string() }),
]);
export type WatcherMessage = z.infer<typeof tidingSchema>;
