import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { TileliftError } from '../../main/errors.ts';
import { openDatabase } from '../../main/jobs/journal/database.ts';
import { createJournal } from '../../main/jobs/journal/journal.ts';
import type { JobSnapshot } from '../../main/jobs/model.ts';
import { systemClock } from '../../main/ports.ts';
import { type House, hasStatus, hurriedClock } from '../integration/jobs/house.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { expectWhole, halfUploaded, openFaultHouse, partSize, timesSent } from './fault-house.ts';

let house: House;
afterEach(() => house.close());

/** Leaves no room for another row, so SQLite itself responds as on a full disk. */
function fillUp(database: DatabaseSync): void {
  const pages = database.prepare('PRAGMA page_count').get()?.page_count;
  database.exec(`
    INSERT INTO jobs (id, account_id, paths, body, created_at) VALUES ('filler', '', '[]', '{}', 0);
    INSERT INTO files (id, folder, name, size, mtime_ms, part_size) VALUES (1000, 1, '', 0, 0, 0);
    PRAGMA max_page_count = ${pages};
    PRAGMA synchronous = OFF`);
  const row = database.prepare(
    "INSERT INTO parts (file_id, number, size, etag) VALUES (1000, ?, 0, 'filler')",
  );
  expect(() => {
    for (let number = 1; number < 10_000; number++) row.run(number);
  }).toThrow('full');
  database.exec('PRAGMA synchronous = FULL');
}

it('journal that can’t be written: holds the job while the journal’s disk is full, then continues', async () => {
  const folder = temporaryFolder();
  const database = openDatabase(join(folder, 'journal.db'));
  const room = Promise.withResolvers<void>();
  house = await openFaultHouse({
    jobs: {
      journal: createJournal(database, 'journal.db'),
      // The job retries after a long pause, when there is room.
      clock: { ...systemClock, sleep: (ms) => (ms >= 10_000 ? room.promise : Promise.resolve()) },
    },
  });
  const { id, source } = await halfUploaded(house);

  fillUp(database);
  house.service.control.clearFaults();
  const fullJob = await house.until(id, (job) => job.error?.code === 'journal-full');

  // Unrecorded parts don't count, and no further part is sent in vain.
  expect(fullJob).toMatchObject({ status: 'uploading', bytesDone: 2 * partSize });
  database.exec('PRAGMA max_page_count = 1000000');
  room.resolve();
  const job = await house.until(id, hasStatus('complete'));
  expect(timesSent(house).slice(0, 4)).toEqual([1, 1, 1, 1]);
  await expectWhole(house, job, source);
});

it('journal that can’t be written: rescans the source at growing intervals and reports the trouble', async () => {
  const pauses: number[] = [];
  let scans = 0;
  let isFull = true;
  house = await openFaultHouse({
    jobs: {
      clock: {
        ...hurriedClock,
        sleep: (ms, signal) => {
          if (ms >= 15_000) pauses.push(ms);
          // Only a user ends longer waits.
          return systemClock.sleep(ms > 60_000 ? 600_000 : 5, signal);
        },
      },
    },
  });
  await house.restartOn((journal) => ({
    ...journal,
    addFiles: (jobId, files) => {
      scans += 1;
      if (isFull) throw new TileliftError('journal-full', { subject: 'journal.db' });
      journal.addFiles(jobId, files);
    },
  }));
  const id = house.add(await house.source({ 'a.gml': 500 }));
  const codes: (string | undefined)[] = [];
  const stop = house.jobs.onChange(() => codes.push(house.jobs.get(id)?.error?.code));

  const isLong = (job: JobSnapshot) => job.nextTryAt !== null && job.nextTryAt - Date.now() > 60_000;
  for (let attempts = 0; attempts < 4; attempts++) {
    const waitingJob = await house.until(id, isLong);
    expect(waitingJob).toMatchObject({ status: 'creating', error: { code: 'journal-full' } });
    expect(waitingJob.actions).toContain('try-now');
    await house.jobs.act(id, 'try-now');
  }
  await house.until(id, isLong);
  stop();
  expect(pauses).toEqual([15_000, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000, 300_000]);
  expect(scans).toBe(pauses.length);
  const firstFull = codes.indexOf('journal-full');
  expect(new Set(codes.slice(firstFull))).toEqual(new Set(['journal-full']));

  isFull = false;
  await house.jobs.act(id, 'try-now');
  expect((await house.until(id, hasStatus('complete'))).error).toBeNull();
});
