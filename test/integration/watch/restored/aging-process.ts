/** Takes one source after the other into a journal, and keeps its age after each, until it is killed. */
import { join } from 'node:path';
import { openJournalOrRescue } from '../../../../main/jobs/journal/journal-rescue.ts';
import { createLedger } from '../../../../main/watch/ledger/ledger.ts';
import { ownAges } from '../../../../main/watch/restored/age-places.ts';
import { KeptAges } from '../../../../main/watch/restored/kept-ages.ts';
import { foundSource } from '../../../unit/watch/found-sources.ts';

/** What a start finds, and what it then keeps. */
export function openAges(folder: string) {
  const journalPath = join(folder, 'journal.db');
  const { journal, database } = openJournalOrRescue(journalPath, Date.now());
  const ledger = createLedger(database, journalPath);
  const alarms: number[] = [];
  const kept = new KeptAges({ age: ledger.journalAge, onOlder: (before) => alarms.push(before) });
  const owner = { instance: 'one', machine: 'this', host: 'office-1', pid: 1 };
  const places = ownAges({ journalPath, state: join(folder, 'state'), owner });
  const meet = async () => {
    for (const [index, place] of places.entries()) await kept.meet(String(index), place);
  };
  return { ledger, meet, alarms, places, close: () => journal.close() };
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
