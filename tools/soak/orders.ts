import { z } from 'zod';

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
