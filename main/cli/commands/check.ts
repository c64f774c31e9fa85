import type { Command } from 'commander';
import { assetTypes } from '../../../shared/assets.ts';
import { kinds, sourceTypesCalled } from '../../../shared/kinds.ts';
import { say } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { addExamples } from '../program-help.ts';
import { addPath, UsageError } from '../usage-error.ts';

interface CheckOptions {
  readonly type?: string;
  readonly strict: boolean;
  readonly message: boolean;
}

/** `tilelift check PATH…` (docs/check.md) */
export function addCheck(program: Command, cli: Cli): void {
  const command = program
    .command('check')
    .description(say('cli.check.description'))
    .argument('<path...>', say('cli.upload.path'), addPath)
    .option('--type <type>', say('cli.check.type'))
    .option('--strict', say('cli.check.strict'), false)
    .option('--message', say('cli.check.message'), false)
    .action((paths: readonly string[], options: CheckOptions) => check(cli, paths, options));
  addExamples(command, [
    'tilelift check ./delivery',
    'tilelift check ortho/ --type RASTER_IMAGERY --strict',
    'tilelift check scan.laz --json',
  ]);
}

async function check(cli: Cli, paths: readonly string[], options: CheckOptions): Promise<void> {
  const { type, strict, message } = options;
  const sourceTypes = type === undefined ? null : sourceTypesCalled(type);
  if (type !== undefined && !sourceTypes) {
    const knownTypes = [...assetTypes, ...kinds.map(({ sourceType }) => sourceType)];
    const types = { names: [...new Set<string>(knownTypes)] };
    throw new UsageError({ key: 'check.usage.type', values: { type, types } });
  }
  const { runCheck } = await import('../check/run-check.ts');
  cli.finish(await runCheck(cli, { paths, sourceTypes, strict }, message));
}
