import type { Command } from 'commander';
import { type AssetChange, assetChangeSchema } from '../../../shared/schemas/asset-change.ts';
import { say } from '../../say.ts';
import { type Cli, withService, withTimeout } from '../cli.ts';
import { addExamples } from '../program-help.ts';
import { parseDuration } from '../upload/options.ts';
import { UsageError } from '../usage-error.ts';

interface Options {
  readonly service?: string;
}

/** `tilelift assets list|get ID|wait ID|edit ID|delete ID` */
export function addAssets(program: Command, cli: Cli): void {
  const command = program.command('assets').description(say('cli.assets.description'));
  const list = command
    .command('list', { isDefault: true })
    .description(say('cli.assets.list'))
    .option('--status <status>', say('cli.assets.status'))
    .option('--service <url>', say('cli.option.service'))
    .action(async ({ status, service }: Options & { readonly status?: string }) => {
      const { listAssets } = await import('../assets/run-assets.ts');
      cli.finish(await listAssets(withService(cli, service), status));
    });
  addExamples(list, ['tilelift assets list', 'tilelift assets list --status COMPLETE --json']);
  const get = command
    .command('get')
    .description(say('cli.assets.get'))
    .argument('<id>', say('cli.assets.id'), parseAssetId)
    .option('--service <url>', say('cli.option.service'))
    .action(async (id: number, { service }: Options) => {
      const { getAsset } = await import('../assets/run-assets.ts');
      cli.finish(await getAsset(withService(cli, service), id));
    });
  addExamples(get, ['tilelift assets get 1234', 'tilelift assets get 1234 --json']);
  const wait = command
    .command('wait')
    .description(say('cli.assets.wait'))
    .argument('<id>', say('cli.assets.id'), parseAssetId)
    .option('--timeout <time>', say('cli.jobs.timeout'), parseDuration)
    .option('--service <url>', say('cli.option.service'))
    .action(async (id: number, { service, timeout }: Options & { readonly timeout?: number }) => {
      const { waitForAsset } = await import('../assets/run-assets.ts');
      cli.finish(await waitForAsset(withService(withTimeout(cli, timeout), service), id));
    });
  addExamples(wait, ['tilelift assets wait 1234 --timeout 2h']);
  const edit = command
    .command('edit')
    .description(say('cli.assets.edit'))
    .argument('<id>', say('cli.assets.id'), parseAssetId)
    .option('--name <name>', say('cli.assets.newName'))
    .option('--description <text>', say('cli.assets.newDescription'))
    .option('--service <url>', say('cli.option.service'))
    .action(async (id: number, { service, ...change }: Options) => {
      const { editAsset } = await import('../assets/run-assets.ts');
      cli.finish(await editAsset(withService(cli, service), id, assetChange(change)));
    });
  addExamples(edit, ['tilelift assets edit 1234 --name "Old town 2026"']);
  const remove = command
    .command('delete')
    .description(say('cli.assets.delete'))
    .argument('<id>', say('cli.assets.id'), parseAssetId)
    .option('--yes', say('cli.assets.yes'))
    .option('--service <url>', say('cli.option.service'))
    .action(
      async (id: number, { service, yes: isConfirmed = false }: Options & { readonly yes?: boolean }) => {
        const { deleteAsset } = await import('../assets/run-assets.ts');
        cli.finish(await deleteAsset(withService(cli, service), id, isConfirmed));
      },
    );
  addExamples(remove, ['tilelift assets delete 1234', 'tilelift assets delete 1234 --yes']);
  addExamples(command, ['tilelift assets list --status COMPLETE', 'tilelift assets wait 1234']);
}

function assetChange(options: unknown): AssetChange {
  const change = assetChangeSchema.safeParse(options);
  if (!change.success || Object.keys(change.data).length === 0)
    throw new UsageError({ key: 'cli.assets.noChange' });
  return change.data;
}

function parseAssetId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError({ key: 'cli.assets.notId', values: { given: text } });
  return Number(text);
}
