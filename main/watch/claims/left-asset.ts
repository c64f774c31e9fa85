import { TileliftError } from '../../errors.ts';
import type { Asset } from '../../service/model.ts';
import type { WatchRule } from '../rule.ts';
import type { ClaimedAsset } from './claim-model.ts';
import type { WatchAccounts } from './claims.ts';

/**
 * What is to become of a source whose computer is gone, by the asset that it left. `going`: it is being
 * tiled. `ask`: all its files are there, and without its credentials nobody but that computer can say so to
 * the service. `own`: its files never came, so another asset is created.
 */
type LeftFate = 'done' | 'failed' | 'going' | 'ask' | 'own';

/** `asset`: as our own account sees it; null where it can't. Pure. */
export function fateOfLeft(
  { uploaded }: Pick<ClaimedAsset, 'uploaded'>,
  asset: Pick<Asset, 'type' | 'status'> | null,
  { assetType }: Pick<WatchRule, 'assetType'>,
): LeftFate {
  // Of another kind it is another asset, whatever the claim says.
  if (asset?.type !== assetType || asset.status === 'AWAITING_FILES') return uploaded ? 'ask' : 'own';
  if (asset.status === 'COMPLETE') return 'done';
  return asset.status === 'DATA_ERROR' || asset.status === 'ERROR' ? 'failed' : 'going';
}

/**
 * The asset that a claim names, as the rule's own account sees it; null where it can't: it is gone, another
 * account's, or of another service. Throws what a failed request throws.
 */
export async function seeAsset(
  { id, service }: ClaimedAsset,
  { accountId }: Pick<WatchRule, 'accountId'>,
  accounts: WatchAccounts,
): Promise<Asset | null> {
  if (service !== accounts.serviceOf(accountId)) return null;
  try {
    return await accounts.readAsset(accountId, id);
  } catch (thrown) {
    if (thrown instanceof TileliftError && thrown.code === 'asset-not-found') return null;
    throw thrown;
  }
}
