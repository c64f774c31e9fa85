import { expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import type { Asset } from '../../../main/service/model.ts';
import { type SubscribedAsset, SubscribedAssets } from '../../../main/tiling/subscribed-assets.ts';
import { TilingReads } from '../../../main/tiling/tiling-reads.ts';

const record = (id: number, status: string): Asset => ({
  ...{ id, type: 'TERRAIN', name: `A${id}`, description: '', attribution: '', bytes: 0, dateAdded: '' },
  ...{ status, percentComplete: 0 },
});

/** Subscribes to these; `turn` passes an interval. */
function scene(...firstAssets: readonly SubscribedAsset[]) {
  const state = { status: 'IN_PROGRESS', refuse: null as Error | null, asked: 0 };
  let sleepers: (() => void)[] = [];
  let at = 0;
  const clock = {
    now: () => at,
    elapsed: () => at,
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        sleepers.push(resolve);
      }),
  };
  const readAsset = async (id: number) => {
    state.asked += 1;
    if (state.refuse) throw state.refuse;
    return record(id, state.status);
  };
  const reads = new TilingReads({
    serviceFor: () => ({ readAsset, listAssets: async () => [] }),
    ...{ clock, freshMs: 10 },
  });
  const storedSettings = { toldAssets: firstAssets };
  const settings = {
    get: () => storedSettings,
    update: (change: Partial<typeof storedSettings>) => void Object.assign(storedSettings, change),
  };
  const subscribed = new SubscribedAssets({ settings, reads, clock, pollMs: 10 });
  const ends: (string | null)[] = [];
  subscribed.onEnd(({ asset }) => ends.push(asset?.status ?? null));
  const turn = async () => {
    at += 10;
    const woken = sleepers;
    sleepers = [];
    for (const wake of woken) wake();
    for (let ticks = 0; ticks < 50; ticks++) await Promise.resolve();
  };
  return { state, told: subscribed, ends, turn, kept: storedSettings };
}

const one: SubscribedAsset = { accountId: 'me', assetId: 1 };

it('a subscribed asset is reported once and then unsubscribed', async () => {
  const { state, told: subscribed, ends, turn, kept: storedSettings } = scene(one);
  subscribed.wakePolling();
  subscribed.wakePolling();
  await turn();
  expect(ends).toEqual([]);
  state.status = 'DATA_ERROR';
  await turn();
  await turn();
  expect(ends).toEqual(['DATA_ERROR']);
  expect(storedSettings.toldAssets).toEqual([]);
});

it('an unsubscribed asset is neither reported nor polled', async () => {
  const { state, told: subscribed, ends, turn } = scene();
  subscribed.set(one, true);
  await turn();
  expect(subscribed.isTold(one)).toBe(true);
  subscribed.set(one, false);
  const { asked: askedCount } = state;
  state.status = 'COMPLETE';
  for (let turns = 0; turns < 3; turns++) await turn();
  expect(subscribed.isTold(one)).toBe(false);
  expect(ends).toEqual([]);
  expect(state.asked).toBe(askedCount);
});

it('an asset missing three times is reported as gone', async () => {
  const { state, told: subscribed, ends, turn } = scene(one);
  state.refuse = new TileliftError('asset-not-found', { subject: '1' });
  subscribed.wakePolling();
  for (let turns = 0; turns < 2; turns++) await turn();
  expect(ends).toEqual([]);
  await turn();
  expect(ends).toEqual([null]);
});

it('a signed-out account keeps its subscriptions', async () => {
  const { state, told: subscribed, ends, turn, kept: storedSettings } = scene(one);
  state.refuse = new TileliftError('not-signed-in');
  subscribed.wakePolling();
  await turn();
  expect(storedSettings.toldAssets).toEqual([one]);
  state.refuse = null;
  state.status = 'COMPLETE';
  await turn();
  expect(ends).toEqual([]);
  subscribed.wakePolling();
  await turn();
  expect(ends).toEqual(['COMPLETE']);
});
