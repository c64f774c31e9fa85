import { z } from 'zod';

/** What `clients/many.ts` tells, a line of JSON each. Seconds are since its process began. */
export const toldSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('planned'), seconds: z.number() }),
  /** Storage has confirmed the first file of this run. */
  z.object({ kind: z.literal('first'), seconds: z.number() }),
  z.object({ kind: z.literal('half') }),
  z.object({
    kind: z.literal('end'),
    files: z.number(),
    seconds: z.number(),
    /** In calls of the journal. */
    journalSeconds: z.number(),
    journalBytes: z.number(),
    /** Largest resident size of the process, all threads included. */
    peakBytes: z.number(),
  }),
]);

export type Told = z.infer<typeof toldSchema>;
