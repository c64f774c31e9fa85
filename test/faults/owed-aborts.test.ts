import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../main/ports.ts';
import { type House, hasStatus } from '../integration/jobs/house.ts';
import {
  expectWhole,
  halfUploaded,
  openFaultHouse,
  partPuts,
  s3Error,
  storageRequests,
  threeParts,
} from './fault-house.ts';

let house: House;
let advancedMs: number;
beforeEach(async () => {
  advancedMs = 0;
  house = await openFaultHouse({ jobs: { clock } });
});
afterEach(() => house.close());

/** Real time with shortened pauses. */
const clock: Clock = {
  now: () => Date.now() + advancedMs,
  elapsed: systemClock.elapsed,
  sleep: (ms, signal) => systemClock.sleep(ms >= 30_000 && advancedMs === 0 ? ms : Math.min(ms, 20), signal),
};

const aborts = () => storageRequests(house, 'DELETE', /uploadId=/);
const isAskedToAbort = () => expect.poll(aborts).not.toHaveLength(0);

function refuseAborts(status: number, times = 1000): void {
  house.service.control.addFault({
    match: { room: 'storage', method: 'DELETE', times },
    action: { kind: 'status', status },
  });
}

/** A job that was cancelled while storage refused to abort its upload. */
async function cancelledInVain(): Promise<string> {
  const { id } = await halfUploaded(house);
  refuseAborts(503);
  await house.jobs.act(id, 'cancel');
  await isAskedToAbort();
  expect(house.service.control.openUploads()).toHaveLength(1);
  return id;
}

async function expectAllSettled(): Promise<void> {
  await expect.poll(() => house.service.control.openUploads()).toEqual([]);
  await expect.poll(() => house.vault.entries.size).toBe(0);
  expect(house.journal().pendingAborts()).toEqual([]);
}

it('abandoned upload: aborts it as soon as storage allows it', async () => {
  await cancelledInVain();
  house.service.control.clearFaults();
  await expectAllSettled();
});

it('abandoned upload: aborts it after a restart', async () => {
  await cancelledInVain();
  await house.restart();
  house.service.control.clearFaults();
  await expectAllSettled();
});

it('abandoned upload: aborts it after its job was removed from the list', async () => {
  const id = await cancelledInVain();
  await house.jobs.act(id, 'remove');
  await house.restart();
  expect(house.jobs.list()).toEqual([]);
  house.service.control.clearFaults();
  await expectAllSettled();
});

it('an abandoned upload doesn’t delay other jobs', async () => {
  await cancelledInVain();
  const source = await house.source({ 'b.las': 500 });
  expect(await house.until(house.add(source), hasStatus('complete'))).toMatchObject({ error: null });
});

it('abandoned upload: aborts an upload again if parts arrived after the first abort', async () => {
  const { id } = await halfUploaded(house);
  // Storage confirms the abort but keeps the upload.
  refuseAborts(204, 1);
  await house.jobs.act(id, 'cancel');
  house.service.control.clearFaults();

  await expectAllSettled();
  expect(storageRequests(house, 'GET', /uploadId=/)).not.toHaveLength(0);
});

it('abandoned upload: gives up an abort once the credentials have expired', async () => {
  await cancelledInVain();
  advancedMs = 2 * 60 * 60_000;
  await expect.poll(() => house.vault.entries.size).toBe(0);
  expect(house.journal().pendingAborts()).toEqual([]);
});

it('abandoned upload: aborts an upload that storage had reported gone, after another one replaced it', async () => {
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT', path: 'partNumber=2&' },
    action: { kind: 'status', status: 404, body: s3Error('NoSuchUpload') },
  });
  const source = await house.source({ 'a.las': threeParts });

  const job = await house.until(house.add(source), hasStatus('complete'));

  await expectAllSettled();
  await expectWhole(house, job, source);
  expect(partPuts(house).length).toBeGreaterThan(3);
});
