/**
 * Creates many objects that live for a while and writes the size of V8's young generation: in the main
 * thread, or with the argument `thread` in a thread like the uploads'.
 */
import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread, Worker } from 'node:worker_threads';
import { keepYoungSmall } from '../../main/free-memory.ts';

if (isMainThread) keepYoungSmall();
if (isMainThread && process.argv[2] === 'thread') {
  new Worker(new URL(import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 12 } });
} else {
  let rows: object[] = [];
  for (let id = 0; id < 3_000_000; id++) {
    rows.push({ id, key: `tile-${id}` });
    if (rows.length > 200_000) rows = [];
  }
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  process.stdout.write(JSON.stringify({ bytes: young?.space_size }));
}
