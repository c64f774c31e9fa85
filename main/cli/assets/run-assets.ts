import type { Asset } from '../../../shared/assets.ts';
import { toErrorRecord } from '../../errors.ts';
import { systemClock } from '../../outside.ts';
import { errorWords, sayPhrase } from '../../say.ts';
import type { ServiceApi } from '../../service/model.ts';
import { pollUntilEnded } from '../../tiling/poller.ts';
import type { Cli } from '../cli.ts';
import { openTilelift, pollMsOf } from '../compose.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { signedInAccount } from '../signed-in.ts';

/** The account's assets, the newest first; `status`: those alone. */
export function listAssets(cli: Cli, status: string | undefined): Promise<ExitCode> {
  return withService(cli, async (service) => {
    const output = cli.output();
    const all = await service.listAssets(cli.stop);
    const wanted = all.filter((asset) => status === undefined || asset.status === status.toUpperCase());
    for (const asset of wanted.toSorted((a, b) => b.id - a.id)) tellAsset(cli, asset);
    output.event({ event: 'result', exitCode: exitCodes.complete, assets: wanted.length });
    return exitCodes.complete;
  });
}

/** One asset, whatever it is. */
export function getAsset(cli: Cli, id: number): Promise<ExitCode> {
  return withService(cli, async (service) => {
    const asset = await service.readAsset(id, cli.stop);
    tellAsset(cli, asset);
    cli.output().event({ event: 'result', exitCode: exitCodes.complete, assetId: id });
    return exitCodes.complete;
  });
}

/** One asset, once its tiling has ended; the exit code says how. */
export function waitForAsset(cli: Cli, id: number): Promise<ExitCode> {
  return withService(cli, async (service) => {
    const output = cli.output();
    const ended = await pollUntilEnded({
      read: (signal) => service.readAsset(id, signal),
      clock: systemClock,
      intervalMs: pollMsOf(cli.env),
      signal: cli.stop,
      onStatus: ({ name, status, percentComplete }) => {
        const percent = Math.floor(percentComplete);
        const line = sayPhrase({ key: 'cli.assets.progress', values: { name, status, share: percent } });
        output.progress(line, `${status} ${Math.floor(percent / 10)}`);
        output.event({ event: 'asset-progress', assetId: id, status, percentComplete });
      },
      onTrouble: (error) => output.tell(errorWords(toErrorRecord(error))),
    });
    tellAsset(cli, ended);
    const code = exitOfStatus(ended.status);
    output.event({ event: 'result', exitCode: code, assetId: id });
    return code;
  });
}

function exitOfStatus(status: string): ExitCode {
  if (status === 'DATA_ERROR') return exitCodes.dataError;
  return status === 'ERROR' ? exitCodes.tilingError : exitCodes.complete;
}

function tellAsset(cli: Cli, asset: Asset): void {
  const output = cli.output();
  const { id, type, status, name } = asset;
  output.event({ event: 'asset', asset });
  output.result(`${String(id).padStart(8)}  ${type.padEnd(8)}  ${status.padEnd(14)}  ${name}`);
  if (asset.error) output.tell({ key: 'cli.serviceSays', values: { remote: asset.error } });
}

async function withService(cli: Cli, work: (service: ServiceApi) => Promise<ExitCode>): Promise<ExitCode> {
  const opened = await openTilelift(cli);
  try {
    // Of the jobs nothing is wanted: they stay as they are.
    await opened.tilelift.accounts.start();
    const account = await signedInAccount(cli, opened);
    return await work(opened.tilelift.accounts.serviceFor(account.id));
  } finally {
    await opened.close();
  }
}
