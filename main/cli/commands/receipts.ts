import { once } from 'node:events';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { TileliftError } from '../../errors.ts';
import { say } from '../../say.ts';
import type { Receipt } from '../../watch/model/model.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { homeOf } from '../home.ts';
import { addExamples } from '../program-help.ts';

/** `tilelift receipts export` */
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
  const [{ receiptFacts }, { receiptsToCsv, receiptsToJson }] = await Promise.all([
    import('../../watch/finish/receipt.ts'),
    import('../../watch/finish/receipt-export.ts'),
  ]);
  const output = cli.output();
  const { receipts, closeReceipts } = await openReceipts(cli, rule);
  let count = 0;
  try {
    if (output.json)
      for (const receipt of receipts) {
        output.event({ event: 'receipt', receipt: receiptFacts(receipt) });
        count += 1;
      }
    else
      for (const text of format === 'csv' ? receiptsToCsv(receipts) : receiptsToJson(receipts))
        if (!cli.stdout.write(text)) await once(cli.stdout, 'drain');
    cli.finish(output.end(exitCodes.complete, { receipts: count }));
  } finally {
    closeReceipts();
  }
}

interface OpenedReceipts {
  readonly receipts: Iterable<Receipt>;
  readonly closeReceipts: () => void;
}

/** Reads the journal, also of a running owner. A missing or older journal is opened by Tilelift first. */
async function openReceipts(cli: Cli, rule: string | undefined): Promise<OpenedReceipts> {
  const { openToRead } = await import('../../jobs/journal/database.ts');
  const { createJournal } = await import('../../jobs/journal/journal.ts');
  const { receiptsIn } = await import('../../watch/state/ledger/receipts.ts');
  const { receiptsOfUploads } = await import('../upload/receipt.ts');
  const path = join(homeOf(cli), 'journal.db');
  let database = openToRead(path);
  if (!database) {
    const { openTilelift } = await import('../compose.ts');
    await (await openTilelift(cli)).dispose();
    database = openToRead(path);
  }
  if (!database) throw new TileliftError('journal-unusable', { subject: path });
  const openDatabase = database;
  function* receipts(): Iterable<Receipt> {
    yield* receiptsIn(openDatabase, path, rule ?? null);
    if (rule === undefined) yield* receiptsOfUploads(createJournal(openDatabase, path));
  }
  return { receipts: receipts(), closeReceipts: () => openDatabase.close() };
}
