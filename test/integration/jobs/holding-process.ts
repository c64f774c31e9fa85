/** Holds the journal that it is given, says so, and stays until it is killed. */
import { openJournalOrRescue } from '../../../main/jobs/journal/journal-rescue.ts';

const [, , path = ''] = process.argv;
openJournalOrRescue(path, Date.now());
process.stdout.write('held');
setInterval(() => {}, 60_000);
