import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../main/jobs/journal/database.ts';
import { createJournal } from '../../main/jobs/journal/journal.ts';
import { systemClock } from '../../main/outside.ts';
import { type House, hasStatus } from '../integration/jobs/house.ts';
import { expectWhole, halfUploaded, openFaultHouse, partSize, timesSent } from './fault-house.ts';

let house: House;
afterEach(() => house.close());

/** Leaves no room for one more row: SQLite itself then answers as it does on a full disk. */
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

describe('a journal that can’t be written', () => {
  it('journal disk full', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tilelift-full-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const database = openDatabase(join(folder, 'journal.db'));
    const room = Promise.withResolvers<void>();
    house = await openFaultHouse({
      jobs: {
        journal: createJournal(database, 'journal.db'),
        // The job looks for room again after a good while: once there is some.
        clock: { ...systemClock, sleep: (ms) => (ms >= 10_000 ? room.promise : Promise.resolve()) },
      },
    });
    const { id, source } = await halfUploaded(house);

    fillUp(database);
    house.service.control.clearFaults();
    const full = await house.until(id, (job) => job.error?.code === 'journal-full');

    // What is not written down does not count, and no further part is sent for nothing.
    expect(full).toMatchObject({ status: 'uploading', bytesDone: 2 * partSize });
    database.exec('PRAGMA max_page_count = 1000000');
    room.resolve();
    const job = await house.until(id, hasStatus('complete'));
    expect(timesSent(house).slice(0, 4)).toEqual([1, 1, 1, 1]);
    await expectWhole(house, job, source);
  });
});
