import { afterEach, expect, it } from 'vitest';
import { errorMessage } from '../../../renderer/say.ts';
import { type House, hasStatus, historyTexts, isCreation, openHouse } from './house.ts';

let house: House;

afterEach(() => house.close());

const mebibyte = 1024 * 1024;
const creations = () => house.service.control.requests().filter(isCreation);

/** A house with a measured line of 1 MB/s and credentials that live `lifeMs`. */
async function openSlowHouse(lifeMs: number): Promise<void> {
  house = await openHouse({}, { credentialLifeMs: lifeMs });
  house.journal().addSpeed('me', { bytes: 1e6, files: 0, ms: 1000 });
}

const asksUser = (job: { readonly waitingFor: string | null }) => job.waitingFor === 'confirmation';

it('upload that will probably outlive its credentials: asks before anything is created', async () => {
  await openSlowHouse(5_000);
  const id = house.add(await house.source({ 'a.las': 9 * mebibyte }));

  const job = await house.until(id, asksUser);

  expect(job).toMatchObject({
    status: 'creating',
    actions: ['confirm', 'cancel'],
    error: { code: 'forecast-too-long' },
    credentialsEndAt: null,
  });
  expect(job.error && errorMessage(job.error)).toContain('9\u00a0s at 1.0\u00a0MB/s');
  expect(creations()).toEqual([]);
  expect(house.jobs.forecast('me', 9 * mebibyte, 1)?.shareOfLife).toBeCloseTo(1.887, 2);
});

it('upload that will probably outlive its credentials: continues on the user’s decision', async () => {
  await openSlowHouse(5_000);
  const id = house.add(await house.source({ 'a.las': 9 * mebibyte }));
  await house.until(id, asksUser);

  await house.jobs.act(id, 'confirm');

  const completeJob = await house.until(id, hasStatus('complete'));
  expect(completeJob).toMatchObject({ error: null, waitingFor: null });
  expect(historyTexts(house, id)).toContain('You chose to upload anyway');
  expect(creations()).toHaveLength(1);
});

it('upload that will probably outlive its credentials: leaves the line to other jobs while it waits', async () => {
  await openSlowHouse(5_000);
  const large = house.add(await house.source({ 'a.las': 9 * mebibyte }));
  await house.until(large, asksUser);

  await house.until(house.add(await house.source({ 'b.las': 100 })), hasStatus('complete'));

  expect(house.jobs.get(large)?.waitingFor).toBe('confirmation');
});

it('upload that will probably outlive its credentials: waits after a restart and can be cancelled', async () => {
  await openSlowHouse(5_000);
  const id = house.add(await house.source({ 'a.las': 9 * mebibyte }));
  await house.until(id, asksUser);

  await house.restart({ credentialLifeMs: 5_000 });

  expect(house.jobs.get(id)).toMatchObject({ waitingFor: 'confirmation', actions: ['confirm', 'cancel'] });
  await house.jobs.act(id, 'cancel');
  expect(house.jobs.get(id)?.status).toBe('cancelled');
  expect(creations()).toEqual([]);
});

it('speed of the line: measures the line’s speed during an upload and stores it for the next start', async () => {
  house = await openHouse();
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT' },
    action: { kind: 'delay', ms: 300 },
  });
  await house.until(house.add(await house.source({ 'a.las': 4 * mebibyte })), hasStatus('complete'));

  await house.restart();

  const forecastMs = house.jobs.forecast('me', 4 * mebibyte, 1);
  expect(forecastMs?.seconds).toBeGreaterThan(0.2);
  expect(forecastMs?.seconds).toBeLessThan(20);
  expect(house.jobs.forecast('somebody else', 4 * mebibyte, 1)).toBeNull();
});

it('running credentials show the remaining time while uploading, and disappear afterwards', async () => {
  house = await openHouse();
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT', path: 'partNumber=', after: 1, times: 100 },
    action: { kind: 'stall' },
  });
  const id = house.add(await house.source({ 'a.las': 40 * mebibyte }));
  const startedAt = Date.now();
  const job = await house.until(id, (job) => job.partsDone === 1);

  const hour = 3_600_000;
  expect(job.credentialsEndAt).toBeGreaterThan(startedAt - 5_000 + hour);
  expect(job.credentialsEndAt).toBeLessThanOrEqual(Date.now() + hour);
  house.service.control.clearFaults();
  await house.jobs.act(id, 'pause');
  expect(house.jobs.get(id)?.credentialsEndAt).toBe(job.credentialsEndAt);
  await house.jobs.act(id, 'resume');
  expect((await house.until(id, hasStatus('complete'))).credentialsEndAt).toBeNull();
});
