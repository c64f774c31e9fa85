import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../main/ports.ts';
import { type House, hasStatus, historyTexts } from '../integration/jobs/house.ts';
import type { FaultAction } from '../service/model.ts';
import {
  expectWhole,
  faultOnPut,
  fiveParts,
  halfUploaded,
  openFaultHouse,
  partPuts,
  partSize,
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

it('transient answers of storage: waits for Retry-After of a 429', async () => {
  await house.close();
  const slept: number[] = [];
  house = await openFaultHouse({
    jobs: {
      // Without our own backoff, only storage's Retry-After delays.
      random: () => 0,
      clock: {
        now: () => Date.now(),
        elapsed: systemClock.elapsed,
        sleep: (ms, signal) => {
          slept.push(ms);
          return systemClock.sleep(Math.min(ms, 5), signal);
        },
      },
    },
  });
  const action = { kind: 'status', status: 429, headers: { 'Retry-After': '17' } } as const;
  faultOnPut(house, action, { path: 'partNumber=2&', times: 2 });
  const source = await house.source({ 'a.las': threeParts });

  const job = await uploadWhole(house, source);

  expect(slept.filter((ms) => ms === 17_000)).toHaveLength(2);
  expect(timesSent(house)).toEqual([1, 3, 1]);
  await expectWhole(house, job, source);
});

it('transient answers of storage: shows the next attempt for a proxy’s Retry-After of a year and retries sooner on request', async () => {
  await house.close();
  house = await openFaultHouse({ jobs: { clock: systemClock } });
  const year = String(365 * 24 * 3_600);
  const action = { kind: 'status', status: 503, headers: { 'Retry-After': year }, body: '<html>' } as const;
  faultOnPut(house, action, { path: '7\\.prj', times: 1 });
  const files = Array.from({ length: 20 }, (_, index) => [`${index}.prj`, 500]);
  const source = await house.source(Object.fromEntries(files));

  const id = house.add(source);
  const waitingJob = await house.until(id, (job) => job.partsDone === 19);

  expect(waitingJob).toMatchObject({ status: 'uploading', error: { code: 'storage-failed' } });
  const pauseMs = (waitingJob.nextTryAt ?? 0) - Date.now();
  expect(pauseMs).toBeGreaterThan(0);
  expect(pauseMs).toBeLessThanOrEqual(60_000);
  expect(waitingJob.actions).toContain('try-now');
  await house.jobs.act(id, 'try-now');
  await expectWhole(house, await house.until(id, hasStatus('complete')), source);
});

it('transient answers of storage: ends the wait for AccessDenied after a suspend that stopped the monotonic clock', async () => {
  await house.close();
  let suspendedMs = 0;
  const clock = { ...systemClock, now: () => Date.now() + suspendedMs };
  house = await openFaultHouse({ jobs: { clock } });
  const { id } = await halfUploaded(house);
  suspendedMs = 2 * 3_600_000;
  house.service.control.clearFaults();
  const deniedAnswer = { kind: 'status', status: 403, body: s3Error('AccessDenied') } as const;
  faultOnPut(house, deniedAnswer, { path: 'partNumber=5', times: 100 });

  const job = await house.until(id, ({ endedAt }) => endedAt !== null);

  expect(job).toMatchObject({ status: 'expired', error: { code: 'credentials-expired' } });
});

it('transient answers of storage: corrects a clock that is 20 minutes off', async () => {
  for (const minutes of [20, -20]) {
    house.service.control.skewClock(minutes * 60_000);
    const previouslySent = partPuts(house).length;
    const source = await house.source({ 'a.las': threeParts, 'b.prj': 500 });

    const job = await uploadWhole(house, source);

    const sentParts = partPuts(house).slice(previouslySent);
    const refusedParts = sentParts.filter(({ status }) => status === 403);
    // Parts in flight before the first response, and none twice.
    expect(refusedParts.length).toBeLessThanOrEqual(3);
    expect(sentParts).toHaveLength(3 + refusedParts.length);
    await expectWhole(house, job, source, { assets: minutes > 0 ? 1 : 2 });
  }
});

describe('answers that aren’t storage’s', () => {
  const html = { 'Content-Type': 'text/html' };
  const page = '<html><body>Sign in to this network</body></html>';

  it.each<[string, FaultAction]>([
    ['a portal’s page', { kind: 'status', status: 200, headers: html, body: page }],
    ['a bare 404', { kind: 'status', status: 404 }],
  ])('answers that aren’t storage’s: shows %s and waits, at every step', async (_, action) => {
    const steps = [
      ['POST', '[?&]uploads'],
      ['PUT', 'partNumber=2&'],
      ['PUT', 'b\\.prj'],
      ['POST', 'uploadId='],
    ] as const;
    for (const [method, path] of steps)
      house.service.control.addFault({ match: { room: 'storage', method, path, times: 3 }, action });
    const source = await house.source({ 'a.las': threeParts, 'b.prj': 500 });

    const job = await uploadWhole(house, source);

    expect(timesSent(house)).toEqual([1, 4, 1]);
    expect(storageRequests(house, 'PUT', /b\.prj/)).toHaveLength(4);
    expect(storageRequests(house, 'DELETE')).toEqual([]);
    expect(historyTexts(house, job.id).filter((text) => text.includes('did not come from'))).not.toEqual([]);
    await expectWhole(house, job, source);
  });

  it('answers that aren’t storage’s: keeps the upload after a bare 404 on one part', async () => {
    const { id, source } = await halfUploaded(house);
    house.service.control.clearFaults();
    faultOnPut(house, { kind: 'status', status: 404 }, { path: 'partNumber=5&', times: 2 });

    const job = await house.until(id, hasStatus('complete'));

    expect(storageRequests(house, 'POST', /[?&]uploads/)).toHaveLength(1);
    expect(timesSent(house)).toEqual([1, 1, 1, 1, 3]);
    await expectWhole(house, job, source);
  });
});

it('final answers of storage: expires the job on ExpiredToken in the middle of a part', async () => {
  // Storage reads the whole body before it sends this response, and then accepts further requests.
  const action = { kind: 'status', status: 400, body: s3Error('ExpiredToken') } as const;
  faultOnPut(house, action, { path: 'partNumber=[345]&', times: 1000 });
  const id = house.add(await house.source({ 'a.las': fiveParts }));
  await house.until(id, (job) => job.status === 'uploading');

  const job = await house.until(id, hasStatus('expired'));
  house.service.control.expireUploadCredentials();

  expect(job).toMatchObject({ error: { code: 'credentials-expired' } });
  expect(job.bytesDone).toBe(job.partsDone * partSize);
  for (const number of [3, 4, 5]) expect(partPuts(house, number).length).toBeLessThanOrEqual(1);
  expect(job.actions).toEqual(['start-again', 'remove']);
  expect(house.service.control.assets()).toMatchObject([{ status: 'AWAITING_FILES' }]);
  expect(await house.service.control.objects()).toEqual([]);
});
