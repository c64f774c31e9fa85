import { expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';
import { errorText, makeReceipt } from '../../../../main/watch/finish/receipt.ts';
import { notInspected } from '../../../../main/watch/model/noted-findings.ts';

const rule = { id: 'rule', name: 'Scans' };
const entry = { path: 'scan', takenAt: 1_000, endedAt: 5_000 };
const service = 'https://api.example.com';
const job = {
  accountId: 'me',
  status: 'complete',
  name: 'Scan 7',
  assetType: 'TERRAIN',
  assetId: 42,
  uploadedAt: 3_000,
  endedAt: 4_000,
  error: null,
} as JobSnapshot;

it('makeReceipt() records the files, times and outcome of an upload', async () => {
  const files = [
    { id: 3, key: 'a.tif', size: 9, mtimeMs: 1, etag: 'abc-2', comparedBy: 'crc32' as const, partSize: 8 },
  ];
  expect(await makeReceipt(rule, entry, job, service, files, notInspected)).toEqual({
    ruleId: 'rule',
    ruleName: 'Scans',
    source: 'scan',
    accountId: 'me',
    service,
    assetId: 42,
    assetName: 'Scan 7',
    assetType: 'TERRAIN',
    takenAt: 1_000,
    uploadedAt: 3_000,
    endedAt: 4_000,
    outcome: 'complete',
    error: null,
    files: [{ key: 'a.tif', size: 9, etag: 'abc-2', comparedBy: 'crc32', partSize: 8 }],
  });
});

it('makeReceipt() records a failure with the service’s message', async () => {
  const error = toErrorRecord(new TileliftError('data-error', { remote: { message: 'no CRS' } }));
  const failed = { ...job, status: 'data-error', error } as JobSnapshot;
  expect(await makeReceipt(rule, entry, failed, null, [], notInspected)).toMatchObject({
    outcome: 'data-error',
    error,
    files: [],
  });
});

it('makeReceipt() records findings and how thoroughly the files were checked', async () => {
  const inspection = {
    findings: [{ id: 'no-system-raster', count: 2, files: ['a.tif', 'b.tif'] }],
    degrees: [{ degree: 'read', count: 2, examples: [] }],
  } as const;
  expect(await makeReceipt(rule, entry, job, service, [], inspection)).toMatchObject(inspection);
});

it('errorText() returns English text with the service’s message', () => {
  const error = toErrorRecord(new TileliftError('data-error', { remote: { message: 'no CRS' } }));
  expect(errorText({ error })).toMatch(/\(no CRS\)$/);
});
