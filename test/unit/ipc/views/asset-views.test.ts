import { expect, it } from 'vitest';
import { assetDetailsView, assetUploads } from '../../../../main/ipc/views/asset-views.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';
import type { Asset } from '../../../../main/service/model.ts';
import type { RuleUpload } from '../../../../main/watch/model/model.ts';

const asset: Asset = {
  ...{ id: 42, type: 'TERRAIN', name: 'DGM1', description: 'd', attribution: '', bytes: 9, dateAdded: '' },
  ...{ status: 'COMPLETE', percentComplete: 100 },
};

it('asset views show all fields by name, shorten hostile values and redact secrets', () => {
  const longText = 'x'.repeat(100_000);
  const manyFields = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, index]));
  const sentAsset = {
    ...asset,
    [longText]: longText,
    nested: { token: 'eyJhbGciOi', accessToken: 'abc123' },
    ...manyFields,
  };
  const { fields, moreFields } = assetDetailsView(
    { ...sentAsset, description: longText, error: longText },
    false,
  );
  expect(fields[0]).toEqual({ name: 'id', value: '42' });
  expect(fields).toHaveLength(60);
  expect(moreFields).toBe(Object.keys(sentAsset).length + 1 - 60);
  expect(Math.max(...fields.map(({ name, value }) => name.length + value.length))).toBeLessThanOrEqual(600);
  expect(JSON.stringify(fields)).not.toContain('abc123');
  const { description, error } = assetDetailsView(
    { ...asset, description: longText, error: longText },
    false,
  );
  expect(description.length).toBe(20_000);
  expect(error?.length).toBe(500);
});

const receipt = (part: Partial<RuleUpload>): RuleUpload => ({
  ...{ jobId: 'gone', ruleName: 'Scans', source: 'a', path: '/in/a', takenAt: 5, uploadedAt: 6, endedAt: 7 },
  ...{ outcome: 'complete', files: 3, bytes: 30 },
  ...part,
});
const job = (part: Partial<JobSnapshot & { isListed: boolean }>) =>
  ({
    ...{ id: 'job', isListed: true, paths: ['/in/b'], byRule: false, createdAt: 9, uploadedAt: null },
    ...part,
  }) as JobSnapshot & { isListed: boolean };

it('asset views list uploads of jobs and receipts once, newest first', async () => {
  const jobs = [
    job({ id: 'job', fileCount: 1, bytesTotal: 2 }),
    job({ id: 'ruled', isListed: false, byRule: true, createdAt: 8, paths: ['/in/c/1', '/in/c/2'] }),
  ];
  const receipts = [receipt({}), receipt({ jobId: 'ruled', path: '/in/moved', ruleName: 'Flights' })];
  const uploads = await assetUploads(jobs, receipts, async (path) => path === '/in/moved');
  expect(uploads).toMatchObject([
    { jobId: 'job', paths: ['/in/b'], rule: null, isThere: false, files: 1, bytes: 2 },
    { jobId: null, paths: ['/in/moved'], rule: 'Flights', isThere: true },
    { jobId: null, paths: ['/in/a'], rule: 'Scans', files: 3, bytes: 30, createdAt: 5 },
  ]);
});

it('asset views show the first of many paths and count the rest', async () => {
  const paths = Array.from({ length: 5_000 }, (_, index) => `/in/${index}`);
  const [uploadOfMany] = await assetUploads([job({ paths })], [], async () => true);
  expect(uploadOfMany).toMatchObject({ morePaths: 4_980, isThere: true });
  expect(uploadOfMany?.paths).toHaveLength(20);
  const [uploadOfNone] = await assetUploads([], [receipt({ path: null })], async () => true);
  expect(uploadOfNone).toMatchObject({ paths: [], morePaths: 0, isThere: false });
});
