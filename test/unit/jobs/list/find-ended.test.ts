import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../../main/jobs/journal/database.ts';
import { createJournal } from '../../../../main/jobs/journal/journal.ts';
import type { Journal } from '../../../../main/jobs/journal/journal-model.ts';
import { findEnded } from '../../../../main/jobs/list/find-ended.ts';
import type { EndedPlace } from '../../../../shared/job.ts';
import type { JobStatus } from '../../../../shared/job-status.ts';
import { everyJob, type JobFilter } from '../../../../shared/search/job-filter.ts';

let database: DatabaseSync;
let journal: Journal;
beforeEach(() => {
  database = openDatabase(':memory:');
  journal = createJournal(database, ':memory:');
});
afterEach(() => journal.close());

interface EndedFacts {
  readonly name?: string;
  readonly paths?: readonly string[];
  readonly assetId?: number;
  readonly as?: JobStatus;
  readonly predecessor?: string;
}

/** The last is the newest; several share one moment. */
function fillJournal(count: number, factsOf: (index: number) => EndedFacts = () => ({})): void {
  database.exec('BEGIN');
  for (let index = 0; index < count; index += 1) {
    const {
      name = `Asset ${index}`,
      paths = [`/data/${index}`],
      assetId,
      as = 'complete',
      ...otherFields
    } = factsOf(index);
    const id = `job-${index}`;
    journal.addJob({
      ...{ id, accountId: 'me', paths, createdAt: 1_000 + Math.floor(index / 10), acceptForecast: false },
      body: { name, type: '3DTILES', options: { sourceType: 'CITYGML' } },
      ...otherFields,
    });
    database.prepare('INSERT INTO job_assets VALUES (?, ?, 0)').run(assetId ?? 100_000 + index, id);
    journal.setEnds(new Map([[id, { at: 5_000, as, bytes: 100 }]]));
  }
  database.exec('COMMIT');
}

const findJobs = (filter: Partial<JobFilter>, max = 20, afterPlace?: EndedPlace) =>
  findEnded(journal, { ...everyJob, ...filter }, max, afterPlace);
const foundIds = async (filter: Partial<JobFilter>) => (await findJobs(filter)).ids;

it('findEnded() returns the newest first, page by page, and says how many are left', async () => {
  fillJournal(1_000, (index) => ({ as: index < 500 ? 'expired' : 'cancelled' }));
  const wantedIds = Array.from({ length: 1_000 }, (_, index) => 999 - index).filter((index) =>
    `${index}`.includes('7'),
  );
  const ids: string[] = [];
  let afterPlace: EndedPlace | undefined;
  do {
    const page = await findJobs(
      { text: 'ASSET', only: wantedIds.map((index) => `job-${index}`) },
      50,
      afterPlace,
    );
    ids.push(...page.ids);
    const count = wantedIds.length - ids.length;
    const failed = wantedIds.slice(ids.length).filter((index) => index < 500).length;
    expect([page.rest, page.next === null]).toEqual([{ count, bytes: count * 100, failed }, count === 0]);
    afterPlace = page.next ?? undefined;
  } while (afterPlace);
  expect(ids).toEqual(wantedIds.map((index) => `job-${index}`));
});

it('findEnded() yields to the event loop, however many jobs there are', async () => {
  fillJournal(2_000);
  let turns = 0;
  let hasEnded = false;
  const otherWork = (async () => {
    for (; !hasEnded; turns += 1) await setImmediate();
  })();
  expect(await foundIds({ text: 'nowhere' })).toEqual([]);
  hasEnded = true;
  await otherWork;
  expect(turns).toBeGreaterThanOrEqual(10);
});

it('findEnded() searches names, asset ids and paths, ignoring case', async () => {
  const facts: Readonly<Record<number, EndedFacts>> = {
    4: { paths: ['/data/eins', '/data/Hafen-\u00dc/zwei.laz'] },
    5: { name: 'ALTST\u00c4DTE' },
    6: { assetId: 4_711 },
  };
  fillJournal(10, (index) => facts[index] ?? {});
  expect(await foundIds({ text: ' altst\u00e4dte ' })).toEqual(['job-5']);
  expect(await foundIds({ text: 'hafen-\u00fc' })).toEqual(['job-4']);
  expect(await foundIds({ text: '4711' })).toEqual(['job-6']);
});

it('findEnded() filters by outcome and omits replaced jobs', async () => {
  fillJournal(10, (index) => ({
    as: index % 3 === 0 ? 'failed' : 'complete',
    ...(index === 8 ? { predecessor: 'job-3' } : {}),
  }));
  expect(await foundIds({ group: 'asks' })).toEqual(['job-9', 'job-6', 'job-0']);
  expect(await foundIds({ only: ['job-1', 'job-3', 'job-2'] })).toEqual(['job-2', 'job-1']);
  expect(await foundIds({ group: 'ended' })).toHaveLength(9);
  expect(await foundIds({ group: 'under-way' })).toEqual([]);
});

it('findEnded() searches as many paths as the window shows', async () => {
  fillJournal(1, () => ({ paths: Array.from({ length: 60 }, (_, index) => `/data/${index}-of-many`) }));
  expect(await foundIds({ text: '49-of' })).toEqual(['job-0']);
  expect(await foundIds({ text: '50-of' })).toEqual([]);
});

it('findEnded() skips a job that can’t be read', async () => {
  fillJournal(3);
  database.exec("UPDATE jobs SET body = 'x', paths = 'y' WHERE id = 'job-1'");
  expect(await foundIds({ text: 'asset' })).toEqual(['job-2', 'job-0']);
});
