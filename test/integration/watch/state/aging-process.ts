/** Adds sources to a journal one by one and stores its age after each, until it is killed. */
import { join } from 'node:path';
import { openJournalOrRescue } from '../../../../main/jobs/journal/journal-rescue.ts';
import { createLedger } from '../../../../main/watch/state/ledger/ledger.ts';
import { RestoredJournal } from '../../../../main/watch/state/restored-journal.ts';
import { foundSource } from '../../../unit/watch/found-sources.ts';

/** Opens the journal and its ages as a start does. */
export function openAges(folder: string) {
  const journalPath = join(folder, 'journal.db');
  const { journal, database } = openJournalOrRescue(journalPath, Date.now());
  const ledger = createLedger(database, journalPath);
  const alarms: number[] = [];
  const beginRestored = (_rules: readonly string[], before: number) => void alarms.push(before);
  const log = { warn: () => {} };
  const parts = {
    ledger: { ...ledger, takenEntries: () => [], beginRestored },
    log,
    rules: () => [],
    clock: Date,
  };
  const kept = new RestoredJournal(parts as never, { journalPath, ledgerIsWhole: true }, () => {});
  return { ledger, meet: () => kept.check(), alarms, close: () => journal.close() };
}

if (process.argv[2]) {
  const { ledger, meet } = openAges(process.argv[2]);
  await meet();
  for (let at = ledger.journalAge(); ; at++) {
    ledger.take('rule', foundSource(`Source ${at}`), `job ${at}`, 1, false);
    await meet();
    if (at % 5 === 0) process.stdout.write('.');
  }
}
