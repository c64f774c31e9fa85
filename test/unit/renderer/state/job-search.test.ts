import { expect, it } from 'vitest';
import { makeJob } from '../../../../gallery/samples/sample-jobs.ts';
import type { JobView } from '../../../../preload/contract.ts';
import type { JobsState } from '../../../../renderer/state/jobs.svelte.ts';
import { everyJob, findJobs, type JobFilter } from '../../../../shared/search/job-filter.ts';
import { openedJobs } from './opened-jobs.ts';

const count = 10_000;
const nameOf = (index: number) => `Kachel ${index} ${index % 40 === 0 ? 'Hafen' : 'Altstadt'}`;
const views = Array.from({ length: count }, (_, index) =>
  makeJob({ id: `job-${index}`, name: nameOf(index), status: 'complete', createdAt: index, assetId: index }),
);
const harbour: JobFilter = { ...everyJob, text: 'hafen' };

const openJobs = (jobViews: readonly JobView[] = views) => openedJobs(jobViews);
const foundIds = (jobs: JobsState, filter: JobFilter) =>
  findJobs(jobs.loadedJobs, filter).map(({ id }) => id);

it('a search among ten thousand ended uploads loads one page of results and leaves the list unchanged', async () => {
  const { jobs, requests } = await openJobs();
  const previous = jobs.list;
  await jobs.search.look(harbour);
  expect(requests).toEqual(['jobs.find']);
  // Three are among the first hundred of the list.
  expect(foundIds(jobs, harbour)).toHaveLength(2 + 100);
  expect(jobs.search.unloaded.count).toBe(250 - 2 - 100);
  expect(jobs.search.answered).toBe(harbour);
  expect([jobs.list, jobs.unloaded.count]).toEqual([previous, count - 100]);
});

it('a search among ten thousand ended uploads loads page by page and finds each upload once', async () => {
  const { jobs, requests } = await openJobs();
  await jobs.search.look(harbour);
  await jobs.search.loadMore();
  expect(jobs.search.unloaded.count).toBe(48);
  await jobs.search.loadAll();
  expect(foundIds(jobs, harbour)).toEqual(findJobs(views.toReversed(), harbour).map(({ id }) => id));
  expect([jobs.search.unloaded.count, requests.length]).toEqual([0, 3]);
  await jobs.search.loadMore();
  await jobs.search.loadAll();
  expect(requests.length).toBe(3);
});

it('a search among ten thousand ended uploads searches for the last typed text, not for each letter', async () => {
  const { jobs, requests, hold: holdAnswers } = await openJobs();
  const answer = Promise.withResolvers<void>();
  holdAnswers(answer.promise);
  const typedFilters = ['h', 'ha', 'haf', 'hafen'].map((text) => ({ ...everyJob, text }));
  const searches = typedFilters.map((filter) => jobs.search.look(filter));
  expect(jobs.search.answered).toBeNull();
  answer.resolve();
  await Promise.all(searches);
  expect(requests).toEqual(['jobs.find', 'jobs.find']);
  expect(jobs.search.answered).toBe(typedFilters.at(-1));
  // Outdated results are dropped.
  expect(jobs.loadedJobs).toHaveLength(100 + 100);
});

it('a search among ten thousand ended uploads requests nothing when the list is complete or only unfinished uploads match', async () => {
  const fewJobs = await openJobs(views.slice(0, 50));
  await fewJobs.jobs.search.look(harbour);
  const manyJobs = await openJobs();
  const queued: JobFilter = { ...everyJob, group: 'queued' };
  await manyJobs.jobs.search.look(queued);
  expect([fewJobs.requests, manyJobs.requests]).toEqual([[], []]);
  expect([fewJobs.jobs.search.answered, manyJobs.jobs.search.answered]).toEqual([harbour, queued]);
});

it('a search among ten thousand ended uploads leaves results in place when the list reaches them', async () => {
  const { jobs, change } = await openJobs();
  await jobs.search.look(harbour);
  jobs.search.end();
  expect(jobs.search.unloaded.count).toBe(0);
  // An upload that continues is in the list.
  change([makeJob({ id: 'job-9600', name: nameOf(9_600), status: 'uploading', createdAt: 9_600 })]);
  expect(jobs.list.map(({ id }) => id)).toContain('job-9600');
  await jobs.reachJob('job-9520');
  expect(jobs.list.map(({ id }) => id)).toEqual(
    views
      .map(({ id }) => id)
      .filter((_, index) => index >= 9_500)
      .toReversed(),
  );
  await jobs.loadAll();
  expect(jobs.list).toHaveLength(count);
  expect(jobs.list).toBe(jobs.loadedJobs);
});

it('a search among ten thousand ended uploads reports an error and recovers', async () => {
  const { jobs, failed: onFailure, hold: holdAnswers } = await openJobs();
  holdAnswers(Promise.reject(new Error('no answer')));
  await jobs.search.look(harbour);
  expect(onFailure).toHaveBeenCalledTimes(1);
  expect(jobs.search.answered).toBe(harbour);
});
