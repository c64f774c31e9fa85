import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RemovedJobs } from '../../../main/jobs/journal/clear-removed.ts';
import { openDatabase } from '../../../main/jobs/journal/database.ts';
import { createJournal } from '../../../main/jobs/journal/journal.ts';
import { silentLog } from '../../../main/log.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { jobRecord } from './job-record.ts';

let folder: string;
let path: string;
let database: DatabaseSync;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'journal.db');
});
afterEach(() => {
  if (database.isOpen) database.close();
});

const fileOf = (job: number) => (_: unknown, index: number) => ({
  path: `/data/of/job/${job}/with/a/usual/name/${index}.jpg`,
  key: `usual/name/${index}.jpg`,
  size: 1_000,
  mtimeMs: 1,
  plan: { partSize: 8, partCount: 1 },
});
/** Counts the commit frames of a write-ahead log (sqlite.org/fileformat2.html#walformat). */
function transactionsIn(log: Buffer): number {
  const [header, frameHeader] = [32, 24];
  const frame = frameHeader + log.readUInt32BE(8);
  let endCount = 0;
  for (let at = header; at < log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) endCount += 1;
  return endCount;
}
const sizeOf = (suffix = '') => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0;

describe('the journal', () => {
  it('G11: returns the space of removed jobs, including its log', async () => {
    database = openDatabase(path);
    database.exec('PRAGMA synchronous = OFF');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    // The tables of an empty journal.
    const empty = sizeOf();
    const journal = createJournal(database, path);
    for (let job = 0; job < 40; job++) {
      journal.addJob(jobRecord(`job-${job}`));
      journal.addFiles(`job-${job}`, Array.from({ length: 2_000 }, fileOf(job)));
    }
    journal.addJob(jobRecord('stays'));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const fullSize = sizeOf();
    expect(fullSize).toBeGreaterThan(5_000_000);

    for (let job = 0; job < 40; job++) journal.removeJob(`job-${job}`);
    let longestMs = 0;
    const timedWork = (work: () => boolean) => () => {
      const startedAt = performance.now();
      const hasMore = work();
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      return hasMore;
    };
    const removedJobs = new RemovedJobs(
      { clearRemoved: timedWork(journal.clearRemoved), giveBack: timedWork(journal.giveBack) },
      silentLog,
    );
    removedJobs.clear();
    await expect.poll(() => sizeOf() - empty).toBeLessThan(fullSize / 50);
    await expect.poll(() => sizeOf('-wal')).toBe(0);
    await removedJobs.stop();
    expect(journal.jobs().map(({ id }) => id)).toEqual(['stays']);
    console.info(
      `journal of 80,000 files: ${fullSize} bytes, then ${sizeOf()}; longest step ${longestMs.toFixed(1)} ms`,
    );
  });

  it('the journal creates its tables in one transaction with one disk sync', () => {
    database = openDatabase(path);
    expect(database.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 2 });
    expect(transactionsIn(readFileSync(`${path}-wal`))).toBe(1);
    createJournal(database, path).addJob(jobRecord('a'));
    expect(transactionsIn(readFileSync(`${path}-wal`))).toBe(2);
  });

  it('the journal syncs each transaction to the disk, on macOS too', () => {
    database = openDatabase(path);
    const value = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(['journal_mode', 'synchronous', 'fullfsync', 'checkpoint_fullfsync'].map(value)).toEqual([
      'wal',
      2,
      1,
      1,
    ]);
  });
});
