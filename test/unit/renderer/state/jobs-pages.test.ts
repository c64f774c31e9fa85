import { expect, it, vi } from 'vitest';
import { makeJob } from '../../../../gallery/samples/sample-jobs.ts';
import type { Api } from '../../../../renderer/api.ts';
import { JobsState } from '../../../../renderer/state/jobs.svelte.ts';
import { openedJobs } from './opened-jobs.ts';

const views = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    makeJob({
      ...{ id: `job-${index}`, createdAt: index, assetId: index },
      status: index % 50 === 0 ? 'paused' : 'complete',
    }),
  );

it('scrolls to an opened job once', () => {
  const jobs = new JobsState({} as Api, () => 0);
  jobs.openedId = 'a';
  expect([jobs.openedId, jobs.revealing]).toEqual(['a', 'a']);
  jobs.revealing = null;
  expect(jobs.openedId).toBe('a');
});

it('the list of uploads starts with unfinished uploads and a page of ended ones, and requests each page once', async () => {
  const { jobs, requests } = await openedJobs(views(1_000));
  expect([jobs.list.length, jobs.unloaded.count]).toEqual([20 + 100, 880]);
  await Promise.all([jobs.loadMore(), jobs.loadMore()]);
  expect([jobs.list.length, jobs.unloaded.count, requests.length]).toEqual([220, 780, 1]);
});

it('the list of uploads contains each upload once, newest first, and then requests no more', async () => {
  const { jobs, requests, change } = await openedJobs(views(1_000));
  // It ended after it was listed: a page brings it a second time, as it was.
  change([makeJob({ id: 'job-3', status: 'complete', createdAt: 3, assetId: 3, name: 'renamed' })]);
  await jobs.loadAll();
  expect(jobs.list.map(({ id }) => id)).toEqual(
    views(1_000)
      .map(({ id }) => id)
      .reverse(),
  );
  expect(jobs.findJob('job-3')?.name).toBe('renamed');
  const previous = requests.length;
  await jobs.loadAll();
  await jobs.loadMore();
  expect(requests.length).toBe(previous);
});

it('the list of uploads counts new assets, not those of a page', async () => {
  const { jobs, change } = await openedJobs(views(300));
  await jobs.loadAll();
  expect(jobs.assetRevision).toBe(0);
  change([makeJob({ id: 'new', status: 'uploading', createdAt: 999, assetId: 999 })]);
  expect(jobs.assetRevision).toBe(1);
  change([makeJob({ id: 'new', status: 'uploading', createdAt: 999, assetId: 999, bytesDone: 5 })]);
  expect(jobs.assetRevision).toBe(1);
  change([makeJob({ id: 'new', status: 'complete', createdAt: 999, assetId: 999 })]);
  expect(jobs.assetRevision).toBe(2);
});

it('the list of uploads reports a failed page and retries on scrolling', async () => {
  const { jobs, kept: jobsById, failed: onFailure } = await openedJobs(views(1_000));
  const values = vi.spyOn(jobsById, 'values').mockImplementationOnce(() => {
    throw new Error('no answer');
  });
  await jobs.loadAll();
  expect(onFailure).toHaveBeenCalledTimes(1);
  expect(jobs.unloaded.count).toBe(880);
  values.mockRestore();
  await jobs.loadAll();
  expect(jobs.unloaded.count).toBe(0);
});
