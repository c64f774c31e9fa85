import type { AssetType } from '../../shared/assets.ts';

/** The service's own records, as Tilelift uses them (contract parts 2 and 3). */

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

/** Asset creation body (contract 2.2). */
export interface CreationBody {
  readonly name: string;
  readonly description?: string;
  readonly type: AssetType;
  readonly options: AssetOptions;
}

/** Contract 2.3. Holds secrets: never logged, never on disk in plain text. */
export interface UploadLocation {
  readonly bucket: string;
  /** Ends with a slash. */
  readonly prefix: string;
  readonly accessKey: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  /** Absent: the SDK's own endpoint for us-east-1. */
  readonly endpoint?: string;
}

/** Contract 2.4: sent back exactly as given. */
export interface CompletionInstruction {
  readonly method: string;
  readonly url: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface CreatedAsset {
  readonly asset: Asset;
  readonly uploadLocation: UploadLocation;
  readonly onComplete: CompletionInstruction;
}

/** Where one service lives: API host and sign-in host (contract, address placeholders). No trailing slashes. */
export interface ServiceAddress {
  readonly baseUrl: string;
  readonly authUrl: string;
}

/** The four calls of `/v1`, for one signed-in account. Each throws `TileliftError`. */
export interface ServiceApi {
  /** How far the service's clock is ahead of this computer's, ms, by its last answer; 0 before there is one. */
  clockAheadMs(): number;
  /** GET /v1/assets (4.5). */
  listAssets(signal?: AbortSignal): Promise<readonly Asset[]>;
  /** POST /v1/assets (4.6). Not idempotent: never retried here once the request may have arrived. */
  createAsset(body: CreationBody, signal?: AbortSignal): Promise<CreatedAsset>;
  /** The completion instruction (4.8). Safe to repeat. */
  completeUpload(instruction: CompletionInstruction, signal?: AbortSignal): Promise<void>;
  /** GET /v1/assets/{id} (4.9). */
  readAsset(id: number, signal?: AbortSignal): Promise<Asset>;
}
