/** Creates much garbage, returns its memory to the system, and writes the resident bytes as JSON. */
import { setTimeout as pause } from 'node:timers/promises';
import { giveMemoryBack } from '../../main/free-memory.ts';

const resident = () => process.memoryUsage.rss();
/** Only the length is used, so the list becomes garbage. */
const countFiles = () =>
  Array.from({ length: 500_000 }, (_, at) => ({ path: `/watched/tile-${at}.tif`, at })).length;

const bytesBefore = resident();
countFiles();
const bytesFull = resident();
if (process.argv[2] !== 'keep') giveMemoryBack();
// Memory is returned after a moment; a minute is ample.
let bytesAfter = resident();
for (
  let attempts = 0;
  attempts < 600 && bytesAfter - bytesBefore > (bytesFull - bytesBefore) / 2;
  attempts++
) {
  await pause(100);
  bytesAfter = resident();
}
process.stdout.write(JSON.stringify({ before: bytesBefore, full: bytesFull, after: bytesAfter }));
