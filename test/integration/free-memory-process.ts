/** Makes much that nobody wants any more, gives it back, and writes its resident bytes as JSON. */
import { setTimeout as pause } from 'node:timers/promises';
import { giveMemoryBack } from '../../main/free-memory.ts';

const resident = () => process.memoryUsage.rss();
/** A list of which only the length is wanted. */
const countFiles = () =>
  Array.from({ length: 500_000 }, (_, at) => ({ path: `/watched/tile-${at}.tif`, at })).length;

const before = resident();
countFiles();
const full = resident();
if (process.argv[2] !== 'keep') giveMemoryBack();
// It comes a moment later; a minute is far more than it takes.
let after = resident();
for (let tries = 0; tries < 600 && after - before > (full - before) / 2; tries++) {
  await pause(100);
  after = resident();
}
process.stdout.write(JSON.stringify({ before, full, after }));
