import { expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import type { Asset } from '../../../main/service/model.ts';
import { AccountAssets } from '../../../main/tiling/account-assets.ts';
import { TilingReads } from '../../../main/tiling/tiling-reads.ts';

const record = (id: number, status: string, percentComplete = 0): Asset => ({
  ...{ id, type: 'TERRAIN', name: `A${id}`, description: '', attribution: '', bytes: 0, dateAdded: '' },
  ...{ status, percentComplete },
});

/** A service with these assets and a viewer; `turn` passes an interval. */
function scene(...firstAssets: readonly Asset[]) {
  const state = { assets: [...firstAssets], asked: [] as string[], isSeen: true };
  const sleepers: (() => void)[] = [];
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
  const service = {
    listAssets: async () => {
      state.asked.push('list');
      return state.assets;
    },
    readAsset: async (id: number) => {
      state.asked.push(`read ${id}`);
      const result = state.assets.find((asset) => asset.id === id);
      if (!result) throw new TileliftError('asset-not-found', { subject: String(id) });
      return result;
    },
  };
  const reads = new TilingReads({ serviceFor: () => service, clock, freshMs: 10 });
  const assets = new AccountAssets({ reads, clock, pollMs: 10, isSeen: () => state.isSeen });
  const reports: unknown[] = [];
  assets.onChange(({ changed, removed: removedIds }) =>
    reports.push([changed.map(({ id }) => id), removedIds]),
  );
  const turn = async () => {
    at += 10;
    for (const wakeSleeper of sleepers.splice(0)) wakeSleeper();
    for (let ticks = 0; ticks < 50; ticks++) await Promise.resolve();
  };
  return { state, assets, reports, turn, sleepers };
}

it('AccountAssets reports changed, new and removed assets from any list', async () => {
  const { state, assets, reports, turn } = scene(
    record(1, 'IN_PROGRESS'),
    record(2, 'IN_PROGRESS'),
    record(3, 'COMPLETE'),
  );
  await assets.list('me');
  expect(reports).toEqual([]);
  state.assets = [record(1, 'IN_PROGRESS', 50), record(2, 'IN_PROGRESS'), record(4, 'AWAITING_FILES')];
  await turn();
  expect(reports).toEqual([[[1, 4], [3]]]);
  expect(state.asked).toEqual(['list', 'list']);
});

it('AccountAssets stops polling when nothing is in progress, even if assets await files', async () => {
  const { state, assets, turn, sleepers } = scene(record(1, 'AWAITING_FILES'), record(2, 'NOT_STARTED'));
  await assets.list('me');
  state.assets = [record(1, 'AWAITING_FILES'), record(2, 'COMPLETE')];
  await turn();
  expect(state.asked).toEqual(['list', 'read 2']);
  await turn();
  expect(sleepers).toEqual([]);
});

it('AccountAssets pauses polling while unseen', async () => {
  const { state, assets, reports, turn } = scene(record(1, 'IN_PROGRESS'));
  await assets.list('me');
  state.isSeen = false;
  state.assets = [record(1, 'IN_PROGRESS', 50)];
  for (let turns = 0; turns < 5; turns++) await turn();
  expect(state.asked).toEqual(['list']);
  state.isSeen = true;
  await turn();
  expect(state.asked).toEqual(['list', 'read 1']);
  expect(reports).toEqual([[[1], []]]);
});

it('AccountAssets notices in another list that its asset is gone', async () => {
  const { state, assets, reports, turn } = scene(record(1, 'IN_PROGRESS'), record(2, 'COMPLETE'));
  await assets.list('me');
  state.assets = [record(2, 'COMPLETE')];
  await turn();
  expect(reports).toEqual([[[], [1]]]);
});

it('AccountAssets follows only the last listed account', async () => {
  const { state, assets, reports, turn } = scene(record(1, 'IN_PROGRESS'));
  await assets.list('me');
  await assets.list('you');
  expect(assets.cachedAsset('me', 1)).toBeUndefined();
  state.assets = [record(1, 'IN_PROGRESS', 9)];
  await turn();
  expect(reports).toEqual([[[1], []]]);
  expect(assets.cachedAsset('you', 1)?.percentComplete).toBe(9);
  assets.stop();
});
