import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CreationBody } from '../../../main/service/model.ts';
import { type House, hasStatus, isCreation, openHouse } from './house.ts';

let house: House;
beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

const terrainId = 4_711;
const body = (baseTerrainId: number): CreationBody => ({
  name: 'Altstadt',
  type: '3DTILES',
  options: { sourceType: 'CITYGML', clampToTerrain: true, baseTerrainId },
});
async function addClamped(baseTerrainId = terrainId): Promise<string> {
  const path = await house.source({ 'a.gml': '<CityModel/>' });
  return house.jobs.add({ accountId: 'me', paths: [path], body: body(baseTerrainId), acceptForecast: false });
}
const seed = (status: string, extraFields: object = {}) =>
  house.service.control.seedAsset({
    id: terrainId,
    name: 'DGM1 2026',
    type: 'TERRAIN',
    status,
    ...extraFields,
  });
const tile = (status: string, extraFields: object = {}) =>
  house.service.control.changeAsset({ id: terrainId, status, ...extraFields });
const creations = () => house.service.control.requests().filter(isCreation).length;
const isWaiting = (job: { waitingFor: string | null }) => job.waitingFor === 'terrain';

it('buildings clamped to a terrain wait for the terrain, name it, and are created once it is complete', async () => {
  seed('IN_PROGRESS', { percentComplete: 62 });
  const id = await addClamped();
  const waitingJob = await house.until(id, isWaiting);
  expect(waitingJob).toMatchObject({
    status: 'queued',
    terrain: { id: terrainId, name: 'DGM1 2026', percentComplete: 62 },
  });
  expect(creations()).toBe(0);
  tile('COMPLETE', { percentComplete: 100 });
  const completeJob = await house.until(id, hasStatus('complete'));
  expect(completeJob.terrain).toBeUndefined();
  expect(creations()).toBe(1);
});

it('buildings clamped to a terrain: creates them at once if the terrain is complete', async () => {
  seed('COMPLETE');
  await house.until(await addClamped(), hasStatus('complete'));
  expect(creations()).toBe(1);
});

it('buildings clamped to a terrain: don’t delay other jobs while they wait', async () => {
  seed('IN_PROGRESS');
  const waitingId = await addClamped();
  await house.until(waitingId, isWaiting);
  await house.until(house.add(await house.source({ 'b.las': 100 })), hasStatus('complete'));
  expect(house.jobs.get(waitingId)).toMatchObject({ status: 'queued', waitingFor: 'terrain' });
});

it('buildings clamped to a terrain keep waiting after a restart', async () => {
  seed('NOT_STARTED');
  const id = await addClamped();
  await house.until(id, isWaiting);
  await house.restart();
  await house.until(id, isWaiting);
  expect(creations()).toBe(0);
  tile('COMPLETE');
  await house.until(id, hasStatus('complete'));
  expect(creations()).toBe(1);
});

it('buildings clamped to a terrain: pauses and cancels those that wait for their terrain', async () => {
  seed('IN_PROGRESS');
  const id = await addClamped();
  await house.until(id, isWaiting);
  await house.jobs.act(id, 'pause');
  expect(house.jobs.get(id)).toMatchObject({ status: 'paused', waitingFor: null });
  await house.jobs.act(id, 'resume');
  await house.until(id, isWaiting);
  await house.jobs.act(id, 'cancel');
  expect(house.jobs.get(id)?.status).toBe('cancelled');
  expect(creations()).toBe(0);
});

it('buildings clamped to a terrain fail with the service’s message if the terrain failed, and can be retried later', async () => {
  seed('DATA_ERROR', { error: 'No vertical datum' });
  const id = await addClamped();
  const failedJob = await house.until(id, hasStatus('failed'));
  expect(failedJob.error).toMatchObject({
    code: 'terrain-failed',
    subject: `DGM1 2026 · ${terrainId}`,
    remote: { message: 'No vertical datum' },
  });
  expect(creations()).toBe(0);
  tile('COMPLETE');
  await house.jobs.act(id, 'try-again');
  await house.until(id, hasStatus('complete'));
});

it('buildings clamped to a terrain fail if the account has no such terrain', async () => {
  const id = await addClamped(99);
  expect((await house.until(id, hasStatus('failed'))).error).toMatchObject({
    code: 'terrain-missing',
    subject: '99',
  });
});
