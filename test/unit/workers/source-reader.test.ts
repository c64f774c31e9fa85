import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createPoolReads, createThreadReads, ThreadReads } from '../../../main/files/pool-reads.ts';
import type { PartOrder } from '../../../main/storage/storage.ts';
import { SourceReader } from '../../../main/workers/source-reader.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

function orderOf(path: string): PartOrder {
  const { size, mtimeMs } = statSync(path);
  const place = { key: 'small', uploadId: null, number: 1, offset: 0, length: size };
  return { path, size, mtimeMs, ...place, mayCarryCrc32: false, adoptable: null };
}

/** Reads small files in turn; its clock advances only by each read. */
function readerAt() {
  const path = join(folder, 'small.bin');
  writeFileSync(path, 'bytes');
  const order = orderOf(path);
  const reads = new ThreadReads(createPoolReads(), createThreadReads());
  const clock = { now: 0, step: 0 };
  const reader = new SourceReader(reads, 60_000, () => {
    clock.now += clock.step;
    return clock.now;
  });
  let id = 0;
  /** Whether each read was synchronous, by its duration in ms. */
  return async (...readings: readonly number[]): Promise<boolean[]> => {
    const atOnce: boolean[] = [];
    for (const ms of readings) {
      clock.step = ms;
      const previous = reads.blockedBy.count;
      const bytes = await reader.read(++id, order, { md5: true, crc32: false }, async (read) => read.bytes);
      expect(bytes.subarray(0, 5).toString()).toBe('bytes');
      atOnce.push(reads.blockedBy.count > previous);
    }
    return atOnce;
  };
}

const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

it('small files are read synchronously, even after a read that had to wait', async () => {
  const read = readerAt();
  expect(await read(...times(20, 1))).toEqual(times(20, true));
  expect(await read(500, ...times(40, 1))).toEqual(times(41, true));
  expect(await read(...times(10, [500, 1, 500, 1]).flat())).toEqual(times(40, true));
});

it('small files use the thread pool once three of four reads were slow', async () => {
  const read = readerAt();
  expect(await read(9, 1, 9, 9)).toEqual(times(4, true));
  expect(await read(...times(16, 1))).toEqual(times(16, false));
});

it('small files are tried synchronously again at growing intervals while the disk is slow', async () => {
  const read = readerAt();
  await read(9, 9, 9);
  for (const sparedCount of [16, 32, 64, 128, 256, 256])
    expect(await read(...times(sparedCount + 1, 9))).toEqual([...times(sparedCount, false), true]);
});

it('small files are read synchronously again after the first quick read', async () => {
  const read = readerAt();
  await read(9, 9, 9, ...times(16, 9), 9, ...times(32, 9));
  expect(await read(1, 9, 1, 1, 9)).toEqual(times(5, true));
  expect(await read(9, 9, 9)).toEqual([true, true, false]);
});
