import type { Asset } from '../../../shared/assets.ts';
import { toErrorRecord } from '../../errors.ts';
import { systemClock } from '../../ports.ts';
import { errorWords, sayPhrase } from '../../say.ts';
import { pollUntilEnded } from '../../tiling/poller.ts';
import type { Cli } from '../cli.ts';
import { pollMsOf } from '../compose.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type AssetReader, openAssetReader } from './asset-reader.ts';

/** Newest first; `status` filters. */
export function listAssets(cli: Cli, status: string | undefined): Promise<ExitCode> {
  return withReader(cli, async (reader) => {
    const output = cli.output();
    const { assets, more: furtherCount } = await reader.list(status === undefined ? {} : { status });
    for (const asset of assets.toSorted((a, b) => b.id - a.id)) printAsset(cli, asset);
    if (furtherCount > 0) output.print({ key: 'cli.assets.more', values: { count: furtherCount } });
    const exitCode = exitCodes.complete;
    output.event({
      event: 'result',
      exitCode,
      assets: assets.length,
      ...(furtherCount > 0 && { more: furtherCount }),
    });
    return exitCodes.complete;
  });
}

export function getAsset(cli: Cli, id: number): Promise<ExitCode> {
  return withReader(cli, async (reader) => {
    const asset = await reader.read(id, cli.stop);
    printAsset(cli, asset);
    cli.output().event({ event: 'result', exitCode: exitCodes.complete, assetId: id });
    return exitCodes.complete;
  });
}

/** The exit code is the tiling's result. */
export function waitForAsset(cli: Cli, id: number): Promise<ExitCode> {
  return withReader(cli, async (reader) => {
    const output = cli.output();
    const finalAsset = await pollUntilEnded({
      read: (signal) => reader.read(id, signal),
      clock: systemClock,
      intervalMs: pollMsOf(cli.env),
      signal: cli.stop,
      onStatus: ({ name, status, percentComplete }) => {
        const percent = Math.floor(percentComplete);
        const line = sayPhrase({ key: 'cli.assets.progress', values: { name, status, share: percent } });
        output.progress(line, `${status} ${Math.floor(percent / 10)}`);
        output.event({ event: 'asset-progress', assetId: id, status, percentComplete });
      },
      onTrouble: (error) => output.print(errorWords(toErrorRecord(error))),
    });
    printAsset(cli, finalAsset);
    const code = exitOfStatus(finalAsset.status);
    output.event({ event: 'result', exitCode: code, assetId: id });
    return code;
  });
}

function exitOfStatus(status: string): ExitCode {
  if (status === 'DATA_ERROR') return exitCodes.dataError;
  return status === 'ERROR' ? exitCodes.tilingError : exitCodes.complete;
}

function printAsset(cli: Cli, asset: Asset): void {
  const output = cli.output();
  const { id, type, status, name } = asset;
  output.event({ event: 'asset', asset });
  output.result(`${String(id).padStart(8)}  ${type.padEnd(8)}  ${status.padEnd(14)}  ${name}`);
  if (asset.error) output.print({ key: 'cli.serviceSays', values: { remote: asset.error } });
}

async function withReader(cli: Cli, work: (reader: AssetReader) => Promise<ExitCode>): Promise<ExitCode> {
  const reader = await openAssetReader(cli);
  try {
    return await work(reader);
  } finally {
    await reader.close();
  }
}
