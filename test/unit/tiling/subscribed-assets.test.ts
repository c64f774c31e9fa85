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
function scene(...first: readonly SubscribedAsset[]) {
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
  const kept = { toldAssets: first };
  const settings = {
    get: () => kept,
    update: (change: Partial<typeof kept>) => void Object.assign(kept, change),
  };
  const told = new SubscribedAssets({ settings, reads, clock, pollMs: 10 });
  const ends: (string | null)[] = [];
  told.onEnd(({ asset }) => ends.push(asset?.status ?? null));
  const turn = async () => {
    at += 10;
    const woken = sleepers;
    sleepers = [];
    for (const wake of woken) wake();
    for (let ticks = 0; ticks < 50; ticks++) await Promise.resolve();
  };
  return { state, told, ends, turn, kept };
}

const one: SubscribedAsset = { accountId: 'me', assetId: 1 };

it('a subscribed asset is reported once and then unsubscribed', async () => {
  const { state, told, ends, turn, kept } = scene(one);
  told.wakePolling();
  told.wakePolling();
  await turn();
  expect(ends).toEqual([]);
  state.status = 'DATA_ERROR';
  await turn();
  await turn();
  expect(ends).toEqual(['DATA_ERROR']);
  expect(kept.toldAssets).toEqual([]);
});

it('an unsubscribed asset is neither reported nor polled', async () => {
  const { state, told, ends, turn } = scene();
  told.set(one, true);
  await turn();
  expect(told.isTold(one)).toBe(true);
  told.set(one, false);
  const { asked } = state;
  state.status = 'COMPLETE';
  for (let turns = 0; turns < 3; turns++) await turn();
  expect(told.isTold(one)).toBe(false);
  expect(ends).toEqual([]);
  expect(state.asked).toBe(asked);
});

it('an asset missing three times is reported as gone', async () => {
  const { state, told, ends, turn } = scene(one);
  state.refuse = new TileliftError('asset-not-found', { subject: '1' });
  told.wakePolling();
  for (let turns = 0; turns < 2; turns++) await turn();
  expect(ends).toEqual([]);
  await turn();
  expect(ends).toEqual([null]);
});

it('a signed-out account keeps its subscriptions', async () => {
  const { state, told, ends, turn, kept } = scene(one);
  state.refuse = new TileliftError('not-signed-in');
  told.wakePolling();
  await turn();
  expect(kept.toldAssets).toEqual([one]);
  state.refuse = null;
  state.status = 'COMPLETE';
  await turn();
  expect(ends).toEqual([]);
  told.wakePolling();
  await turn();
  expect(ends).toEqual(['COMPLETE']);
});
