import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Asset } from '../../../main/service/model.ts';
import { type House, hasStatus, openHouse, serviceApi } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

const mebibyte = 1024 * 1024;

async function halfUploaded(): Promise<string> {
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT', path: 'partNumber=', after: 2, times: 100 },
    action: { kind: 'stall' },
  });
  const id = house.add(await house.source({ 'a.las': 40 * mebibyte }));
  await house.until(id, (job) => job.partsDone === 2);
  house.service.control.clearFaults();
  return id;
}

describe('user action on a job', () => {
  it('‘start again’ creates a new job with the same source and request', async () => {
    const id = await halfUploaded();
    await house.jobs.act(id, 'cancel');

    await house.jobs.act(id, 'start-again');

    const [newest] = house.jobs.list();
    expect(newest).toMatchObject({ predecessor: id });
    expect(newest?.id).not.toBe(id);
    await house.until(newest?.id ?? '', hasStatus('complete'));
    expect(house.jobs.get(id)?.status).toBe('cancelled');
  });
});

it.each([
  ['asset-name-empty', { name: '  ' }],
  ['source-type-empty', { options: { sourceType: '' } }],
  ['source-type-mismatch', { type: 'TERRAIN' }],
] as const)(
  'request that can’t become an asset: rejects a request with %s before anything is stored',
  (code, change) => {
    const body = { name: 'A', type: '3DTILES', options: { sourceType: 'CITYGML' }, ...change } as const;

    expect(() => house.jobs.add({ accountId: 'me', paths: ['/data'], body, acceptForecast: false })).toThrow(
      expect.objectContaining({ code }),
    );
    expect(house.jobs.list()).toEqual([]);
  },
);

it('request that can’t become an asset: fails with the path if it doesn’t exist', async () => {
  const job = await house.until(house.add('/nowhere/at/all'), hasStatus('failed'));

  expect(job.error).toMatchObject({ code: 'source-missing', subject: '/nowhere/at/all' });
  expect(house.service.control.assets()).toEqual([]);
});

it('stops following a tiling with an unknown status, without reporting success, and resumes later', async () => {
  await house.close();
  let status: string | null = 'Complete';
  house = await openHouse(
    {},
    {
      accounts: {
        serviceFor: () => {
          const api = serviceApi(house.service);
          const withStatus = (asset: Asset) =>
            status !== null && asset.status !== 'AWAITING_FILES' ? { ...asset, status } : asset;
          return { ...api, readAsset: async (id, signal) => withStatus(await api.readAsset(id, signal)) };
        },
      },
    },
  );
  const id = house.add(await house.source({ 'a.gml': 500 }));
  const following = await house.until(id, (job) => job.assetStatus === 'Complete');
  expect(following).toMatchObject({ status: 'tiling', endedAt: null });

  await house.jobs.act(id, 'stop-following');
  expect(house.jobs.get(id)).toMatchObject({
    status: 'failed',
    error: { code: 'tiling-unfollowed', subject: 'Complete' },
    actions: ['try-again', 'start-again', 'remove'],
  });

  status = null;
  await house.jobs.act(id, 'try-again');
  await house.until(id, hasStatus('complete'));
  expect(house.service.control.assets()).toHaveLength(1);
});
