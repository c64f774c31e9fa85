import { resolve } from 'node:path';
import type { Command } from 'commander';
import { say } from '../../say.ts';
import { type Cli, withService } from '../cli.ts';
import { addExamples } from '../program-help.ts';
import { UsageError } from '../usage-error.ts';
import { type LoopbackAddress, parseLoopback } from '../watch/metrics/loopback-address.ts';
import type { WatchOptions } from '../watch/run-watch.ts';

/** `tilelift watch`: a service in the foreground. */
export function addWatch(program: Command, cli: Cli): void {
  const command = program
    .command('watch')
    .description(say('cli.watch.description'))
    .option('--rules <file>', say('cli.watch.optionRules'))
    .option('--take-existing', say('cli.watch.optionTakeExisting'), false)
    .option('--metrics <address>', say('cli.watch.optionMetrics'), metricsAddress)
    .option('--dry-run', say('cli.watch.optionDryRun'), false)
    .option('--service <url>', say('cli.option.service'))
    .action((options: WatchOptions & { readonly service?: string }) =>
      watch(withService(cli, options.service), options),
    );
  addExamples(command, [
    'tilelift watch --rules rules.json --dry-run',
    'tilelift watch --rules rules.json',
    'tilelift watch --rules rules.json --metrics 127.0.0.1:9464',
    'tilelift watch --rules rules.json --take-existing --json',
  ]);
}

function metricsAddress(addressText: string): LoopbackAddress {
  const address = parseLoopback(addressText);
  if (!address) throw new UsageError({ key: 'cli.watch.metricsAddress', values: { given: addressText } });
  return address;
}

async function watch(cli: Cli, options: WatchOptions): Promise<void> {
  const { runWatch } = await import('../watch/run-watch.ts');
  const rules = options.rules === undefined ? undefined : resolve(options.rules);
  cli.finish(await runWatch(cli, { ...options, rules }));
}
