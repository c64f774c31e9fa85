import { expect, it, vi } from 'vitest';
import type { Api } from '../../../../renderer/api.ts';
import { Thumbnails } from '../../../../renderer/state/thumbnails.svelte.ts';

const storeWith = (answer: (request: unknown) => Promise<string | null>) => {
  const call = vi.fn((_: string, request: unknown) => answer(request));
  const on = vi.fn((_: string, _listener: () => void) => () => {});
  return { call, on, thumbnails: new Thumbnails({ call, on } as unknown as Api) };
};

it('keeps the last 300 pictures of jobs and assets, but none of pieces', async () => {
  const { call, thumbnails } = storeWith(async (request) => JSON.stringify(request));
  for (let count = 0; count < 2; count++) {
    await thumbnails.of({ jobId: 'a' });
    await thumbnails.of({ pieces: [1] });
  }
  expect(call).toHaveBeenCalledTimes(3);
  for (let assetId = 0; assetId < 300; assetId++) await thumbnails.of({ assetId });
  await thumbnails.of({ jobId: 'a' });
  expect(call).toHaveBeenCalledTimes(304);
});

it('asks again for one that wasn’t there, and treats errors like that', async () => {
  const answers = [null, Promise.reject(new Error('gone')), 'data:'];
  const { thumbnails } = storeWith(async () => answers.shift() ?? null);
  const shown = [];
  for (let count = 0; count < 4; count++) shown.push(await thumbnails.of({ jobId: 'a' }));
  expect(shown).toEqual([null, null, 'data:', 'data:']);
});

it('asks for all again when the main process has replaced some', async () => {
  const { call, on, thumbnails } = storeWith(async () => 'data:');
  thumbnails.start();
  await thumbnails.of({ jobId: 'a' });
  on.mock.calls[0]?.[1]();
  await thumbnails.of({ jobId: 'a' });
  expect(call).toHaveBeenCalledTimes(2);
  expect(thumbnails.version).toBe(1);
});
