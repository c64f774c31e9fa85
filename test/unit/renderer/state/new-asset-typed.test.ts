import { expect, it } from 'vitest';
import { makeJob } from '../../../../gallery/samples/sample-jobs.ts';
import { citySource, essenSource } from '../../../../gallery/samples/sample-sources.ts';
import { type Api, ApiError } from '../../../../renderer/api.ts';
import { NewAssetState } from '../../../../renderer/state/new-asset/new-asset.svelte.ts';

function openSheet() {
  const requests: string[][] = [];
  let isRefused = false;
  const api = {
    call: async (name: string, input: { readonly paths: string[] }) => {
      if (name === 'source.regroup') return [];
      if (name !== 'source.inspect') return;
      requests.push(input.paths);
      if (isRefused && input.paths.length > 1)
        throw new ApiError({ code: 'source-missing', retryable: false });
      return { ...(input.paths.length > 1 ? essenSource : citySource), paths: input.paths };
    },
    on: () => {},
  } as unknown as Api;
  const refuse = () => {
    isRefused = true;
  };
  return { newAsset: new NewAssetState(api), requests, refuse };
}

it('a drop on the open sheet adds to it and keeps typed values', async () => {
  const { newAsset, requests } = openSheet();
  await newAsset.add(['/data/a']);
  newAsset.form.change({ description: 'Mine' });
  await newAsset.add(['/data/b']);
  expect(requests).toEqual([['/data/a'], ['/data/a', '/data/b']]);
  expect(newAsset.form.draft).toMatchObject({ description: 'Mine', split: true });
  expect(newAsset.form.draft?.separate).toHaveLength(4);
});

it('a drop that can’t be inspected leaves the sheet and the main process unchanged', async () => {
  const { newAsset, requests, refuse } = openSheet();
  await newAsset.open(['/data/a']);
  newAsset.form.change({ description: 'Mine' });
  refuse();
  await newAsset.add(['/data/b']);
  expect(newAsset.error?.code).toBe('source-missing');
  expect(newAsset.form.draft?.description).toBe('Mine');
  expect(requests.at(-1)).toEqual(['/data/a']);
  expect(newAsset.adding).toBe(false);
});

it('closing the sheet asks only when something was typed', async () => {
  const { newAsset } = openSheet();
  await newAsset.open(['/data/a']);
  newAsset.leave();
  expect(newAsset.droppedSource.view.kind).toBe('closed');
  await newAsset.open(['/data/a']);
  newAsset.form.change({ name: 'Mine' });
  newAsset.leave();
  expect([newAsset.droppedSource.view.kind, newAsset.askingToLeave]).toEqual(['found', true]);
  newAsset.close();
  expect(newAsset.droppedSource.view.kind).toBe('closed');
});

it('a piece included by hand is inspected with each further drop and stays', async () => {
  const requests: unknown[] = [];
  let isRefused = false;
  const api = {
    call: async (name: string, input: { readonly paths: string[] }) => {
      if (name === 'source.regroup') return [];
      if (name !== 'source.inspect') return;
      requests.push(input);
      if (isRefused && input.paths.length > 1)
        throw new ApiError({ code: 'source-missing', retryable: false });
      return {
        ...essenSource,
        paths: input.paths,
        ...('included' in input && { piecesAgain: [0, 1, 2, 3, 5, 5] }),
      };
    },
    on: () => {},
  } as unknown as Api;
  const newAsset = new NewAssetState(api);
  await newAsset.open(['/data/a']);
  newAsset.form.include([4], 1);
  await newAsset.add(['/data/b']);
  expect(requests.at(-1)).toEqual({ paths: ['/data/a', '/data/b'], round: 2, included: [4] });
  expect(newAsset.form.draft?.separate[1]?.pieces).toEqual([1, 5]);
  isRefused = true;
  await newAsset.add(['/data/c']);
  expect(requests.at(-1)).toEqual({ paths: ['/data/a', '/data/b'], round: 3, included: [5] });
  expect(newAsset.error?.code).toBe('source-missing');
  expect(newAsset.form.draft?.separate[1]?.pieces).toEqual([1, 5]);
});

it('a drop on a correction asks when it was edited, then replaces it', async () => {
  const { newAsset, requests } = openSheet();
  const job = makeJob({ id: 'failed', status: 'data-error', createdAt: 0, paths: ['/data/a'] });
  await newAsset.correct(job);
  newAsset.form.change({ name: 'Mine' });
  await newAsset.add(['/data/b']);
  expect([newAsset.askingToLeave, newAsset.form.draft?.name, requests.length]).toEqual([true, 'Mine', 1]);
  newAsset.stay();
  await newAsset.discard();
  expect([newAsset.droppedSource.view.kind, requests.length]).toEqual(['closed', 1]);
  await newAsset.correct(job);
  newAsset.form.change({ name: 'Mine' });
  await newAsset.add(['/data/b']);
  await newAsset.discard();
  expect([requests.at(-1), newAsset.correction]).toEqual([['/data/b'], null]);
});
