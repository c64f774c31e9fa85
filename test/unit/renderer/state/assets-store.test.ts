import { expect, it } from 'vitest';
import { sampleAssets } from '../../../../gallery/samples/sample-assets.ts';
import { type Api, ApiError } from '../../../../renderer/api.ts';
import { AssetsState } from '../../../../renderer/state/assets.svelte.ts';

const unreachableError = { code: 'service-unreachable' as const, retryable: true };

it('AssetsState keeps the list and its age when the service is unreachable', async () => {
  let now = 1_000;
  let reachable = true;
  const api = {
    call: async () => {
      if (!reachable) throw new ApiError(unreachableError);
      return sampleAssets;
    },
  } as unknown as Api;
  const assets = new AssetsState(api, () => now);
  expect(assets.listedAt).toBeNull();
  await assets.refresh();
  now = 9_000;
  reachable = false;
  await assets.refresh();
  expect(assets.list).toEqual(sampleAssets);
  expect(assets.listedAt).toBe(1_000);
  expect(assets.error?.code).toBe('service-unreachable');
  assets.forget();
  expect(assets.listedAt).toBeNull();
});

it('AssetsState reloads for a choice unless the list is seconds old', async () => {
  let now = 0;
  let calls = 0;
  const api = {
    call: async () => {
      calls += 1;
      return sampleAssets;
    },
  } as unknown as Api;
  const assets = new AssetsState(api, () => now);
  await assets.renew();
  now = 9_000;
  await assets.renew();
  expect(calls).toBe(1);
  now = 11_000;
  await assets.renew();
  expect(calls).toBe(2);
});
