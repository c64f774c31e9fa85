import { z } from 'zod';
import type { CompletionInstruction } from '../service/model.ts';
import { errorRecord } from './kept-words.ts';

/** What can happen to a job. The journal keeps the events; the state follows from them. Times: epoch ms. */

const instruction = z
  .object({ method: z.string(), url: z.string(), fields: z.record(z.string(), z.unknown()) })
  .transform((value): CompletionInstruction => value);

const at = z.number();
const count = z.int().nonnegative();

export const jobEventSchema = z.discriminatedUnion('kind', [
  /** It is the job's turn: it begins. */
  z.object({ kind: z.literal('started'), at }),
  /**
   * `links`: in the source, not followed. `leftOut`: as the person wanted. `added`: among the files, those
   * that exist in the upload alone. `takenAlong`: among them, those from beside what was dropped. Each absent
   * for none.
   */
  z.object({
    kind: z.literal('scanned'),
    at,
    files: count,
    bytes: count,
    parts: count,
    links: count.optional(),
    leftOut: count.optional(),
    added: count.optional(),
    takenAlong: count.optional(),
  }),
  /**
   * The upload will probably outlive its storage credentials: nothing is created until a person wants it
   * anyway.
   */
  z.object({ kind: z.literal('confirmation-asked'), at, error: errorRecord }),
  z.object({ kind: z.literal('confirmed'), at }),
  /** Written before the request leaves: from now on an asset may exist. */
  z.object({ kind: z.literal('create-requested'), at }),
  /** The last request in doubt created no asset. */
  z.object({ kind: z.literal('create-settled'), at }),
  /** The first request in doubt created this asset: unusable, since its upload location is lost. */
  z.object({ kind: z.literal('orphan-left'), at, assetId: z.int() }),
  z.object({
    kind: z.literal('asset-created'),
    at,
    assetId: z.int(),
    credentialsEndAt: z.number(),
    onComplete: instruction,
  }),
  z.object({ kind: z.literal('upload-finished'), at }),
  z.object({ kind: z.literal('completion-accepted'), at }),
  /**
   * The service's word for the asset's status changed, or another quarter of the tiling is behind it.
   * `percent` (0 to 100) and `message`, the service's own words, where it has them.
   */
  z.object({
    kind: z.literal('asset-status'),
    at,
    status: z.string(),
    percent: z.number().optional(),
    message: z.string().optional(),
  }),
  z.object({ kind: z.literal('tiled'), at, status: z.string() }),
  z.object({ kind: z.literal('tiling-failed'), at, status: z.string(), error: errorRecord }),
  z.object({ kind: z.literal('paused'), at }),
  z.object({ kind: z.literal('resumed'), at }),
  z.object({ kind: z.literal('cancelled'), at }),
  z.object({ kind: z.literal('failed'), at, error: errorRecord }),
  /** `bytesDone`: what storage had confirmed by then. */
  z.object({ kind: z.literal('expired'), at, error: errorRecord, bytesDone: count.optional() }),
  /** A person's wish, the only thing that takes a job out of an ended state. */
  z.object({ kind: z.literal('tried-again'), at }),
  // For the history alone:
  /** A time of trouble begins, through which the job keeps trying. */
  z.object({ kind: z.literal('troubled'), at, error: errorRecord }),
  /** The last time of trouble is over. `endedAt`: when the job got further again. */
  z.object({ kind: z.literal('recovered'), at, endedAt: z.number() }),
  /** Tilelift was started again and took the job up. */
  z.object({ kind: z.literal('taken-up'), at }),
  z.object({
    kind: z.literal('resent'),
    at,
    path: z.string(),
    reason: z.enum(['upload-gone', 'parts-refused', 'parts-missing']),
  }),
]);

export type JobEvent = z.infer<typeof jobEventSchema>;

const knownKinds: ReadonlySet<string> = new Set(
  jobEventSchema.options.map((option) => option.shape.kind.value),
);

/** The kind of an event that only a later version of Tilelift knows; null where it is ours, or no event. */
export function laterKind(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return null;
  return typeof value.kind === 'string' && !knownKinds.has(value.kind) ? value.kind : null;
}
