import { expect, vi } from 'vitest';
import { foundIn, pageOf } from '../../../../gallery/bridge/fake-jobs.ts';
import type { Calls, Events, JobView } from '../../../../preload/contract.ts';
import type { Api } from '../../../../renderer/api.ts';
import { JobsState } from '../../../../renderer/state/jobs.svelte.ts';

/** The list of these uploads after its first page. `requests` starts empty. */
export async function openedJobs(jobViews: readonly JobView[]) {
  const jobsById = new Map(jobViews.map((job) => [job.id, job]));
  const requests: string[] = [];
  let wait: Promise<void> = Promise.resolve();
  let tell: (event: Events['jobs.changed']) => void = () => {};
  const api = {
    call: async (name: 'jobs.list' | 'jobs.find', input: unknown) => {
      requests.push(name);
      if (name === 'jobs.list') return pageOf(jobsById, input as Calls['jobs.list']['input']);
      await wait;
      return foundIn(jobsById, input as Calls['jobs.find']['input']);
    },
    on: (_name: string, listener: typeof tell) => {
      tell = listener;
      return () => {};
    },
  } as unknown as Api;
  const jobs = new JobsState(api, () => 0);
  const onFailure = vi.fn();
  jobs.start(onFailure, () => {});
  await vi.waitFor(() => expect(jobs.isLoaded).toBe(true));
  requests.length = 0;
  return {
    ...{ jobs, requests, kept: jobsById, failed: onFailure },
    /** Searches wait for this. */
    hold: (untilReleased: Promise<void>) => {
      wait = untilReleased;
    },
    change: (changed: readonly JobView[]) => tell({ changed, removed: [] }),
  };
}
