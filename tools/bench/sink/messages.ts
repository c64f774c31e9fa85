import { z } from 'zod';
import { doorSchema } from '../door.ts';

/** Requests a report; `reset` also starts the next run. */
export const orderSchema = z.enum(['report', 'reset']);
export type SinkOrder = z.infer<typeof orderSchema>;

export const listeningSchema = z.object({
  kind: z.literal('listening'),
  http: doorSchema,
  https: doorSchema,
});

export const reportSchema = z.object({
  kind: z.literal('report'),
  objects: z.number(),
  bytes: z.number(),
  requests: z.number(),
  /** Time from the first byte of the first request to the last answer. */
  wireSeconds: z.number(),
  cpuSeconds: z.number(),
});

/** Totals since the last reset. */
export type SinkReport = z.infer<typeof reportSchema>;
