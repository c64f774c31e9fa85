import { z } from 'zod';

/** New values of an asset's record; omitted ones stay. `description` is Markdown. */
export const assetChangeSchema = z.strictObject({
  name: z.string().trim().min(1).max(10_000).exactOptional(),
  description: z.string().max(1_000_000).exactOptional(),
});
export type AssetChange = Readonly<z.infer<typeof assetChangeSchema>>;
