import type { Asset, AssetOptions } from '../../shared/assets.ts';
import type { AssetEndpoint } from '../../shared/globe.ts';
import type { AssetChange } from '../../shared/schemas/asset-change.ts';
import type { ServiceAddress } from '../../shared/services.ts';

export type { Asset, ServiceAddress };

/** Contract parts 2 and 3. */

/** Contract 2.2. */
export interface CreationBody {
  readonly name: string;
  readonly description?: string;
  readonly type: string;
  readonly options: AssetOptions;
}

/** Contract 2.3. Never log it or store it in plain text. */
export interface UploadLocation {
  readonly bucket: string;
  /** Ends with a slash. */
  readonly prefix: string;
  readonly accessKey: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  /** Default: the SDK's endpoint for us-east-1. */
  readonly endpoint?: string;
}

/** Contract 2.4: sent back unchanged. */
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

/** For a signed-in account. Each throws `TileliftError`. */
export interface ServiceApi {
  /** The service's clock minus ours, ms; 0 before the first response. */
  clockAheadMs(): number;
  /** GET /v1/assets (4.5). */
  listAssets(signal?: AbortSignal): Promise<readonly Asset[]>;
  /** POST /v1/assets (4.6). Never retried here once it may have arrived. */
  createAsset(body: CreationBody, signal?: AbortSignal): Promise<CreatedAsset>;
  /** Contract 4.8; safe to repeat. */
  completeUpload(instruction: CompletionInstruction, signal?: AbortSignal): Promise<void>;
  /** GET /v1/assets/{id} (4.9). */
  readAsset(id: number, signal?: AbortSignal): Promise<Asset>;
  /** GET /v1/assets/{id}/endpoint, which not every service has: null then, and for external assets. */
  readEndpoint(id: number): Promise<AssetEndpoint | null>;
  /**
   * PATCH and DELETE /v1/assets/{id}, which not every service has (docs/service-facts.md).
   * @throws TileliftError `change-unsupported`
   */
  editAsset(id: number, change: AssetChange, signal?: AbortSignal): Promise<Asset>;
  deleteAsset(id: number, signal?: AbortSignal): Promise<void>;
}
