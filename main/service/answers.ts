import { z } from 'zod';
import type { Asset, CompletionInstruction, CreatedAsset, UploadLocation } from './model.ts';

/** Schemas of what the service answers. Liberal in what may be missing or added, strict in the kind of what is there. */

const optionalText = z.string().optional().catch(undefined);
const textOrEmpty = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const numberOrZero = z
  .number()
  .nullish()
  .transform((value) => value ?? 0);

/** Contract 2.1. Unknown fields are kept; `error` and `progressMessage` only where they are texts. */
const assetSchema = z
  .looseObject({
    id: z.int(),
    type: z.string(),
    name: z.string(),
    description: textOrEmpty,
    attribution: textOrEmpty,
    bytes: numberOrZero,
    dateAdded: textOrEmpty,
    status: z.string().min(1),
    percentComplete: numberOrZero.transform((percent) => Math.min(100, Math.max(0, percent))),
    error: optionalText,
    progressMessage: optionalText,
  })
  .transform(({ error, progressMessage, ...asset }): Asset => {
    return { ...asset, ...(error ? { error } : {}), ...(progressMessage ? { progressMessage } : {}) };
  });

/** Contract 2.3. `endpoint` may be absent, and null or empty means the same. */
const uploadLocationSchema = z
  .object({
    bucket: z.string().min(1),
    prefix: z.string().min(1),
    accessKey: z.string().min(1),
    secretAccessKey: z.string().min(1),
    sessionToken: z.string().min(1),
    endpoint: z.union([z.url({ protocol: /^https?$/ }), z.literal('')]).nullish(),
  })
  .transform(
    ({ endpoint, ...location }): UploadLocation => (endpoint ? { ...location, endpoint } : location),
  );

/** Contract 2.4. */
const completionSchema = z
  .object({
    method: z.enum(['POST', 'PUT', 'PATCH']),
    url: z.url({ protocol: /^https?$/ }),
    fields: z
      .record(z.string(), z.unknown())
      .nullish()
      .transform((fields) => fields ?? {}),
  })
  .transform((instruction): CompletionInstruction => instruction);

/** Contract 4.9. */
export const assetAnswer = assetSchema;

/** Contract 4.5. */
export const listAnswer = z
  .looseObject({ items: z.array(assetSchema) })
  .transform(({ items }): readonly Asset[] => items);

/**
 * Contract 4.6, which prints the name of the first property as "the service". Public clients know it as `assetMetadata`;
 * under any other name it is found by its shape, an object with `id` and `status`.
 */
export const createAnswer = z
  .record(z.string(), z.unknown())
  .transform((answer) => ({
    asset: answer.assetMetadata ?? Object.values(answer).find(looksLikeAsset),
    uploadLocation: answer.uploadLocation,
    onComplete: answer.onComplete,
  }))
  .pipe(z.object({ asset: assetSchema, uploadLocation: uploadLocationSchema, onComplete: completionSchema }))
  .transform((created): CreatedAsset => created);

function looksLikeAsset(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value && 'status' in value;
}
