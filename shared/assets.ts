/** What the service knows of assets, by its own words (contract 2.1, 3.1). */

export const assetTypes = ['3DTILES', 'IMAGERY', 'TERRAIN'] as const;
export type AssetType = (typeof assetTypes)[number];

/** Status values that end polling (contract 3.1, 4.9). Others, named or not, are shown as they are and polled on. */
const endedStatuses: readonly string[] = ['COMPLETE', 'DATA_ERROR', 'ERROR'];

/** Whether tiling has come to an end, good or bad. */
export function hasTilingEnded(status: string): boolean {
  return endedStatuses.includes(status);
}

/** Whether tiling has come to a bad end: there is nothing to look at. */
export function hasTilingFailed(status: string): boolean {
  return status !== 'COMPLETE' && hasTilingEnded(status);
}

/** Only what stands on the ground can be clamped to it (contract 2.2). */
export function mayBeClamped(assetType: AssetType | null): boolean {
  return assetType === '3DTILES';
}
