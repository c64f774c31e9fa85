import { z } from 'zod';
import { isTooDeep } from './answer.ts';
import type { Asset } from './model.ts';

/**
 * Schemas of the service's answers. Only `id` and `status` decide whether an asset record is usable: no other
 * field is needed to upload or to follow it.
 */

/** Numbers may come as text: services that serialize 64-bit numbers safely send them so. */
const numberIn = (value: unknown) =>
  typeof value === 'string' && numberText.test(value) ? Number(value) : value;
const numberText = /^-?\d{1,20}(?:\.\d{1,20})?$/;

const optionalText = z.string().optional().catch(undefined);
const textOrEmpty = z.string().catch('');
const numberOrZero = z.preprocess(numberIn, z.number()).catch(0);

/** The id of an asset, as a number or its digits. */
export const assetId = z.preprocess(numberIn, z.int());

/** Contract 2.1. Unknown fields are kept, unless they are nested too deeply to be shown or sent on. */
const assetSchema = z
  .looseObject({
    id: assetId,
    type: textOrEmpty,
    name: textOrEmpty,
    description: textOrEmpty,
    attribution: textOrEmpty,
    bytes: numberOrZero,
    dateAdded: textOrEmpty,
    status: z.string().min(1),
    percentComplete: numberOrZero.transform((percent) => Math.min(100, Math.max(0, percent))),
    error: optionalText,
    progressMessage: optionalText,
  })
  .transform(({ error, progressMessage, ...fields }): Asset => {
    const asset = { ...fields };
    for (const [name, value] of Object.entries(asset)) if (isTooDeep(value)) delete asset[name];
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
