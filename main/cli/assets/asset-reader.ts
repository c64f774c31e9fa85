import type { Asset } from '../../service/model.ts';
import { type AssetFilter, isWanted } from '../../socket/asset-filter.ts';
import type { RunningTilelift } from '../../socket/client.ts';
import type { Cli } from '../cli.ts';
import { openTilelift } from '../compose.ts';
import { findRunningAccount, untilStopped } from '../running.ts';
import { accountOfRunning, signedInAccount } from '../signed-in.ts';

export interface AssetReader {
  /** `more`: only from a running Tilelift. */
  list(only: AssetFilter): Promise<{ readonly assets: readonly Asset[]; readonly more: number }>;
  read(id: number, signal: AbortSignal): Promise<Asset>;
  close(): Promise<void>;
}

/**
 * Through the Tilelift that holds the journal, else in this process.
 * @throws errors of `openTilelift`, `findRunningAccount` and `signedInAccount`
 */
export async function openAssetReader(cli: Cli): Promise<AssetReader> {
  const running = await findRunningAccount(cli);
  return running ? readByRunning(cli, running) : readHere(cli);
}

async function readByRunning(cli: Cli, running: RunningTilelift): Promise<AssetReader> {
  const { ask } = running;
  try {
    const { id: accountId } = await accountOfRunning(cli, running);
    return {
      list: (only) => untilStopped(ask('assets', { accountId, only }), cli.stop),
      read: (assetId, signal) => untilStopped(ask('asset', { accountId, assetId }), signal),
      close: async () => running.disconnect(),
    };
  } catch (error) {
    running.disconnect();
    throw error;
  }
}

async function readHere(cli: Cli): Promise<AssetReader> {
  const opened = await openTilelift(cli);
  try {
    // Don't start jobs.
    await untilStopped(opened.tilelift.accounts.start(), cli.stop);
    const account = await untilStopped(signedInAccount(cli, opened), cli.stop);
    const service = opened.tilelift.accounts.serviceFor(account.id);
    return {
      list: async (only) => {
        const assets = await service.listAssets(cli.stop);
        return { assets: assets.filter((asset) => isWanted(asset, only)), more: 0 };
      },
      read: (id, signal) => service.readAsset(id, signal),
      close: opened.close,
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
