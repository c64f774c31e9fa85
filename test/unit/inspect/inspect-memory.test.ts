import { expect, it } from 'vitest';
import { FileTable } from '../../../main/files/file-table.ts';
import { inspectSource } from '../../../main/inspect/inspect-source.ts';
import { bytesInUse } from './bytes-in-use.ts';

const [count, perFolder] = [100_000, 500];

/** Folders with this many files each. */
function tableOf(nameOf: (place: number) => string): FileTable {
  const table = new FileTable();
  const numbers = new Float64Array(perFolder).fill(4);
  for (let at = 0; at < count; at += perFolder) {
    const names = Array.from({ length: perFolder }, (_, nameIndex) => `${nameOf(at + nameIndex)}\0`).join('');
    const [root, keyPrefix] = [`/data/town/block_${at}/`, `block_${at}/`];
    table.addFolder({ root, keyPrefix, names, sizes: numbers, mtimesMs: numbers, ctimesMs: numbers });
  }
  return table;
}

it.each([
  ['rasters', (place: number) => `tile_${place}.tif`],
  ['rasters with a file beside each', (place: number) => `tile_${place >> 1}.${place % 2 ? 'tfw' : 'tif'}`],
  ['files that nobody knows', (place: number) => `block_${place}.xyzzy`],
])('an inspection of 100,000 %s takes less than 90 bytes for each', async (_what, nameOf) => {
  const bytesBefore = bytesInUse();
  const source = await inspectSource(['/data/town'], {
    scan: async () => ({ files: tableOf(nameOf), bytes: 4 * count, ignored: [] }),
    inspectFirstFiles: async () => new Map(),
  });
  // The scan takes about 50 of them.
  expect((bytesInUse() - bytesBefore) / count).toBeLessThan(90);
  expect(source.files.length).toBe(count);
  expect(source.allPieces.flatMap(({ files }) => files).length).toBe(count);
});
