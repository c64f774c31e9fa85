/** What the service knows of assets, by its own words (contract 2.1, 3.1). */

export const assetTypes = ['3DTILES', 'IMAGERY', 'TERRAIN'] as const;
export type AssetType = (typeof assetTypes)[number];

/** What people show an asset in, for which there is code to copy. */
export const snippetTools = ['cesiumjs', 'unreal', 'unity'] as const;
export type SnippetTool = (typeof snippetTools)[number];

/** Asset record (contract 2.1). `status` stays a string: values that the contract does not name are kept. */
export interface Asset {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly attribution: string;
  readonly bytes: number;
  /** ISO 8601, UTC. */
  readonly dateAdded: string;
  readonly status: string;
  /** 0 to 100. */
  readonly percentComplete: number;
  /** Seen beyond the contract: what went wrong, in the service's words. */
  readonly error?: string;
  /** Seen beyond the contract: what tiling is doing now. */
  readonly progressMessage?: string;
}

/** Tiling options (contract 2.2); further ones pass through as they are. */
export interface AssetOptions {
  readonly sourceType: string;
  readonly clampToTerrain?: boolean;
  readonly baseTerrainId?: number;
  readonly [option: string]: unknown;
}

/** Status values that end polling (contract 3.1, 4.9). Others are shown as they are and polled on. */
const endedStatuses: readonly string[] = ['COMPLETE', 'DATA_ERROR', 'ERROR'];

/** Status of an asset to which nobody has said that all its files are there (contract 3.1). */
export const awaitsFiles = 'AWAITING_FILES';

const contractStatuses: readonly string[] = [awaitsFiles, 'NOT_STARTED', 'IN_PROGRESS', ...endedStatuses];

/** Whether the contract names this status (3.1), letter by letter: `Complete` isn't COMPLETE. */
export function isContractStatus(status: string): boolean {
  return contractStatuses.includes(status);
}

/** Whether tiling has come to an end, good or bad. */
export function hasTilingEnded(status: string): boolean {
  return endedStatuses.includes(status);
}

/**
 * Whether tiling is under way, as far as the status says. One that awaits files may do so for ever.
 */
export function isTiling(status: string): boolean {
  return status !== awaitsFiles && !hasTilingEnded(status);
}

/** Whether tiling has come to a bad end: there is nothing to look at. */
export function hasTilingFailed(status: string): boolean {
  return status !== 'COMPLETE' && hasTilingEnded(status);
}

/** Only what stands on the ground can be clamped to it (contract 2.2). */
export function mayBeClamped(assetType: AssetType | null): boolean {
  return assetType === '3DTILES';
}
