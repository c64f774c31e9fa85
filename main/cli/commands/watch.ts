import { resolve } from 'node:path';
import type { Command } from 'commander';
import { say } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { addExamples } from '../program-help.ts';
import type { WatchOptions } from '../watch/run-watch.ts';

/** `tilelift watch`: watched folders as a service, in the foreground until a signal. */
export function addWatch(program: Command, cli: Cli): void {
  const command = program
    .command('watch')
    .description(say('cli.watch.description'))
    .option('--rules <file>', say('cli.watch.optionRules'))
    .option('--take-existing', say('cli.watch.optionTakeExisting'), false)
    .option('--dry-run', say('cli.watch.optionDryRun'), false)
    .action((options: WatchOptions) => watch(cli, options));
  addExamples(command, [
    'tilelift watch --rules rules.json --dry-run',
    'tilelift watch --rules rules.json',
    'tilelift watch --rules rules.json --take-existing --json',
  ]);
}

async function watch(cli: Cli, options: WatchOptions): Promise<void> {
  const { runWatch } = await import('../watch/run-watch.ts');
  const rules = options.rules === undefined ? undefined : resolve(options.rules);
  cli.finish(await runWatch(cli, { ...options, rules }));
}
