import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { firstPage, foundPage, jobsPage } from '../../../../main/ipc/views/jobs-page.ts';
import type { JobService, JobSnapshot } from '../../../../main/jobs/model.ts';
import { noRest } from '../../../../shared/job.ts';
import { job } from '../../desktop/stand-ins.ts';

const endedJobs = Array.from({ length: 700 }, (_, row) =>
  job({ id: `e${row}`, status: 'complete', endedAt: 1, createdAt: 1_000 - row, ...predecessorOf(row) }),
);
/** The first job replaces one far down, which replaces another further down. */
function predecessorOf(row: number): Partial<JobSnapshot> {
  if (row === 0) return { predecessor: 'e650' };
  return row === 650 ? { predecessor: 'e699' } : {};
}
let reads = 0;
const jobs = {
  unfinishedJobs: () => [job({ id: 'u', createdAt: 5, predecessor: 'e698' })],
  listEnded: (max: number, afterPlace?: { row: number }) => {
    // More would hold up the main thread.
    expect(max).toBeLessThanOrEqual(100);
    reads += 1;
    const startRow = afterPlace?.row ?? 0;
    const page = endedJobs.slice(startRow, startRow + max);
    const row = startRow + page.length;
    return { jobs: page, next: row < endedJobs.length ? { createdAt: 1_000 - row, row } : null };
  },
  endedAfter: ({ row }: { row: number }) => ({ count: endedJobs.length - row, bytes: 0, failed: 3 }),
  get: (id: string) => endedJobs.find((candidate) => candidate.id === id),
};

it('jobsPage() starts with unfinished jobs, the newest ended ones and those they replaced', async () => {
  const { jobs: firstJobs, next: nextPlace, rest: restOfJobs } = await jobsPage(jobs, null);
  const ids = firstJobs.map(({ id }) => id);
  expect(ids.slice(0, 2)).toEqual(['u', 'e0']);
  expect(ids.slice(firstPage + 1)).toEqual(['e698', 'e650', 'e699']);
  expect([nextPlace?.row, restOfJobs.count]).toEqual([100, 600]);
});

it('jobsPage() continues with ended jobs, yields while reading and marks the last page', async () => {
  reads = 0;
  let turns = 0;
  let hasEnded = false;
  const otherWork = (async () => {
    for (; !hasEnded; turns += 1) await setImmediate();
  })();
  const secondPage = await jobsPage(jobs, { createdAt: 0, row: 100 });
  hasEnded = true;
  await otherWork;
  expect([secondPage.jobs.length, secondPage.next?.row]).toEqual([500, 600]);
  expect(reads).toBe(5);
  expect(turns).toBeGreaterThanOrEqual(4);
  const lastPage = await jobsPage(jobs, secondPage.next);
  expect([lastPage.jobs.length, lastPage.next, lastPage.rest]).toEqual([100, null, noRest]);
});

it('a page of search results fills a window and includes replaced jobs', async () => {
  const filter = { group: 'all', text: 'x', only: null } as const;
  const askedFilters: unknown[] = [];
  const restOfJobs = { count: 7, bytes: 8, failed: 1 };
  const findEnded: JobService['findEnded'] = async (...parameters) => {
    askedFilters.push(parameters);
    return { jobs: endedJobs.slice(0, 2), next: { createdAt: 999, row: 2 }, rest: restOfJobs };
  };
  const page = await foundPage({ ...jobs, findEnded }, filter, null);
  expect(askedFilters).toEqual([[filter, firstPage, undefined]]);
  expect(page.jobs.map(({ id }) => id)).toEqual(['e0', 'e1', 'e650', 'e699']);
  expect([page.next?.row, page.rest]).toEqual([2, restOfJobs]);
});
