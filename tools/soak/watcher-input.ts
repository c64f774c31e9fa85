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
  /** Also what lies in their folders before they are made. */
  takeExisting: z.boolean(),
  /** Where it logs; nowhere when absent. */
  logFolder: z.string().optional(),
  /** How long watching waits, where not as usual. */
  timing: z.custom<Partial<WatchTiming>>().optional(),
});
export type WatcherInput = z.infer<typeof watcherInput>;

/** The environment variable with the key of the vault's cipher: 64 hex digits. */
export const vaultKeyVariable = 'TILELIFT_SOAK_VAULT_KEY';
