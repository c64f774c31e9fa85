import { z } from 'zod';
import type { Asset } from './model.ts';

/** Schemas of what the service answers. Liberal in what may be missing or added, strict in types. */

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

/** Contract 4.9. */
export const assetAnswer = assetSchema;

/** A page of the list of assets. */
export interface ListPage {
  readonly assets: readonly Asset[];
  /** Records that could not be read: one odd asset must not hide the others. */
  readonly dropped: number;
  /** Where the answer says that the list continues, as it says it; null where it ends. */
  readonly next: string | null;
}

/** Contract 4.5, which shows no paging: an answer that has some names the next page in `next`. */
export const listAnswer = z
  .looseObject({ items: z.array(z.unknown()), next: z.unknown().optional() })
  .transform(({ items, next }): ListPage => {
    const assets = items.flatMap((item) => assetSchema.safeParse(item).data ?? []);
    const address = typeof next === 'string' && next !== '' ? next : null;
    return { assets, dropped: items.length - assets.length, next: address };
  });
