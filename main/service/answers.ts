import { z } from 'zod';
import type { AssetEndpoint } from '../../shared/globe.ts';
import { isTooDeep } from './answer.ts';
import type { Asset } from './model.ts';

/** Only `id` and `status` are required for uploading and tracking. */

/** Some services serialize 64-bit numbers as text. */
const numberIn = (value: unknown) =>
  typeof value === 'string' && numberText.test(value) ? Number(value) : value;
const numberText = /^-?\d{1,20}(?:\.\d{1,20})?$/;

const optionalText = z.string().optional().catch(undefined);
const textOrEmpty = z.string().catch('');
const numberOrZero = z.preprocess(numberIn, z.number()).catch(0);

/** An asset's ID, as a number or text. */
export const assetId = z.preprocess(numberIn, z.int());

/** Contract 2.1. Drops unknown fields that are nested too deeply. */
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

/** A page of the asset list. */
export interface ListPage {
  readonly assets: readonly Asset[];
  /** One unreadable record must not hide the others. */
  readonly droppedCount: number;
  /** Null after the last page. */
  readonly next: string | null;
}

/** Contract 4.5 has no paging; some services use `next`. */
export const listAnswer = z
  .looseObject({ items: z.array(z.unknown()), next: z.unknown().optional() })
  .transform(({ items, next }): ListPage => {
    const assets = items.flatMap((item) => assetSchema.safeParse(item).data ?? []);
    const address = typeof next === 'string' && next !== '' ? next : null;
    return { assets, droppedCount: items.length - assets.length, next: address };
  });

/** Undocumented (docs/service-facts.md). External assets have options instead of a `url`. */
export const endpointAnswer = z
  .looseObject({
    type: z.string(),
    url: z.url(),
    accessToken: textOrEmpty,
    attributions: z.array(z.looseObject({ html: textOrEmpty })).catch([]),
  })
  .transform(
    ({ type, url, accessToken, attributions }): AssetEndpoint => ({
      ...{ type, url, accessToken },
      attributions: attributions.map(({ html }) => html),
    }),
  )
  .nullable()
  .catch(null);
