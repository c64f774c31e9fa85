import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accountIdOf } from '../../../main/account/model/model.ts';
import type { Tilelift } from '../../../main/app.ts';
import { assetHandlers } from '../../../main/ipc/handlers/asset-handlers.ts';
import { feedAssets } from '../../../main/ipc/handlers/feeds.ts';
import { systemClock } from '../../../main/ports.ts';
import type { AssetView } from '../../../preload/contract.ts';
import type { EmbeddedService } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { settingsInMemory } from '../../unit/account/stand-ins.ts';
import { composeForTest } from '../compose-for-test.ts';

let service: EmbeddedService;
let folder: string;
let settings: ReturnType<typeof settingsInMemory>;
let tilelift: Tilelift;
let isSeen: boolean;
/** Assets sent to the page, by id. */
let viewsById: Map<number, AssetView>;
const pollMs = 100;
const wait = { timeout: 10_000, interval: 20 };

beforeEach(async () => {
  // Assets tile until the test ends that.
  service = await startEmbeddedService({ tilingMs: 3_600_000 });
  folder = temporaryFolder();
  settings = settingsInMemory();
  isSeen = true;
  tilelift = await launch();
  const scopes = ['assets:list', 'assets:read', 'assets:write'] as const;
  const token = service.control.makeAccessToken([...scopes]);
  await tilelift.accounts.useAccessToken({ baseUrl: service.baseUrl, authUrl: service.authUrl }, token);
});
afterEach(async () => {
  await tilelift.stop();
  await service.stop();
});

async function launch(clock = systemClock): Promise<Tilelift> {
  const external = { clock, settings, pollMs, isSeen: () => isSeen };
  const launched = composeForTest(join(folder, 'user-data'), external);
  await launched.start();
  viewsById = new Map();
  feedAssets(launched, ({ changed }) => {
    for (const asset of changed) viewsById.set(asset.id, asset);
  });
  return launched;
}

const accountId = () => accountIdOf(service.baseUrl);
const notices: string[] = [];
/** Names that the user was asked to delete, and the answer. */
let askedNames: readonly string[] = [];
let deletes = true;
const handlers = () =>
  assetHandlers(
    tilelift,
    accountId,
    (path) => notices.push(path),
    async (names) => {
      askedNames = names;
      return deletes;
    },
  );

/** Number of requests so far: lists and single assets. */
function requestCounts() {
  const gets = service.control.requests().filter(({ room, method }) => room === 'api' && method === 'GET');
  return {
    lists: gets.filter(({ path }) => path === '/v1/assets').length,
    reads: gets.filter(({ path }) => /^\/v1\/assets\/\d+$/.test(path)).length,
  };
}

/** Ids of the service's assets. */
const idsOf = (...names: readonly string[]) =>
  service.control
    .assets()
    .flatMap(({ id, name }) => (names.length === 0 || names.includes(String(name)) ? [Number(id)] : []));

/** Times of list requests, ms since the epoch. */
const listRequests = () =>
  service.control
    .requests()
    .filter(({ method, path }) => method === 'GET' && path === '/v1/assets')
    .map(({ at }) => at);

async function upload(name: string): Promise<string> {
  const source = join(folder, name);
  await mkdir(source, { recursive: true });
  await writeFile(join(source, 'town.gml'), '<CityModel/>');
  const id = tilelift.jobs.add({
    accountId: accountId(),
    paths: [source],
    body: { name, type: '3DTILES', options: { sourceType: 'CITYGML' } },
    acceptForecast: false,
  });
  await expect.poll(() => tilelift.jobs.get(id)?.status, wait).toBe('tiling');
  return id;
}

const seedTiling = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    service.control.seedAsset({
      ...{ name: `Elsewhere ${index}`, type: 'TERRAIN', status: 'IN_PROGRESS', percentComplete: 10 },
    }),
  );

/** Waits for a number of further list requests. */
async function lists(furtherCount: number): Promise<void> {
  const previousLists = requestCounts().lists;
  await expect.poll(() => requestCounts().lists, wait).toBeGreaterThanOrEqual(previousLists + furtherCount);
}

it('unfinished assets: follows all of them by one list request, from this computer and others', async () => {
  const otherAssets = seedTiling(5);
  const town = await upload('Town');
  const village = await upload('Village');
  await handlers()['assets.list'](null);
  await lists(2);
  const previousCounts = requestCounts();
  await lists(8);
  const { lists: listCount, reads } = requestCounts();
  expect(reads).toBe(previousCounts.reads);
  // Polling five assets and two jobs individually would take seven times as many requests.
  const times = listRequests().slice(previousCounts.lists, listCount);
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  expect(times.length).toBeLessThanOrEqual(spanMs / pollMs + 2);
  for (const id of otherAssets) service.control.changeAsset({ id, percentComplete: 64 });
  await expect
    .poll(() => otherAssets.map((id) => viewsById.get(id)?.percentComplete), wait)
    .toEqual(Array(5).fill(64));
  const ownAssets = idsOf('Town', 'Village');
  for (const id of ownAssets) service.control.changeAsset({ id, status: 'COMPLETE' });
  for (const job of [town, village])
    await expect.poll(() => tilelift.jobs.get(job)?.status, wait).toBe('complete');
  await expect
    .poll(() => ownAssets.map((id) => viewsById.get(id)), wait)
    .toMatchObject([
      { status: 'COMPLETE', madeHere: true },
      { status: 'COMPLETE', madeHere: true },
    ]);
}, 30_000);

it('tiling that ends elsewhere: reports the end of a tiling elsewhere once to its subscriber, across a restart', async () => {
  const [id = 0, untold = 0] = seedTiling(2);
  await handlers()['assets.tell']({ id, isSubscribed: true });
  expect((await handlers()['assets.here'](id)).isTold).toBe(true);
  expect((await handlers()['assets.here'](untold)).isTold).toBe(false);
  await tilelift.stop();
  tilelift = await launch();
  const cleanUps: unknown[] = [];
  tilelift.subscribedAssets.onEnd((end) => cleanUps.push(end));
  for (const asset of [id, untold]) service.control.changeAsset({ id: asset, status: 'COMPLETE' });
  await expect.poll(() => cleanUps, wait).toMatchObject([{ assetId: id, asset: { status: 'COMPLETE' } }]);
  expect(settings.get().toldAssets).toEqual([]);
  expect((await handlers()['assets.here'](id)).isTold).toBe(false);
});

it('details of an asset contain all fields of the service, unknown ones too', async () => {
  const id = service.control.seedAsset({
    ...{
      name: 'DGM1',
      type: 'TERRAIN',
      status: 'DATA_ERROR',
      attribution: '© Survey',
      description: '**Hi**',
    },
    ...{ error: 'No coordinate system', progressMessage: 'Stopped', labels: ['a'], archivable: true },
  });
  const details = await handlers()['assets.details'](id);
  expect(details).toMatchObject({
    ...{ asset: { id, madeHere: false }, description: '**Hi**', attribution: '© Survey' },
    ...{ error: 'No coordinate system', progressMessage: 'Stopped', moreFields: 0 },
  });
  expect(details.fields).toContainEqual({ name: 'labels', value: '["a"]' });
  expect(details.fields).toContainEqual({ name: 'archivable', value: 'true' });
});

it('details of an asset come from the last answer if the service is silent; without one they are an error', async () => {
  const id = service.control.seedAsset({ name: 'DGM1', type: 'TERRAIN', description: 'Known' });
  await handlers()['assets.list'](null);
  await service.stop();
  expect((await handlers()['assets.details'](id)).description).toBe('Known');
  await expect(handlers()['assets.details'](id + 1)).rejects.toMatchObject({ code: 'service-unreachable' });
  service = await startEmbeddedService();
});

it('details of an asset contain the uploaded source, also after its job was removed', async () => {
  const job = await upload('Town');
  const [id = 0] = idsOf('Town');
  expect(await handlers()['assets.list'](null)).toMatchObject([{ id, madeHere: true }]);
  const uploads = [
    {
      paths: [join(folder, 'Town')],
      isThere: true,
      rule: null,
      files: 1,
      bytes: 12,
      jobId: job as string | null,
    },
  ];
  expect((await handlers()['assets.here'](id)).uploads).toMatchObject(uploads);
  await handlers()['assets.showSource'](id);
  expect(notices).toEqual([join(folder, 'Town')]);
  service.control.changeAsset({ id, status: 'COMPLETE' });
  await expect.poll(() => tilelift.jobs.get(job)?.status, wait).toBe('complete');
  await tilelift.jobs.act(job, 'remove');
  const [upload0] = uploads;
  expect((await handlers()['assets.here'](id)).uploads).toMatchObject([{ ...upload0, jobId: null }]);
  await rm(join(folder, 'Town'), { recursive: true });
  expect((await handlers()['assets.here'](id)).uploads).toMatchObject([{ isThere: false }]);
  await expect(handlers()['assets.showSource'](id)).rejects.toMatchObject({ code: 'source-missing' });
});

it('removing an upload deletes its thumbnail once it can no longer be restored', async () => {
  const job = await upload('Town');
  const pictures = join(folder, 'user-data', 'thumbnails');
  await tilelift.thumbnailFiles.write(job, new Uint8Array([1]));
  service.control.changeAsset({ id: idsOf('Town')[0] ?? 0, status: 'COMPLETE' });
  await expect.poll(() => tilelift.jobs.get(job)?.status, wait).toBe('complete');
  await tilelift.jobs.act(job, 'remove');
  await tilelift.stop();
  expect(await readdir(pictures)).toEqual([`${job}.png`]);
  tilelift = await launch({ ...systemClock, now: () => Date.now() + 11 * 60_000 });
  await expect.poll(() => readdir(pictures), wait).toEqual([]);
});

it('deleting assets: asks by name, removes what the service has deleted from the list, and stops at a refusal', async () => {
  const ids = ['Harbour', 'Hills'].map((name) => service.control.seedAsset({ name, type: 'TERRAIN' }));
  await handlers()['assets.list'](null);
  const removedIds: number[] = [];
  tilelift.assets.onChange((change) => removedIds.push(...change.removed));
  const deletions = () => service.control.requests().filter(({ method }) => method === 'DELETE');

  deletes = false;
  expect(await handlers()['assets.delete'](ids)).toBe(false);
  expect(askedNames).toEqual([`Harbour (${ids[0]})`, `Hills (${ids[1]})`]);
  expect(deletions()).toEqual([]);

  deletes = true;
  const match = { room: 'api', method: 'DELETE' } as const;
  service.control.addFault({ match, action: { kind: 'status', status: 204 } });
  await expect(handlers()['assets.delete'](ids)).rejects.toMatchObject({ code: 'change-unsupported' });
  expect(removedIds).toEqual(ids.slice(0, 1));
});
