/** Opens a journal, drops all references to it, and stays until it is killed. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openJournalOrRescue } from '../../../main/jobs/journal/journal-rescue.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const [, , path = ''] = process.argv;
openJournalOrRescue(path, Date.now());
collectGarbage();
process.stdout.write('held');
setInterval(() => {}, 60_000);
