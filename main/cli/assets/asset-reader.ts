import type { AssetChange } from '../../../shared/schemas/asset-change.ts';
import type { Asset } from '../../service/model.ts';
import { type AssetFilter, isWanted } from '../../socket/asset-filter.ts';
import type { RunningTilelift } from '../../socket/client.ts';
import type { Cli } from '../cli.ts';
import { openTilelift } from '../compose.ts';
import { byHolder, untilStopped } from '../running.ts';
import { accountOfRunning, signedInAccount } from '../signed-in.ts';

interface AssetReader {
  /** `more`: only from a running Tilelift. */
  list(filter: AssetFilter): Promise<{ readonly assets: readonly Asset[]; readonly more: number }>;
  read(id: number, signal: AbortSignal): Promise<Asset>;
  edit(id: number, change: AssetChange): Promise<Asset>;
  remove(id: number): Promise<void>;
}

/** Reads and changes assets of one account. */
type WithReader = <T>(work: (reader: AssetReader) => Promise<T>) => Promise<T>;

/**
 * Each call goes through the Tilelift that holds the journal, else through this process, which holds it for
 * no longer.
 * @throws errors of `openTilelift`, `byHolder` and `signedInAccount`
 */
export function createAssetReader(cli: Cli): WithReader {
  let accountId: string | null = null;

  async function readByRunning<T>(running: RunningTilelift, work: (reader: AssetReader) => Promise<T>) {
    const { ask } = running;
    try {
      const id = accountId ?? (await accountOfRunning(cli, running)).id;
      accountId = id;
      return await work({
        list: (filter) => untilStopped(ask('assets', { accountId: id, only: filter }), cli.stop),
        read: (assetId, signal) => untilStopped(ask('asset', { accountId: id, assetId }), signal),
        edit: (assetId, change) =>
          untilStopped(ask('editAsset', { accountId: id, assetId, change }), cli.stop),
        remove: async (assetId) => {
          await untilStopped(ask('deleteAsset', { accountId: id, assetId }), cli.stop);
        },
      });
    } finally {
      running.disconnect();
    }
  }

  async function readHere<T>(work: (reader: AssetReader) => Promise<T>) {
    const tilelift = await openTilelift(cli);
    const { accounts } = tilelift.tilelift;
    try {
      if (accountId === null) {
        // Don't start jobs.
        await untilStopped(accounts.start(), cli.stop);
        accountId = (await untilStopped(signedInAccount(cli, tilelift), cli.stop)).id;
      }
      const service = accounts.serviceFor(accountId);
      return await work({
        list: async (filter) => {
          const assets = await service.listAssets(cli.stop);
          return { assets: assets.filter((asset) => isWanted(asset, filter)), more: 0 };
        },
        read: (id, signal) => service.readAsset(id, signal),
        edit: (id, change) => service.editAsset(id, change, cli.stop),
        remove: (id) => service.deleteAsset(id, cli.stop),
      });
    } finally {
      await tilelift.dispose();
    }
  }

  return (work) =>
    byHolder(
      cli,
      'account',
      (running) => readByRunning(running, work),
      () => readHere(work),
    );
}
