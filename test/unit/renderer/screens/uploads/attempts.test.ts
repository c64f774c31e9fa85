import { expect, it } from 'vitest';
import { makeJob } from '../../../../../gallery/samples/sample-jobs.ts';
import { earlierAttempts, withoutEarlier } from '../../../../../renderer/state/uploads/attempts.ts';
import { rowActions } from '../../../../../renderer/state/uploads/job-actions.ts';

const job = (id: string, predecessor?: string) =>
  makeJob({ id, status: 'data-error', createdAt: 0, ...(predecessor !== undefined && { predecessor }) });
const jobs = (...list: readonly ReturnType<typeof job>[]) => new Map(list.map((item) => [item.id, item]));
const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

it('replaced jobs fold under their successor, the latest first', () => {
  const allJobs = jobs(job('a'), job('b', 'a'), job('c', 'b'), job('other'));
  expect(ids(withoutEarlier(allJobs))).toEqual(['c', 'other']);
  expect(ids(earlierAttempts(job('c', 'b'), allJobs))).toEqual(['b', 'a']);
});

it('a job without its predecessor has no earlier attempts, and one without its successor is listed', () => {
  expect(ids(withoutEarlier(jobs(job('c', 'gone'))))).toEqual(['c']);
  expect(earlierAttempts(job('c', 'gone'), jobs(job('c', 'gone')))).toEqual([]);
  expect(ids(withoutEarlier(jobs(job('a'))))).toEqual(['a']);
});

it('a circular chain from a damaged journal ends', () => {
  const allJobs = jobs(job('a', 'b'), job('b', 'a'));
  expect(earlierAttempts(job('a', 'b'), allJobs).length).toBeLessThanOrEqual(2);
});

it('a job with wrong data offers correction, also from a watched folder', () => {
  const failedJob = { ...job('a'), actions: ['start-again', 'remove'] as const };
  expect(rowActions(failedJob).primary).toBe('correct');
  expect(rowActions({ ...failedJob, status: 'error' }).primary).toBe('start-again');
  expect(rowActions({ ...failedJob, byRule: true }).primary).toBe('correct');
  expect(rowActions({ ...failedJob, status: 'expired' }).primary).toBe('start-again');
});
