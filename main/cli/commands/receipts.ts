import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { say } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { addExamples } from '../program-help.ts';

/** `tilelift receipts export`: what watched folders have uploaded, for others. */
export function addReceipts(program: Command, cli: Cli): void {
  const command = program.command('receipts').description(say('cli.receipts.description'));
  const exporting = command
    .command('export')
    .description(say('cli.receipts.export'))
    .addOption(
      new Option('--format <format>', say('cli.receipts.format')).choices(['csv', 'json']).default('csv'),
    )
    .option('--rule <id>', say('cli.receipts.rule'))
    .action((options: { readonly format: string; readonly rule?: string }) => exportReceipts(cli, options));
  addExamples(exporting, [
    'tilelift receipts export > receipts.csv',
    'tilelift receipts export --format json > receipts.json',
  ]);
  addExamples(command, ['tilelift receipts export > receipts.csv']);
}

async function exportReceipts(
  cli: Cli,
  { format, rule }: { readonly format: string; readonly rule?: string },
): Promise<void> {
  const { openTilelift } = await import('../compose.ts');
  const { receiptsToCsv, receiptsToJson } = await import('../../watch/ledger/receipt-export.ts');
  const output = cli.output();
  const opened = await openTilelift(cli);
  let count = 0;
  try {
    const receipts = opened.tilelift.watch.receipts(rule ?? null);
    if (output.json)
      for (const receipt of receipts) {
        output.event({ event: 'receipt', receipt });
        count += 1;
      }
    else
      for (const text of format === 'csv' ? receiptsToCsv(receipts) : receiptsToJson(receipts))
        if (!cli.stdout.write(text)) await once(cli.stdout, 'drain');
    output.event({ event: 'result', exitCode: exitCodes.complete, receipts: count });
    cli.finish(exitCodes.complete);
  } finally {
    await opened.close();
  }
}
