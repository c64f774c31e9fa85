import { z } from 'zod';

/** What the program that runs our engine prints at its end. */
export const oursReportSchema = z.object({
  /** Largest resident size of the process, all threads included. */
  peakBytes: z.number(),
  /** Delay of the main thread's event loop while sending, ms, its timer of 1 ms included. Null unless asked for. */
  loop: z.object({ p50: z.number(), p99: z.number(), max: z.number() }).nullable(),
});

export type OursReport = z.infer<typeof oursReportSchema>;
