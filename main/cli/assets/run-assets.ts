import { type Asset, statusPhrase } from '../../../shared/assets.ts';
import type { AssetChange } from '../../../shared/schemas/asset-change.ts';
import type { Said } from '../../../strings/phrase.ts';
import { toErrorRecord } from '../../errors.ts';
import { systemClock } from '../../ports.ts';
import { errorWords, sayPhrase } from '../../say.ts';
import { pollUntilEnded } from '../../tiling/poller.ts';
import type { Cli } from '../cli.ts';
import { pollMsOf } from '../compose.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { tellRemote } from '../output.ts';
import { createAssetReader } from './asset-reader.ts';

/** Newest first; `status` filters. */
export async function listAssets(cli: Cli, status: string | undefined): Promise<ExitCode> {
  const output = cli.output();
  const filter = status === undefined ? {} : { status };
  const { assets, more: furtherCount } = await createAssetReader(cli)(({ list }) => list(filter));
  for (const asset of assets.toSorted((a, b) => b.id - a.id)) printAsset(cli, asset);
  if (furtherCount > 0) output.print({ key: 'cli.assets.more', values: { count: furtherCount } });
  const exitCode = exitCodes.complete;
  return output.end(exitCode, { assets: assets.length, ...(furtherCount > 0 && { more: furtherCount }) });
}

export async function getAsset(cli: Cli, id: number): Promise<ExitCode> {
  const asset = await createAssetReader(cli)(({ read }) => read(id, cli.stop));
  printAsset(cli, asset);
  return cli.output().end(exitCodes.complete, { assetId: id });
}

export async function editAsset(cli: Cli, id: number, change: AssetChange): Promise<ExitCode> {
  const asset = await createAssetReader(cli)(({ edit }) => edit(id, change));
  printAsset(cli, asset);
  return cli.output().end(exitCodes.complete, { assetId: id });
}

/** Without `isConfirmed` it only names the asset. */
export async function deleteAsset(cli: Cli, id: number, isConfirmed: boolean): Promise<ExitCode> {
  const output = cli.output();
  const withReader = createAssetReader(cli);
  const asset = await withReader(({ read }) => read(id, cli.stop));
  if (isConfirmed) await withReader(({ remove }) => remove(id));
  else printAsset(cli, asset);
  const values = { id: String(id), name: asset.name };
  output.print({ key: isConfirmed ? 'cli.assets.deleted' : 'cli.assets.confirm', values });
  const exitCode = isConfirmed ? exitCodes.complete : exitCodes.heldForPerson;
  return output.end(exitCode, { assetId: id });
}

/** The exit code is the tiling's result. */
export async function waitForAsset(cli: Cli, id: number): Promise<ExitCode> {
  const output = cli.output();
  const withReader = createAssetReader(cli);
  const finalAsset = await pollUntilEnded({
    read: (signal) => withReader(({ read }) => read(id, signal)),
    clock: systemClock,
    intervalMs: pollMsOf(cli.env),
    signal: cli.stop,
    onStatus: ({ name, status, percentComplete }) => {
      const percent = Math.floor(percentComplete);
      const line = sayPhrase({
        key: 'cli.assets.progress',
        values: { name, status: statusWord(status), share: percent },
      });
      output.progress(line, `${status} ${Math.floor(percent / 10)}`);
      output.event({ event: 'asset-progress', assetId: id, status, percentComplete });
    },
    onTrouble: (error) => output.print(errorWords(toErrorRecord(error))),
  });
  printAsset(cli, finalAsset);
  const code = exitOfStatus(finalAsset.status);
  return output.end(code, { assetId: id });
}

/** A status of a later service stays as it is. */
const statusWord = (status: string): Said => statusPhrase(status) ?? status;

function exitOfStatus(status: string): ExitCode {
  if (status === 'DATA_ERROR') return exitCodes.dataError;
  return status === 'ERROR' ? exitCodes.tilingError : exitCodes.complete;
}

function printAsset(cli: Cli, asset: Asset): void {
  const output = cli.output();
  const { id, type, status, name } = asset;
  output.event({ event: 'asset', asset });
  const word = sayPhrase(statusWord(status));
  output.result(`${String(id).padStart(8)}  ${type.padEnd(8)}  ${word.padEnd(19)}  ${name}`);
  if (asset.error) tellRemote(output, asset.error);
}
