import { expect, it } from 'vitest';
import { jobForPage } from '../../../../main/ipc/views/views.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';

const job = (count: number) =>
  ({
    id: 'a',
    paths: Array.from({ length: count }, (_, index) => `/in/${index}.jpg`),
  }) as Partial<JobSnapshot> as JobSnapshot;

it('jobForPage() includes the first paths of a job and counts the rest', () => {
  expect(jobForPage(job(50))).toEqual(job(50));
  const { paths, morePaths } = jobForPage(job(20_000));
  expect([paths.length, paths[0], morePaths]).toEqual([50, '/in/0.jpg', 19_950]);
});
