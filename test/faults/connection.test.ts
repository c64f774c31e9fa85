import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../main/ports.ts';
import { createStorageClient } from '../../main/workers/storage-client.ts';
import { type House, hasStatus } from '../integration/jobs/house.ts';
import {
  expectWhole,
  faultOnPut,
  fiveParts,
  halfUploaded,
  openFaultHouse,
  storageRequests,
  threeParts,
  timesSent,
  uploadWhole,
} from './fault-house.ts';
import { hostName, troubledWorker } from './troubled-worker.ts';

let house: House;

beforeEach(async () => {
  house = await openFaultHouse();
});
afterEach(() => house.close());

function countingClock(): Clock & { pauses: number } {
  const clock = {
    pauses: 0,
    now: () => Date.now(),
    elapsed: systemClock.elapsed,
    sleep: (_ms: number, signal?: AbortSignal) => {
      clock.pauses += 1;
      return systemClock.sleep(5, signal);
    },
  };
  return clock;
}

/** Parts in flight share the tries, so this allows more than two parts to fail. */
const manyTries = 25;

it('connection that breaks in the middle of a request: sends only that part again after a reset in the middle of it', async () => {
  faultOnPut(house, { kind: 'cut-request', afterBytes: 3_000_000 }, { path: 'partNumber=2&' });
  const source = await house.source({ 'a.las': threeParts });

  const job = await uploadWhole(house, source);

  expect(timesSent(house)).toEqual([1, 2, 1]);
  await expectWhole(house, job, source);
});

it('connection that breaks in the middle of a request: sends only that part again after a reset behind its last byte', async () => {
  // Part 1 never reaches the storage whole; part 3 does, but its response is lost.
  faultOnPut(house, { kind: 'cut-request', afterBytes: fiveParts }, { path: 'partNumber=1&' });
  faultOnPut(house, { kind: 'cut-answer', afterBytes: 0 }, { path: 'partNumber=3&' });
  const source = await house.source({ 'a.las': threeParts });

  const job = await uploadWhole(house, source);

  expect(timesSent(house)).toEqual([2, 1, 2]);
  await expectWhole(house, job, source);
});

it('connection that breaks in the middle of a request: drops a stalled socket and sends only that part again', async () => {
  await house.close();
  const stallMs = 800;
  house = await openFaultHouse({
    jobs: { storageFor: (location) => createStorageClient(location, { stallMs }) },
  });
  // Storage stops reading one body, and never responds to another.
  faultOnPut(house, { kind: 'stall', afterBytes: 100_000 }, { path: 'partNumber=1&' });
  faultOnPut(house, { kind: 'stall' }, { path: 'partNumber=2&' });
  const source = await house.source({ 'a.las': threeParts });

  const job = await uploadWhole(house, source);

  expect(timesSent(house)).toEqual([2, 2, 1]);
  await expectWhole(house, job, source);
});

it('connection that breaks in the middle of a request: checks the object after a truncated answer to completing', async () => {
  const truncated = (method: string, path: string, afterBytes: number) =>
    house.service.control.addFault({
      match: { room: 'storage', method, path },
      action: { kind: 'cut-answer', afterBytes },
    });
  truncated('POST', '[?&]uploads', 300);
  truncated('PUT', 'partNumber=2&', 40);
  truncated('POST', 'uploadId=', 300);
  const source = await house.source({ 'a.las': threeParts });

  const job = await uploadWhole(house, source);

  expect(timesSent(house)).toEqual([1, 2, 1]);
  // Without the right to list uploads, the upload with the lost id can't be found.
  await expectWhole(house, job, source, { openUploads: 1 });
});

describe('network that is unavailable', () => {
  it('a job waits while DNS fails', async () => {
    await house.close();
    const faultFile = join(tmpdir(), `tilelift-no-names-${process.pid}`);
    onTestFinished(() => rm(faultFile, { force: true }));
    const clock = countingClock();
    house = await openFaultHouse({
      jobs: {
        clock,
        storageFor: (location) =>
          createStorageClient(
            { ...location, endpoint: location.endpoint?.replace('127.0.0.1', hostName) ?? '' },
            { worker: troubledWorker({ away: faultFile }) },
          ),
      },
    });
    await writeFile(faultFile, '');
    const source = await house.source({ 'a.las': threeParts });
    const id = house.add(source);

    const waitingJob = await house.until(
      id,
      (job) => job.waitingFor === 'network' && clock.pauses > manyTries,
    );
    expect(waitingJob).toMatchObject({ status: 'uploading', error: { code: 'storage-unreachable' } });
    await rm(faultFile);
    const job = await house.until(id, hasStatus('complete'));

    expect(timesSent(house)).toEqual([1, 1, 1]);
    await expectWhole(house, job, source);
  });

  it('network that is unavailable: waits while connections are refused', async () => {
    await house.close();
    const clock = countingClock();
    house = await openFaultHouse({ jobs: { clock } });
    const { id, source } = await halfUploaded(house);

    await house.service.control.closeStorage();
    await house.until(id, (job) => job.waitingFor === 'network' && clock.pauses > manyTries);
    expect(house.jobs.get(id)).toMatchObject({ error: { code: 'storage-unreachable' } });
    house.service.control.clearFaults();
    await house.service.control.openStorage();
    const job = await house.until(id, hasStatus('complete'));

    // Only the two parts in flight when storage disappeared are sent again.
    expect(timesSent(house)).toEqual([1, 1, 2, 2, 1]);
    expect(storageRequests(house, 'POST', /[?&]uploads/)).toHaveLength(1);
    await expectWhole(house, job, source);
  });
});
