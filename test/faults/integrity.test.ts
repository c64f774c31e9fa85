import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStorageClient } from '../../main/workers/storage-client.ts';
import { type House, hasStatus, historyTexts } from '../integration/jobs/house.ts';
import {
  expectWhole,
  faultOnPut,
  fiveParts,
  openFaultHouse,
  partPuts,
  s3Error,
  storageRequests,
  threeParts,
  timesSent,
  uploadWhole,
} from './fault-house.ts';

let house: House;

beforeEach(async () => {
  house = await openFaultHouse();
});
afterEach(() => house.close());

it('storage that holds other bytes than the source: sends a part again after a wrong ETag', async () => {
  const action = { kind: 'status', status: 200, headers: { ETag: `"${'0'.repeat(32)}"` } } as const;
  faultOnPut(house, action, { path: 'partNumber=2&' });
  faultOnPut(house, action, { path: 'b\\.prj' });
  const source = await house.source({ 'a.las': threeParts, 'b.prj': 500 });

  const job = await uploadWhole(house, source);

  expect(timesSent(house)).toEqual([1, 2, 1]);
  expect(storageRequests(house, 'PUT', /b\.prj/)).toHaveLength(2);
  // The part was rejected, not the whole.
  expect(storageRequests(house, 'POST', /uploadId=/)).toHaveLength(1);
  await expectWhole(house, job, source);
});

it('storage that holds other bytes than the source: sends a part again after BadDigest', async () => {
  faultOnPut(house, { kind: 'corrupt-request', atByte: 5_000_000 }, { path: 'partNumber=2&' });
  faultOnPut(house, { kind: 'corrupt-request', atByte: 499 }, { path: 'b\\.prj' });
  const source = await house.source({ 'a.las': threeParts, 'b.prj': 500 });

  const job = await uploadWhole(house, source);

  expect(timesSent(house)).toEqual([1, 2, 1]);
  expect(partPuts(house, 2).map(({ status }) => status)).toEqual([400, 200]);
  expect(storageRequests(house, 'PUT', /b\.prj/).map(({ status }) => status)).toEqual([400, 200]);
  await expectWhole(house, job, source);
});

it('storage that holds other bytes than the source: fails the job after ten corrupt parts; a retry sends only missing parts', async () => {
  const action = { kind: 'status', status: 400, body: s3Error('BadDigest') } as const;
  faultOnPut(house, action, { path: 'partNumber=3', times: 10 });
  const id = house.add(await house.source({ 'a.las': fiveParts }));
  const failedJob = await house.until(id, hasStatus('failed'));
  expect(failedJob.error).toMatchObject({ code: 'storage-mismatch', remote: { status: 400 } });
  expect(failedJob.partsDone).toBeGreaterThan(0);
  const previouslySent = partPuts(house).length;

  await house.jobs.act(id, 'try-again');
  await house.until(id, hasStatus('complete'));

  expect(partPuts(house).length - previouslySent).toBe(5 - failedJob.partsDone);
});

it('storage that loses data: sends only the part that storage lost', async () => {
  await house.close();
  let isLost = false;
  house = await openFaultHouse({
    jobs: {
      storageFor: (location) => {
        const storage = createStorageClient(location);
        return {
          ...storage,
          completeMultipartUpload: async (key, ...parameters) => {
            if (!isLost) await house.service.control.loseParts({ key: location.prefix + key, numbers: [2] });
            isLost = true;
            return storage.completeMultipartUpload(key, ...parameters);
          },
        };
      },
    },
  });
  const source = await house.source({ 'a.las': threeParts });
  const id = house.add(source);

  const job = await house.until(id, hasStatus('complete'));

  expect(timesSent(house)).toEqual([1, 2, 1]);
  expect(historyTexts(house, id)).toContainEqual(expect.stringContaining('did not accept all parts'));
  await expectWhole(house, job, source);
});
