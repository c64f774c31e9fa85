import type { Asset } from '../../service/model.ts';

/** What claims need of the accounts that rules make assets for. */
export interface WatchAccounts {
  /** True while it is signed in and may be used. */
  isReady(accountId: string): boolean;
  /** API address of its service; null where the account is not known. */
  serviceOf(accountId: string): string | null;
  /** Throws what a failed request throws. */
  readAsset(accountId: string, assetId: number): Promise<Asset>;
}
