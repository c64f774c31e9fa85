import { expect, it } from 'vitest';
import { jobListCsv } from '../../../../main/ipc/handlers/job-list-csv.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';

const job = (changes: Partial<JobSnapshot>) =>
  ({
    ...{ accountId: 'me', name: 'Town', assetId: 7, assetType: '3DTILES', status: 'complete', fileCount: 3 },
    ...{ bytesTotal: 2_000, createdAt: 1_000, uploadedAt: 11_400, endedAt: 71_400 },
    ...changes,
  }) as JobSnapshot;
const linkOf = (account: string, id: number) => (account === 'me' ? `https://ion.test/assets/${id}` : null);
const lines = (...jobs: readonly JobSnapshot[]) => jobListCsv(jobs, linkOf).split('\r\n').slice(1, -1);

it('jobListCsv() writes a line per upload with link and times', () => {
  expect(jobListCsv([], linkOf)).toBe(
    '"name","asset id","asset type","link","files","bytes","upload seconds","tiling seconds"\r\n',
  );
  expect(lines(job({}), job({ accountId: 'gone' }))).toEqual([
    '"Town",7,"3DTILES","https://ion.test/assets/7",3,2000,10,60',
    '"Town",7,"3DTILES",,3,2000,10,60',
  ]);
});

it('jobListCsv() leaves missing values empty', () => {
  const failedJob = job({
    status: 'failed',
    assetId: null,
    uploadedAt: null,
    fileCount: null,
    bytesTotal: null,
  });
  expect(lines(failedJob)).toEqual(['"Town",,"3DTILES",,,,,']);
  expect(lines(job({ status: 'data-error' }))[0]).toMatch(/,10,$/);
});

it('jobListCsv() escapes a name that looks like a formula', () => {
  expect(lines(job({ name: '=HYPERLINK("http://x";"y")' }))[0]).toMatch(/^"'=HYPERLINK\(""/);
});
