import { expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import type { Asset } from '../../../main/service/model.ts';
import { TilingReads } from '../../../main/tiling/tiling-reads.ts';

const freshMs = 10_000;

const record = (id: number, status = 'IN_PROGRESS'): Asset => ({
  ...{ id, type: 'TERRAIN', name: `A${id}`, description: '', attribution: '', bytes: 0, dateAdded: '' },
  ...{ status, percentComplete: 0 },
});

/** A service with these assets that records requests. */
function scene(ids: readonly number[]) {
  const requests: string[] = [];
  const at = { now: 0 };
  const state = { listed: ids, refuse: null as Error | null, refuseList: null as Error | null };
  const service = {
    listAssets: async () => {
      requests.push('list');
      const error = state.refuseList ?? state.refuse;
      if (error) throw error;
      return state.listed.map((id) => record(id));
    },
    readAsset: async (id: number) => {
      requests.push(`read ${id}`);
      if (state.refuse) throw state.refuse;
      return record(id);
    },
  };
  const clock = { now: () => at.now, elapsed: () => at.now, sleep: async () => {} };
  const reads = new TilingReads({ serviceFor: () => service, clock, freshMs });
  const reports: number[] = [];
  reads.onList((_account, assets) => reports.push(assets.length));
  return { requests, at, state, reads, reports };
}

it('records of followed assets are read individually while one is in progress', async () => {
  const { reads, requests, at } = scene([1, 2, 3]);
  const firstAsset = reads.follow('me', 1);
  await firstAsset.read();
  at.now += freshMs;
  await firstAsset.read();
  expect(requests).toEqual(['read 1', 'read 1']);
});

it('records of followed assets come from one list for several, whoever asks within an interval', async () => {
  const { reads, requests, at, reports } = scene([1, 2, 3]);
  const followedAssets = [1, 2, 3].map((id) => reads.follow('me', id));
  await Promise.all(followedAssets.map(({ read }) => read()));
  expect(requests).toEqual(['list']);
  for (const { read } of followedAssets) {
    at.now += freshMs / 4;
    await read();
  }
  expect(requests).toEqual(['list']);
  at.now += freshMs / 4;
  expect((await followedAssets[2]?.read())?.id).toBe(3);
  expect(requests).toEqual(['list', 'list']);
  expect(reports).toEqual([3, 3]);
});

it('records of followed assets are newer than their subscription', async () => {
  const { reads, requests, at } = scene([1, 2, 3]);
  const [firstAsset, two] = [1, 2].map((id) => reads.follow('me', id));
  await Promise.all([firstAsset?.read(), two?.read()]);
  at.now += 1;
  await reads.follow('me', 3).read();
  expect(requests).toEqual(['list', 'list']);
});

it('records of followed assets are read individually again after the others ended', async () => {
  const { reads, requests, at } = scene([1, 2]);
  const [firstAsset, two] = [1, 2].map((id) => reads.follow('me', id));
  await Promise.all([firstAsset?.read(), two?.read()]);
  two?.end();
  two?.end();
  at.now += freshMs;
  await firstAsset?.read();
  expect(requests).toEqual(['list', 'read 1']);
});

it('records of followed assets are requested again after a refusal, which counts once', async () => {
  const { reads, requests, state } = scene([1]);
  const firstAsset = reads.follow('me', 1);
  state.refuse = new TileliftError('asset-not-found');
  await expect(firstAsset.read()).rejects.toMatchObject({ code: 'asset-not-found' });
  state.refuse = null;
  expect((await firstAsset.read()).id).toBe(1);
  expect(requests).toEqual(['read 1', 'read 1']);
});

it('records of followed assets of one asset with several followers are one request', async () => {
  const { reads, requests } = scene([1]);
  const followedAssets = [1, 1, 1].map((id) => reads.follow('me', id));
  await Promise.all(followedAssets.map(({ read }) => read()));
  expect(requests).toEqual(['read 1']);
});

it('records of followed assets are requested individually if the list lacks one, before it is gone', async () => {
  const { reads, requests, at, state } = scene([1]);
  const [firstAsset, two] = [1, 2].map((id) => reads.follow('me', id));
  await Promise.all([firstAsset?.read(), two?.read()]);
  expect(requests.toSorted()).toEqual(['list', 'read 2']);
  at.now += freshMs;
  state.refuse = new TileliftError('asset-not-found', { subject: '2' });
  await expect(two?.read()).rejects.toMatchObject({ code: 'asset-not-found' });
});

it.each(['list-not-allowed', 'scope-missing', 'request-refused'] as const)(
  'records of followed assets are read individually for an hour after %s for the list',
  async (code) => {
    const { reads, requests, at, state } = scene([1, 2]);
    state.refuseList = new TileliftError(code);
    const [firstAsset, two] = [1, 2].map((id) => reads.follow('me', id));
    await firstAsset?.read();
    at.now += freshMs;
    await Promise.all([firstAsset?.read(), two?.read()]);
    expect(requests).toEqual(['list', 'read 1', 'read 1', 'read 2']);
    at.now += 60 * 60_000;
    state.refuseList = null;
    await firstAsset?.read();
    expect(requests.at(-1)).toBe('list');
  },
);

it.each(['foreign-answer', 'service-unreachable', 'service-unavailable', 'invalid-credentials'] as const)(
  'records of followed assets are unknown after %s, and every follower receives the error',
  async (code) => {
    const { reads, requests, state } = scene([1, 2]);
    state.refuse = new TileliftError(code);
    const followedAssets = [1, 2].map((id) => reads.follow('me', id));
    const results = await Promise.allSettled(followedAssets.map(({ read }) => read()));
    expect(results.map((end) => end.status === 'rejected' && end.reason.code)).toEqual([code, code]);
    expect(requests).toEqual(['list']);
  },
);

it('records of followed assets are read individually if the list is far longer', async () => {
  const { reads, requests, at } = scene(Array.from({ length: 10_000 }, (_, id) => id));
  const followedAssets = [1, 2, 3].map((id) => reads.follow('me', id));
  for (let round = 0; round < 2; round++) {
    await Promise.all(followedAssets.map(({ read }) => read()));
    at.now += freshMs;
  }
  expect(requests).toEqual(['list', 'read 1', 'read 2', 'read 3']);
});

it('records of followed assets are dropped for a follower who leaves, but reach the others', async () => {
  const { reads, requests } = scene([1, 2]);
  const [firstAsset, two] = [1, 2].map((id) => reads.follow('me', id));
  const leaving = new AbortController();
  const leftRead = firstAsset?.read(leaving.signal);
  const stayingRead = two?.read();
  leaving.abort('enough');
  await expect(leftRead).rejects.toBe('enough');
  expect((await stayingRead)?.id).toBe(2);
  expect(requests).toEqual(['list']);
});

it('records of followed assets are separate for each account', async () => {
  const { reads, requests } = scene([1]);
  await reads.follow('me', 1).read();
  await reads.follow('you', 1).read();
  expect(requests).toEqual(['read 1', 'read 1']);
});
