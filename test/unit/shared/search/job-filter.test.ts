import { expect, it } from 'vitest';
import { makeJob } from '../../../../gallery/samples/sample-jobs.ts';
import type { JobView } from '../../../../preload/contract.ts';
import {
  asksForPerson,
  everyJob,
  findJobs,
  isFiltered,
  type JobFilter,
} from '../../../../shared/search/job-filter.ts';

const jobs = [
  make('sends', { status: 'uploading' }),
  make('offline', { status: 'uploading', waitingFor: 'network' }),
  make('paused', { status: 'paused' }),
  make('signed-out', { status: 'uploading', waitingFor: 'sign-in' }),
  make('asks', { status: 'creating', waitingFor: 'confirmation' }),
  make('queued', { status: 'queued', waitingFor: 'turn' }),
  make('complete', { status: 'complete', assetId: 4711, name: 'Altstadt' }),
  make('failed', { status: 'failed', paths: ['/data/Hafen/punkte.laz'] }),
  make('cancelled', { status: 'cancelled' }),
];
const foundIds = (filter: Partial<JobFilter>) =>
  findJobs(jobs, { ...everyJob, ...filter }).map(({ id }) => id);

it('findJobs() lists the uploads of a notice, filtered by text', () => {
  const onlyIds = [jobs[0]?.id ?? '', jobs[2]?.id ?? '', 'gone'];
  expect(foundIds({ only: onlyIds })).toEqual(onlyIds.slice(0, 2));
  expect(foundIds({ only: onlyIds, text: jobs[2]?.name ?? '' })).toEqual([onlyIds[1]]);
  expect(isFiltered({ ...everyJob, only: onlyIds })).toBe(true);
});

it('findJobs() returns the same list without a filter', () => {
  expect(findJobs(jobs, { ...everyJob, text: '  ' })).toBe(jobs);
});

it('findJobs() filters by the headings of the list and by uploads that need the user', () => {
  expect(foundIds({ group: 'under-way' })).toEqual(['sends', 'offline', 'paused', 'signed-out', 'asks']);
  expect(foundIds({ group: 'queued' })).toEqual(['queued']);
  expect(foundIds({ group: 'asks' })).toEqual(['paused', 'signed-out', 'asks', 'failed']);
  expect(foundIds({ group: 'ended' })).toEqual(['complete', 'failed', 'cancelled']);
});

it('findJobs() puts each job in one group', () => {
  for (const job of jobs) {
    const groups = (['under-way', 'queued', 'ended'] as const).filter((group) =>
      findJobs([job], { ...everyJob, group }).includes(job),
    );
    expect(groups.length, job.id).toBe(1);
  }
});

it('findJobs() searches name, id and paths, ignoring case', () => {
  expect(foundIds({ text: ' ALTst ' })).toEqual(['complete']);
  expect(foundIds({ text: '4711' })).toEqual(['complete']);
  expect(foundIds({ text: 'hafen' })).toEqual(['failed']);
  expect(foundIds({ text: 'hafen', group: 'under-way' })).toEqual([]);
});

it('findJobs() excludes completed and cancelled uploads from those that need the user', () => {
  expect(asksForPerson({ status: 'complete', waitingFor: null })).toBe(false);
  expect(asksForPerson({ status: 'cancelled', waitingFor: null })).toBe(false);
  expect(asksForPerson({ status: 'expired', waitingFor: null })).toBe(true);
});

function make(id: string, part: Partial<JobView> & Pick<JobView, 'status'>): JobView {
  return makeJob({ id, name: id, createdAt: 0, paths: [`/data/${id}`], ...part });
}
