import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Asset } from '../../../main/service/model.ts';
import { type House, hasStatus, historyTexts, openHouse, serviceApi } from './house.ts';

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
  it('cancel aborts open uploads and deletes the credentials', async () => {
    const id = await halfUploaded();
    expect(house.service.control.openUploads()).toHaveLength(1);

    await house.jobs.act(id, 'cancel');

    expect(house.jobs.get(id)).toMatchObject({ status: 'cancelled', actions: ['start-again', 'remove'] });
    await expect.poll(() => house.vault.entries.size).toBe(0);
    expect(house.service.control.openUploads()).toEqual([]);
    expect(house.service.control.assets()).toMatchObject([{ status: 'AWAITING_FILES' }]);
  });

  it('pause keeps confirmed parts, and resume sends the rest', async () => {
    const id = await halfUploaded();
    await house.jobs.act(id, 'pause');
    expect(house.jobs.get(id)).toMatchObject({ status: 'paused', partsDone: 2 });

    await house.jobs.act(id, 'resume');

    await house.until(id, hasStatus('complete'));
    expect(historyTexts(house, id)).toEqual(
      expect.arrayContaining(['Paused', 'Resumed', expect.stringMatching(/^Complete, tiled in /)]),
    );
  });

  it('pause leaves the line to the next job', async () => {
    const first = await halfUploaded();
    const second = house.add(await house.source({ 'b.las': 100 }));
    expect(house.jobs.get(second)?.status).toBe('queued');

    await house.jobs.act(first, 'pause');

    await house.until(second, hasStatus('complete'));
  });

  it('pause during creation waits for the answer, so that no orphan is left', async () => {
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$' },
      action: { kind: 'delay', ms: 100 },
    });
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.untilAsked();
    await house.jobs.act(id, 'pause');

    await house.until(id, (job) => job.assetId !== null);
    expect(house.jobs.get(id)?.status).toBe('paused');

    await house.jobs.act(id, 'resume');
    await house.until(id, hasStatus('complete'));
    expect(house.service.control.assets()).toHaveLength(1);
  });

  it('cancel during creation names the asset that it leaves behind', async () => {
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$' },
      action: { kind: 'delay', ms: 100 },
    });
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.untilAsked();

    await house.jobs.act(id, 'cancel');

    await vi.waitFor(() => expect(historyTexts(house, id).at(-1)).toMatch(/^Asset \d+ was left behind/));
    expect(house.jobs.get(id)?.status).toBe('cancelled');
    expect(house.vault.entries.size).toBe(0);
  });

  it('start again creates a new job with the same source and request', async () => {
    const id = await halfUploaded();
    await house.jobs.act(id, 'cancel');

    await house.jobs.act(id, 'start-again');

    const [newest] = house.jobs.list();
    expect(newest).toMatchObject({ predecessor: id });
    expect(newest?.id).not.toBe(id);
    await house.until(newest?.id ?? '', hasStatus('complete'));
    expect(house.jobs.get(id)?.status).toBe('cancelled');
  });

  it('remove deletes an ended job from the list', async () => {
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.until(id, hasStatus('complete'));

    await house.jobs.act(id, 'remove');
    await house.restart();

    expect(house.jobs.list()).toEqual([]);
    await expect(house.jobs.act(id, 'remove')).rejects.toMatchObject({ code: 'job-unknown' });
  });

  it('does nothing if the state doesn’t allow it', async () => {
    const id = house.add(await house.source({ 'a.gml': 500 }));
    const done = await house.until(id, hasStatus('complete'));

    for (const action of ['pause', 'resume', 'cancel', 'try-again'] as const)
      await house.jobs.act(id, action);

    expect(house.jobs.get(id)).toEqual(done);
  });
});

describe('request that can’t become an asset', () => {
  it.each([
    ['asset-name-empty', { name: '  ' }],
    ['source-type-empty', { options: { sourceType: '' } }],
    ['source-type-mismatch', { type: 'TERRAIN' }],
  ] as const)('is rejected with %s before anything is stored', (code, change) => {
    const body = { name: 'A', type: '3DTILES', options: { sourceType: 'CITYGML' }, ...change } as const;

    expect(() => house.jobs.add({ accountId: 'me', paths: ['/data'], body, acceptForecast: false })).toThrow(
      expect.objectContaining({ code }),
    );
    expect(house.jobs.list()).toEqual([]);
  });

  it('fails with the path if it doesn’t exist', async () => {
    const job = await house.until(house.add('/nowhere/at/all'), hasStatus('failed'));

    expect(job.error).toMatchObject({
      code: 'source-missing',
      subject: '/nowhere/at/all',
    });
    expect(house.service.control.assets()).toEqual([]);
  });
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
