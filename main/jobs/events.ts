import { z } from 'zod';
import type { CompletionInstruction } from '../service/model.ts';
import { errorRecord } from './stored-errors.ts';

/** A job's state follows from its events. Times: epoch ms. */

const instruction = z
  .object({ method: z.string(), url: z.string(), fields: z.record(z.string(), z.unknown()) })
  .transform((value): CompletionInstruction => value);

const timestamp = z.number();
const count = z.int().nonnegative();

/** Everything that can happen to a job. */
export const jobEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started'), at: timestamp }),
  /**
   * `links`: not followed. `added`: files that only exist in the upload. `takenAlong`: from outside the
   * dropped entries.
   */
  z.object({
    kind: z.literal('scanned'),
    at: timestamp,
    files: count,
    bytes: count,
    parts: count,
    links: count.optional(),
    leftOut: count.optional(),
    added: count.optional(),
    takenAlong: count.optional(),
  }),
  /** The upload will probably outlive its credentials. */
  z.object({ kind: z.literal('confirmation-asked'), at: timestamp, error: errorRecord }),
  z.object({ kind: z.literal('confirmed'), at: timestamp }),
  /** Written before the request: an asset may exist from then on. */
  z.object({ kind: z.literal('create-requested'), at: timestamp }),
  /** The last unanswered request created no asset. */
  z.object({ kind: z.literal('create-settled'), at: timestamp }),
  /** The first unanswered request created this asset, unusable without its upload location. */
  z.object({ kind: z.literal('orphan-left'), at: timestamp, assetId: z.int() }),
  z.object({
    kind: z.literal('asset-created'),
    at: timestamp,
    assetId: z.int(),
    credentialsEndAt: z.number(),
    onComplete: instruction,
  }),
  z.object({ kind: z.literal('upload-finished'), at: timestamp }),
  z.object({ kind: z.literal('completion-accepted'), at: timestamp }),
  /** `percent`: 0 to 100. `message`: the service's text. */
  z.object({
    kind: z.literal('asset-status'),
    at: timestamp,
    status: z.string(),
    percent: z.number().optional(),
    message: z.string().optional(),
  }),
  z.object({ kind: z.literal('tiled'), at: timestamp, status: z.string() }),
  z.object({ kind: z.literal('tiling-failed'), at: timestamp, status: z.string(), error: errorRecord }),
  z.object({ kind: z.literal('paused'), at: timestamp }),
  z.object({ kind: z.literal('resumed'), at: timestamp }),
  z.object({ kind: z.literal('cancelled'), at: timestamp }),
  z.object({ kind: z.literal('failed'), at: timestamp, error: errorRecord }),
  z.object({ kind: z.literal('expired'), at: timestamp, error: errorRecord, bytesDone: count.optional() }),
  /** Only the user can restart an ended job. */
  z.object({ kind: z.literal('tried-again'), at: timestamp }),
  // The following events are only for the history.
  z.object({ kind: z.literal('troubled'), at: timestamp, error: errorRecord }),
  /** `endedAt`: when the job progressed again. */
  z.object({ kind: z.literal('recovered'), at: timestamp, endedAt: z.number() }),
  z.object({ kind: z.literal('taken-up'), at: timestamp }),
  z.object({
    kind: z.literal('resent'),
    at: timestamp,
    path: z.string(),
    reason: z.enum(['upload-gone', 'parts-refused', 'parts-missing']),
  }),
]);

export type JobEvent = z.infer<typeof jobEventSchema>;

const knownKinds: ReadonlySet<string> = new Set(
  jobEventSchema.options.map((option) => option.shape.kind.value),
);

/** Null for known kinds. */
export function laterKind(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return null;
  return typeof value.kind === 'string' && !knownKinds.has(value.kind) ? value.kind : null;
}
