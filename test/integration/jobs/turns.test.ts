import { afterEach, beforeEach, expect, it } from 'vitest';
import { type House, hasStatus, isCreation, openHouse } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

const creations = () => house.service.control.requests().filter(isCreation).length;
const holdStorage = () =>
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1000 },
    action: { kind: 'hold' },
  });

it('jobs in turn create the second asset once the first has nothing left to send', async () => {
  holdStorage();
  const firstId = house.add(await house.source({ 'a.las': 100 }));
  const secondId = house.add(await house.source({ 'b.las': 100 }));
  await house.until(firstId, hasStatus('uploading'));

  expect(house.jobs.get(firstId)?.waitingFor).toBeNull();
  expect(house.jobs.get(secondId)).toMatchObject({ status: 'queued', waitingFor: 'turn', fileCount: null });
  expect(creations()).toBe(1);

  house.service.control.clearFaults();
  const uploadedJob = await house.until(firstId, (job) => job.uploadedAt !== null);
  const job = await house.until(secondId, hasStatus('complete'));
  const order = house.service.control
    .requests()
    .filter((request) => isCreation(request) || request.method === 'PUT')
    .map(({ method }) => method);
  expect(order).toEqual(['POST', 'PUT', 'POST', 'PUT']);
  expect(job.uploadedAt).toBeGreaterThanOrEqual(uploadedJob.uploadedAt ?? 0);
});

it('jobs in turn start the second upload while the first one tiles', async () => {
  await house.close();
  house = await openHouse({ tilingMs: 60_000 });
  const firstId = house.add(await house.source({ 'a.las': 100 }));
  const secondId = house.add(await house.source({ 'b.las': 100 }));

  await house.until(secondId, (job) => job.uploadedAt !== null);

  expect(house.jobs.get(firstId)?.status).toBe('tiling');
});

it('jobs in turn wait for their turn after resume, with valid credentials first', async () => {
  holdStorage();
  const pausedId = house.add(await house.source({ 'a.las': 100 }));
  await house.until(pausedId, hasStatus('uploading'));
  await house.jobs.act(pausedId, 'pause');
  const sending = house.add(await house.source({ 'b.las': 100 }));
  await house.until(sending, hasStatus('uploading'));
  const third = house.add(await house.source({ 'c.las': 100 }));

  await house.jobs.act(pausedId, 'resume');

  expect(house.jobs.get(pausedId)).toMatchObject({ status: 'uploading', waitingFor: 'turn' });
  house.service.control.clearFaults();
  const [firstJob, two] = await Promise.all(
    [pausedId, third].map((id) => house.until(id, (job) => job.uploadedAt !== null)),
  );
  expect(firstJob?.uploadedAt).toBeLessThanOrEqual(two?.uploadedAt ?? 0);
});
