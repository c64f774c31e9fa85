import type { Asset, AssetOptions, AssetType } from '../../shared/assets.ts';
import type { ServiceAddress } from '../../shared/services.ts';

export type { Asset, ServiceAddress };

/** The service's own records, as Tilelift uses them (contract parts 2 and 3). */

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

/** The four calls of `/v1`, for one signed-in account. Each throws `TileliftError`. */
export interface ServiceApi {
  /** How far the service's clock is ahead of ours, ms, by its last answer; 0 before there is one. */
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
