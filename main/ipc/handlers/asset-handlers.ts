import { withinOrAbandon } from '../../abandoned-work.ts';
import type { Tilelift } from '../../app.ts';
import { toTileliftError } from '../../errors.ts';
import { areThere } from '../../files/whereabouts.ts';
import { isTransient } from '../../service/who-answered.ts';
import type { CallHandlers } from '../bind.ts';
import { assetDetailsView, assetUploads, assetView } from '../views/asset-views.ts';
import { showSource } from './show-source.ts';

type AssetParts = Pick<Tilelift, 'accounts' | 'assets' | 'jobs' | 'subscribedAssets' | 'watch'>;
type AssetCall =
  | ('assets.list' | 'assets.details' | 'assets.here' | 'assets.tell' | 'assets.showSource')
  | ('assets.edit' | 'assets.delete');

/** A drive without an answer for this long counts as away, ms. */
const patienceMs = 2_000;

/**
 * Handlers for assets and this computer's uploads of them. `accountId`: returns the current account or
 * throws. `confirmDelete`: asks the person.
 */
export function assetHandlers(
  { accounts, assets, jobs, subscribedAssets, watch }: AssetParts,
  accountId: () => string,
  show: (path: string) => void,
  confirmDelete: (names: readonly string[]) => Promise<boolean>,
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
    } catch (error) {
      const cachedAsset = assets.cachedAsset(account, id);
      if (cachedAsset && isTransient(toTileliftError(error))) return cachedAsset;
      throw error;
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
      const asset = assets.followedAsset(account, id) ?? (await read(account, id));
      return assetDetailsView(asset, madeHere({ jobs, watch }, account).has(id));
    },
    'assets.here': async (id) => ({
      uploads: await uploadsOf(id),
      isTold: subscribedAssets.isTold({ accountId: accountId(), assetId: id }),
    }),
    'assets.tell': async ({ id, isSubscribed }) =>
      subscribedAssets.set({ accountId: accountId(), assetId: id }, isSubscribed),
    'assets.showSource': async (id) => {
      const uploads = await uploadsOf(id);
      const { paths } = uploads.find((upload) => upload.isThere) ?? uploads[0] ?? {};
      await showSource(paths, show);
    },
    'assets.edit': async ({ id, change }) => {
      const account = accountId();
      assets.recordAsset(account, await accounts.serviceFor(account).editAsset(id, change));
    },
    'assets.delete': async (ids) => {
      const account = accountId();
      const namedAssets = await Promise.all(
        ids.map(async (id) => assets.cachedAsset(account, id) ?? (await read(account, id))),
      );
      if (!(await confirmDelete(namedAssets.map(({ id, name }) => `${name} (${id})`)))) return false;
      for (const id of ids) {
        await accounts.serviceFor(account).deleteAsset(id);
        assets.removeAsset(account, id);
      }
      return true;
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

const isThere = async (path: string): Promise<boolean> =>
  (await withinOrAbandon(areThere([path]), patienceMs)) ?? false;
