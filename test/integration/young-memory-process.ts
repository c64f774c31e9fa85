/** Makes many objects that stay for a while, as rows do, and writes the bytes V8 keeps for new ones. */
import { getHeapSpaceStatistics } from 'node:v8';
import { keepYoungSmall } from '../../main/free-memory.ts';

if (process.argv[2] !== 'grow') keepYoungSmall();
let rows: object[] = [];
for (let id = 0; id < 3_000_000; id++) {
  rows.push({ id, key: `tile-${id}` });
  if (rows.length > 200_000) rows = [];
}
const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
process.stdout.write(JSON.stringify({ bytes: young?.space_size }));
