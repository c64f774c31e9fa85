import { z } from 'zod';
import { doorSchema } from '../door.ts';

/** Asks for a report; `reset` begins the next run after it. */
export const orderSchema = z.enum(['report', 'reset']);
export type SinkOrder = z.infer<typeof orderSchema>;

export const listeningSchema = z.object({
  kind: z.literal('listening'),
  http: doorSchema,
  https: doorSchema,
});

export const reportSchema = z.object({
  kind: z.literal('report'),
  /** Whole objects that would now be in storage, and their bytes. */
  objects: z.number(),
  bytes: z.number(),
  requests: z.number(),
  /** From the first byte of the first request to the last answer. */
  wireSeconds: z.number(),
  /** The stand-in's own processor time. */
  cpuSeconds: z.number(),
});

/** What arrived since the last reset. */
export type SinkReport = z.infer<typeof reportSchema>;
