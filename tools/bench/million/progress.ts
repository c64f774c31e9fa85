import { z } from 'zod';

/** Output of `clients/many.ts`, one line of JSON each. Seconds count from the start of its process. */
export const progressSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('planned'), seconds: z.number() }),
  /** Storage confirmed the first file of this run. */
  z.object({ kind: z.literal('first'), seconds: z.number() }),
  z.object({ kind: z.literal('half') }),
  z.object({
    kind: z.literal('end'),
    files: z.number(),
    seconds: z.number(),
    journalSeconds: z.number(),
    journalBytes: z.number(),
    peakBytes: z.number(),
  }),
]);

export type Progress = z.infer<typeof progressSchema>;
