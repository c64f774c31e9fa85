import { z } from 'zod';

const taskSchema = z.object({
  endpoint: z.string(),
  bucket: z.string(),
  caFile: z.string(),
  accessKey: z.string(),
  secretAccessKey: z.string(),
  sessionToken: z.string(),
  id: z.enum(['large', 'small']),
  path: z.string(),
  shape: z.enum(['file', 'folder']),
  files: z.number(),
  bytes: z.number(),
  /** Measures the main thread's event loop, which costs a little. */
  watchLoop: z.boolean(),
});

/** Files and destination of one client program. */
export type ClientTask = z.infer<typeof taskSchema>;

/** Parses the program's only argument. */
export function readTask(): ClientTask {
  return taskSchema.parse(JSON.parse(process.argv[2] ?? ''));
}

export const partSize = 8 * 1024 * 1024;

export const oursReportSchema = z.object({
  /** Largest resident size of the process with its threads. */
  peakBytes: z.number(),
  /**
   * Delay of the main thread's event loop while sending, ms, including its 1 ms timer. Null unless requested.
   */
  loop: z.object({ p50: z.number(), p99: z.number(), max: z.number() }).nullable(),
});

export type OursReport = z.infer<typeof oursReportSchema>;
