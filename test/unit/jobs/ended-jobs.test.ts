import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../main/errors.ts';
import { addOnce } from '../../../main/jobs/add-once.ts';
import type { JobEvent } from '../../../main/jobs/events.ts';
import { openJournal } from '../../../main/jobs/journal/journal.ts';
import type { Journal } from '../../../main/jobs/journal/journal-model.ts';
import { newestJobs } from '../../../main/jobs/list/newest-jobs.ts';
import type { JobService } from '../../../main/jobs/model.ts';
import { Jobs } from '../../../main/jobs/service/job-service.ts';
import { silentLog } from '../../../main/log.ts';
import type { EndedPlace } from '../../../shared/job.ts';
import { everyJob } from '../../../shared/search/job-filter.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { manualClock, memoryVault } from '../account/stand-ins.ts';

const created = (at: number, assetId: number): JobEvent => ({
  kind: 'asset-created',
  ...{
    at,
    assetId,
    credentialsEndAt: at + 1,
    onComplete: { method: 'POST', url: 'https://x/y', fields: {} },
  },
});
const complete = (assetId: number): readonly JobEvent[] => [
  { kind: 'started', at: 1 },
  { kind: 'scanned', at: 2, files: 1, bytes: 100, parts: 1 },
  { kind: 'create-requested', at: 3 },
  created(4, assetId),
  { kind: 'upload-finished', at: 6 },
  { kind: 'completion-accepted', at: 7 },
  { kind: 'tiled', at: assetId + 8, status: 'COMPLETE' },
];
const lostError = toErrorRecord(new TileliftError('source-missing', { subject: '/data/x' }));
const failedEvents: readonly JobEvent[] = [
  { kind: 'started', at: 1 },
  { kind: 'failed', at: 2, error: { ...lostError, retryable: true } },
];
const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const body = { name: 'Altstadt', type: '3DTILES', options: { sourceType: 'CITYGML' } } as const;

let folder: string;
let journal: Journal;
let jobs: JobService;
/** Counts what was read of single jobs. */
let reads: { events: number; jobs: number };
const path = () => join(folder, 'journal.db');

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await jobs.stop();
  journal.close();
});

/** Writes jobs as a journal without recorded ends has them. */
function fillJournal(count: number, eventsOf: (index: number) => readonly JobEvent[] = complete): void {
  openJournal(path()).close();
  const database = new DatabaseSync(path());
  database.exec('BEGIN');
  const job = database.prepare(
    'INSERT INTO jobs (id, account_id, paths, body, created_at, place) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const event = database.prepare('INSERT INTO events (job_id, event) VALUES (?, ?)');
  for (let index = 0; index < count; index += 1) {
    const paths = JSON.stringify([`/data/${index}`]);
    job.run(
      idOf(index),
      'me',
      paths,
      JSON.stringify({ ...body, name: `Asset ${index}` }),
      1_000 + index,
      index,
    );
    for (const item of eventsOf(index)) event.run(idOf(index), JSON.stringify(item));
  }
  database.exec('COMMIT');
  database.close();
}

function open(): void {
  const realJournal = openJournal(path());
  reads = { events: 0, jobs: 0 };
  journal = {
    ...realJournal,
    events: (id) => {
      reads.events += 1;
      return realJournal.events(id);
    },
    unfinished: () => {
      const placedJobs = realJournal.unfinished();
      reads.jobs += placedJobs.length;
      return placedJobs;
    },
    jobs: () => {
      const records = realJournal.jobs();
      reads.jobs += records.length;
      return records;
    },
  };
  jobs = new Jobs({
    ...{ journal, vault: memoryVault(), clock: manualClock(), random: () => 0.5, log: silentLog },
    accounts: {
      serviceFor: () => {
        throw new TileliftError('not-signed-in');
      },
    },
  });
  jobs.start();
}

async function reopen(): Promise<void> {
  await jobs.stop();
  journal.close();
  open();
}

it('JobService with ten thousand ended jobs starts without reading ended jobs and lists them page by page', async () => {
  fillJournal(10_000);
  open();
  // The first start records how the jobs ended.
  expect(reads.events).toBe(10_000);
  await reopen();
  expect(jobs.unfinishedJobs()).toEqual([]);
  expect(jobs.endedTotals()).toEqual(new Map([['complete', { count: 10_000, lastAt: 10_007 }]]));
  expect(reads).toEqual({ events: 0, jobs: 0 });
  const { jobs: page, next: nextPlace } = jobs.listEnded(100);
  expect(page.map(({ name }) => name)).toEqual(
    Array.from({ length: 100 }, (_, index) => `Asset ${9_999 - index}`),
  );
  expect(nextPlace).not.toBeNull();
  expect(newestJobs(jobs, 20)).toMatchObject({ count: 10_000, newest: { length: 20 } });
  expect(reads).toEqual({ events: 100, jobs: 0 });
});

it('JobService with ten thousand ended jobs finds an ended job by its asset or source without reading the others', async () => {
  fillJournal(10_000);
  open();
  await reopen();
  expect(jobs.ofAsset('me', 1_234)).toMatchObject([{ id: idOf(1_234), isListed: true }]);
  expect(jobs.ofAsset('other', 1_234)).toEqual([]);
  expect(journal.isOurAsset(1_234)).toBe(true);
  expect(journal.isOurAsset(10_001)).toBe(false);
  expect([...jobs.ofSource('me', ['/data/7'])]).toMatchObject([{ name: 'Asset 7', bytesTotal: 100 }]);
  expect(jobs.get(idOf(7))).toMatchObject({ status: 'complete', assetId: 7, place: 7 });
  expect(jobs.history(idOf(8)).length).toBeGreaterThan(1);
  expect(reads.events).toBeLessThanOrEqual(4);
  expect(jobs.assetIds('me')).toHaveLength(10_000);
});

it('JobService with ten thousand ended jobs searches ended jobs and reads only the page of results', async () => {
  fillJournal(10_000);
  open();
  await reopen();
  const page = await jobs.findEnded({ ...everyJob, text: 'asset 77' }, 100);
  expect([page.jobs.length, page.rest]).toEqual([100, { count: 11, bytes: 1_100, failed: 0 }]);
  expect(reads).toEqual({ events: 100, jobs: 0 });
});

it('JobService with ten thousand ended jobs removes and restores all ended jobs without reading them', async () => {
  fillJournal(10_000);
  open();
  await reopen();
  const ids = Array.from({ length: 10_000 }, (_, index) => idOf(index));
  expect(await jobs.actOn(ids, 'remove')).toHaveLength(10_000);
  expect(jobs.listEnded(1).jobs).toEqual([]);
  expect(jobs.get(idOf(5))).toBeUndefined();
  await reopen();
  expect(jobs.bringBack(null)).toHaveLength(10_000);
  expect(jobs.endedTotals().get('complete')?.count).toBe(10_000);
  expect(reads).toEqual({ events: 0, jobs: 0 });
});

it('pages of ended jobs contain each ended job once, even with equal times', () => {
  fillJournal(57);
  const database = new DatabaseSync(path());
  database.exec('UPDATE jobs SET created_at = 1000 + rowid / 10');
  database.close();
  open();
  const names: string[] = [];
  let afterPlace: EndedPlace | undefined;
  do {
    const page = jobs.listEnded(10, afterPlace);
    names.push(...page.jobs.map(({ name }) => name));
    afterPlace = page.next ?? undefined;
  } while (afterPlace);
  expect(names).toEqual(Array.from({ length: 57 }, (_, index) => `Asset ${56 - index}`));
  expect(jobs.list().map(({ name }) => name)).toEqual(names);
});

it('pages of ended jobs report how many ended jobs follow, without replaced ones', () => {
  fillJournal(30);
  const database = new DatabaseSync(path());
  database.exec(`UPDATE jobs SET predecessor = '${idOf(3)}' WHERE id = '${idOf(25)}'`);
  database.close();
  open();
  const { next: nextPlace } = jobs.listEnded(10);
  expect(nextPlace && journal.endedAfter(nextPlace)).toEqual({ count: 19, bytes: 1_900, failed: 0 });
});

it('pages of ended jobs report how many of those that follow have failed', () => {
  fillJournal(30, (number) => (number < 12 ? failedEvents : complete(number)));
  open();
  const { next: nextPlace } = jobs.listEnded(20);
  expect(nextPlace && journal.endedAfter(nextPlace)).toMatchObject({ count: 10, failed: 10 });
});

it('an ended job that is tried again stays unfinished after a restart and ends a second time', async () => {
  fillJournal(3, () => failedEvents);
  open();
  await jobs.act(idOf(1), 'try-again');
  await vi.waitFor(() => expect(jobs.unfinishedJobs()).toMatchObject([{ id: idOf(1) }]));
  expect(jobs.listEnded(10).jobs.map(({ id }) => id)).toEqual([idOf(2), idOf(0)]);
  await reopen();
  expect(jobs.unfinishedJobs().map(({ id }) => id)).toEqual([idOf(1)]);
  await jobs.act(idOf(1), 'cancel');
  await vi.waitFor(() => expect(jobs.unfinishedJobs()).toEqual([]));
  expect(jobs.endedTotals()).toMatchObject(
    new Map([
      ['cancelled', { count: 1 }],
      ['failed', { count: 2 }],
    ]),
  );
});

it('an ended job that is tried again runs once each when several hundred are tried again', async () => {
  fillJournal(600, () => failedEvents);
  open();
  await reopen();
  const ids = Array.from({ length: 600 }, (_, index) => idOf(index));
  const triedIds = jobs.actOn(ids, 'try-again');
  for (const id of ids) jobs.get(id);
  await setImmediate();
  await Promise.all([triedIds, jobs.actOn(ids.slice(0, 50), 'try-again')]);
  const retryCounts = ids.map((id) => journal.events(id).filter(({ kind }) => kind === 'tried-again').length);
  expect(new Set(retryCounts)).toEqual(new Set([1]));
});

it('an ended job that is tried again is reused when a script requests its source again', async () => {
  fillJournal(3, () => failedEvents);
  open();
  await reopen();
  const wantedJob = {
    accountId: 'me',
    paths: ['/data/1'],
    body: { ...body, name: 'Asset 1' },
    acceptForecast: false,
  };
  expect(await addOnce(jobs, wantedJob, false)).toMatchObject({ kind: 'continued', job: { id: idOf(1) } });
});

it('an ended job with an unreadable event is set aside on reading, while the others are listed', async () => {
  fillJournal(5);
  open();
  await jobs.stop();
  journal.close();
  const database = new DatabaseSync(path());
  database.exec(
    `UPDATE events SET event = '{"kind":"tiled"}' WHERE job_id = '${idOf(2)}' AND event LIKE '%tiled%'`,
  );
  database.exec(`UPDATE jobs SET body = 'x' WHERE id = '${idOf(3)}'`);
  database.close();
  open();
  expect(jobs.listEnded(10).jobs.map(({ id }) => id)).toContain(idOf(4));
  // All its bytes are in storage: the asset determines how the job goes on.
  expect(jobs.get(idOf(2))).toMatchObject({ status: 'tiling', assetId: 2 });
  expect(jobs.get(idOf(3))).toBeUndefined();
  expect(jobs.list().map(({ id }) => id)).toEqual([idOf(4), idOf(2), idOf(1), idOf(0)]);
});
