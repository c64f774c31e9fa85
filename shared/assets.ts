import type { Phrase } from '../strings/phrase.ts';

/** Types that the service tiles (contract 2.1). */
export const tiledTypes = ['3DTILES', 'IMAGERY', 'TERRAIN'] as const;
/** Types including those that it serves unchanged, which not every service has (docs/service-facts.md). */
export const assetTypes = [...tiledTypes, 'GLTF', 'GEOJSON', 'CZML', 'KML'] as const;
/** Services may have further asset types. */
export const assetTypeShape = /^[A-Z0-9][A-Z0-9_]{0,99}$/;
export type TiledType = (typeof tiledTypes)[number];
export type AssetType = (typeof assetTypes)[number];

/** Tools with code to copy. */
export const snippetTools = ['cesiumjs', 'unreal', 'unity'] as const;
export type SnippetTool = (typeof snippetTools)[number];

/** Texts to send to people who are to see an asset; `embed` is HTML. */
export const sharedTexts = ['link', 'message', 'embed', ...snippetTools] as const;
export type ShareTexts = Readonly<Record<(typeof sharedTexts)[number], string>>;

/** Assets deleted together: their names must fit in a dialog. */
export const maxDeletedAssets = 15;

/** Asset record (contract 2.1). `status` is a string so that values outside the contract survive. */
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
  /** Not in the contract: the service's error message. */
  readonly error?: string;
  /** Not in the contract: the current step of tiling. */
  readonly progressMessage?: string;
}

/** Tiling options (contract 2.2); unknown ones pass through unchanged. */
export interface AssetOptions {
  readonly sourceType: string;
  readonly clampToTerrain?: boolean;
  readonly baseTerrainId?: number;
  readonly [option: string]: unknown;
}

/** Status values that end polling (contract 3.1, 4.9). Polling continues on all others. */
const endedStatuses: readonly string[] = ['COMPLETE', 'DATA_ERROR', 'ERROR'];

/** Status until the upload is declared complete (contract 3.1). */
export const awaitsFiles = 'AWAITING_FILES';

/** Texts of the statuses that the contract names (3.1). */
const statusPhrases: ReadonlyMap<string, Phrase> = new Map<string, Phrase>([
  [awaitsFiles, { key: 'assets.status.awaitingFiles' }],
  ['NOT_STARTED', { key: 'history.notStarted' }],
  ['IN_PROGRESS', { key: 'assets.status.tiling' }],
  ['COMPLETE', { key: 'assets.status.complete' }],
  ['DATA_ERROR', { key: 'assets.status.dataError' }],
  ['ERROR', { key: 'assets.status.tilingFailed' }],
]);

/** Whether the contract names this status (3.1), case-sensitively. */
export function isContractStatus(status: string): boolean {
  return statusPhrases.has(status);
}

/** Null for a status of a later service. */
export function statusPhrase(status: string): Phrase | null {
  return statusPhrases.get(status) ?? null;
}

/** Whether tiling has ended, successfully or not. */
export function hasTilingEnded(status: string): boolean {
  return endedStatuses.includes(status);
}

/** Whether tiling is in progress. `AWAITING_FILES` doesn't count, because it may last forever. */
export function isTiling(status: string): boolean {
  return status !== awaitsFiles && !hasTilingEnded(status);
}

export function hasTilingFailed(status: string): boolean {
  return status !== 'COMPLETE' && hasTilingEnded(status);
}

/** Only 3D Tiles can be clamped to terrain (contract 2.2). */
export function mayBeClamped(assetType: AssetType | null): boolean {
  return assetType === '3DTILES';
}
