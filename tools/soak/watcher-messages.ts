import { z } from 'zod';
import { watchRuleSchema } from '../../main/watch/rule.ts';
import type { WatchTiming } from '../../main/watch/timing.ts';

/** What the watching process is started with. */
export const watcherInput = z.object({
  folder: z.string(),
  /** The computer's own id. */
  machine: z.string().optional(),
  baseUrl: z.string(),
  authUrl: z.string(),
  /** Their `accountId` is the signed-in one's. */
  rules: z.array(watchRuleSchema),
  /** Also what is in their folders before they are made. */
  takeExisting: z.boolean(),
  /** Where it logs; nowhere when absent. */
  logFolder: z.string().optional(),
  /** How long watching waits, where not as usual. */
  timing: z.custom<Partial<WatchTiming>>().optional(),
});
export type WatcherInput = z.infer<typeof watcherInput>;

/** The environment variable with the key of the vault's cipher: 64 hex digits. */
export const vaultKeyVariable = 'TILELIFT_SOAK_VAULT_KEY';

/** What the run and the process that watches say to each other. */

/** To the process: what a person does in its window. */
export const orderSchema = z.discriminatedUnion('kind', [
  /** Answers for one held source. */
  z.object({
    kind: z.literal('choose'),
    ruleId: z.string(),
    path: z.string(),
    choice: z.enum(['leave-it', 'make-asset']),
  }),
  /** Edits a rule's ignore lines; what is concerned by that is to stay as it is. */
  z.object({ kind: z.literal('edit'), ruleId: z.string(), ignore: z.array(z.string()) }),
]);
export type Order = z.infer<typeof orderSchema>;

/** From the process. */
export const tidingSchema = z.discriminatedUnion('kind', [
  /** A source is held: said again and again until a person has chosen. */
  z.object({ kind: z.literal('held'), ruleId: z.string(), path: z.string(), why: z.string() }),
  /** The rule was edited. `concerned`: sources that the dialog asked about. */
  z.object({ kind: z.literal('edited'), concerned: z.number() }),
  z.object({ kind: z.literal('not-edited'), error: z.string() }),
]);
export type Tiding = z.infer<typeof tidingSchema>;
