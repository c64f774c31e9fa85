import { access } from 'node:fs/promises';
import { withPatience } from '../../abandoned-work.ts';
import type { Tilelift } from '../../app.ts';
import { toTileliftError } from '../../errors.ts';
import { isTransient } from '../../service/who-answered.ts';
import type { CallHandlers } from '../bind.ts';
import { assetDetailsView, assetUploads, assetView } from '../views/asset-views.ts';
import { showSource } from './show-source.ts';

type AssetParts = Pick<Tilelift, 'accounts' | 'assets' | 'jobs' | 'subscribedAssets' | 'watch'>;
type AssetCall = 'assets.list' | 'assets.details' | 'assets.here' | 'assets.tell' | 'assets.showSource';

/** A drive without an answer for this long counts as away, ms. */
const patienceMs = 2_000;

/**
 * Handlers for assets and this computer's uploads of them. `accountId`: returns the current account or
 * throws.
 */
export function assetHandlers(
  { accounts, assets, jobs, subscribedAssets, watch }: AssetParts,
  accountId: () => string,
  show: (path: string) => void,
): Pick<CallHandlers, AssetCall> {
  const uploadsOf = (id: number) => {
    const account = accountId();
    return assetUploads(jobs.ofAsset(account, id), watch.uploadsOf(account, id), isThere);
  };
  const read = async (account: string, id: number) => {
    try {
      const asset = await accounts.serviceFor(account).readAsset(id);
      assets.recordAsset(account, asset);
      return asset;
    } catch (thrown) {
      const cachedAsset = assets.cachedAsset(account, id);
      if (cachedAsset && isTransient(toTileliftError(thrown))) return cachedAsset;
      throw thrown;
    }
  };
  return {
    'assets.list': async () => {
      const account = accountId();
      const list = await assets.list(account);
      const localAssetIds = madeHere({ jobs, watch }, account);
      return list.map((asset) => assetView(asset, localAssetIds.has(asset.id)));
    },
    'assets.details': async (id) => {
      const account = accountId();
      const asset = assets.followed(account, id) ?? (await read(account, id));
      return assetDetailsView(asset, madeHere({ jobs, watch }, account).has(id));
    },
    'assets.here': async (id) => ({
      uploads: await uploadsOf(id),
      isTold: subscribedAssets.isTold({ accountId: accountId(), assetId: id }),
    }),
    'assets.tell': async ({ id, wanted: isSubscribed }) =>
      subscribedAssets.set({ accountId: accountId(), assetId: id }, isSubscribed),
    'assets.showSource': async (id) => {
      const uploads = await uploadsOf(id);
      const { paths } = uploads.find((upload) => upload.isThere) ?? uploads[0] ?? {};
      await showSource(paths, show);
    },
  };
}

/** Returns ids of assets that this computer uploads or has uploaded. */
export function madeHere({ jobs, watch }: Pick<Tilelift, 'jobs' | 'watch'>, accountId: string) {
  return new Set([
    ...jobs.assetIds(accountId),
    ...jobs.madeAssets(accountId),
    ...watch.madeAssets(accountId),
  ]);
}

async function isThere(path: string): Promise<boolean> {
  const accessCheck = access(path).then(
    () => true,
    () => false,
  );
  return (await withPatience(accessCheck, patienceMs)) ?? false;
}
