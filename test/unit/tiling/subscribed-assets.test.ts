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
  const endStatuses: (string | null)[] = [];
  subscribed.onEnd(({ asset }) => endStatuses.push(asset?.status ?? null));
  const turn = async () => {
    at += 10;
    const wokenSleepers = sleepers;
    sleepers = [];
    for (const wakeSleeper of wokenSleepers) wakeSleeper();
    for (let ticks = 0; ticks < 50; ticks++) await Promise.resolve();
  };
  return { state, told: subscribed, ends: endStatuses, turn, kept: storedSettings };
}

const one: SubscribedAsset = { accountId: 'me', assetId: 1 };

it('an unsubscribed asset is neither reported nor polled', async () => {
  const { state, told: subscribed, ends: endStatuses, turn } = scene();
  subscribed.set(one, true);
  await turn();
  expect(subscribed.isTold(one)).toBe(true);
  subscribed.set(one, false);
  const { asked: askedCount } = state;
  state.status = 'COMPLETE';
  for (let turns = 0; turns < 3; turns++) await turn();
  expect(subscribed.isTold(one)).toBe(false);
  expect(endStatuses).toEqual([]);
  expect(state.asked).toBe(askedCount);
});

it('an asset missing three times is reported as gone', async () => {
  const { state, told: subscribed, ends: endStatuses, turn } = scene(one);
  state.refuse = new TileliftError('asset-not-found', { subject: '1' });
  subscribed.wakePolling();
  for (let turns = 0; turns < 2; turns++) await turn();
  expect(endStatuses).toEqual([]);
  await turn();
  expect(endStatuses).toEqual([null]);
});

it('a signed-out account keeps its subscriptions', async () => {
  const { state, told: subscribed, ends: endStatuses, turn, kept: storedSettings } = scene(one);
  state.refuse = new TileliftError('not-signed-in');
  subscribed.wakePolling();
  await turn();
  expect(storedSettings.toldAssets).toEqual([one]);
  state.refuse = null;
  state.status = 'COMPLETE';
  await turn();
  expect(endStatuses).toEqual([]);
  subscribed.wakePolling();
  await turn();
  expect(endStatuses).toEqual(['COMPLETE']);
});
