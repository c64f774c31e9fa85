import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createInspector } from '../../../main/inspect/session/inspector.ts';
import { createGrantedPaths } from '../../../main/ipc/granted-paths.ts';
import type { HandlerParts } from '../../../main/ipc/handlers/handlers.ts';
import type { NewJob } from '../../../main/jobs/model.ts';
import { noPolicy } from '../../../main/policy/policy.ts';
import { formatDay } from '../../../main/say.ts';
import type { AssetOptions } from '../../../shared/assets.ts';
import { settingsInMemory } from '../../unit/account/stand-ins.ts';
import { townGrid } from '../../unit/inspect/changes/town-grid.ts';
import { cityModel, lasFile, projectedKeys, tiffFile } from '../../unit/inspect/formats/sample-heads.ts';
import { body, type House, hasStatus, openHouse } from './house.ts';

const clipboard = vi.hoisted(() => ({ writeText: vi.fn<(text: string) => void>() }));
vi.mock('electron', () => ({ clipboard, dialog: {}, nativeTheme: {} }));
const { createHandlers } = await import('../../../main/ipc/handlers/handlers.ts');

/** Texts about an asset or its source, as the handlers write them. */

const address = { baseUrl: 'https://api.example', authUrl: 'https://example' };

let house: House;
const inspector = createInspector();
beforeEach(async () => {
  house = await openHouse();
  clipboard.writeText.mockReset();
});
afterEach(() => house.close());
afterAll(() => inspector.close());

function openHandlers(paths: readonly string[]) {
  const granted = createGrantedPaths(() => []);
  granted.grant(paths);
  const account = { id: 'me', address };
  const accounts = {
    state: () => ({ kind: 'signed-in', account }),
    accounts: () => [account],
    signedOutAccounts: () => [],
  };
  const parts = {
    tilelift: { jobs: house.jobs, inspector, accounts },
    ...{ settings: settingsInMemory(), granted, policy: noPolicy, presets: [] },
    thumbnails: { adopt: () => {} },
    notifySeen: () => {},
    notifyWalked: () => {},
  };
  return createHandlers(parts as unknown as HandlerParts);
}

/** Uploads each asset that the sheet proposes for a folder; returns the jobs' ids by kind of data. */
async function uploadSeparately(folder: string): Promise<Readonly<Record<string, string>>> {
  const handlers = openHandlers([folder]);
  const { paths, separate } = await handlers['source.inspect']({ paths: [folder], round: 1 });
  const ids: Record<string, string> = {};
  for (const { pieces, suggestion } of separate) {
    const { sourceType = '' } = suggestion ?? {};
    ids[sourceType] = await handlers['jobs.create']({
      ...{ name: `Essen ${sourceType}`, description: '', sourceType, paths, pieces },
      assetType: sourceType === 'RASTER_IMAGERY' ? 'IMAGERY' : '3DTILES',
      ...{ clampToTerrain: false, baseTerrainId: null, options: '{}', kindKey: null, acceptForecast: false },
    });
  }
  return ids;
}

const failTiling = () => house.service.control.setTiling({ end: 'DATA_ERROR', error: 'Tiler exit 3' });

async function supplierMessageOf(id: string): Promise<string> {
  await house.until(id, hasStatus('data-error'));
  await openHandlers([])['jobs.copySupplierMessage'](id);
  return clipboard.writeText.mock.lastCall?.[0] ?? '';
}

const failedUpload = (job: Pick<NewJob, 'paths'> & Partial<NewJob>, options: AssetOptions) => {
  failTiling();
  return house.jobs.add({ accountId: 'me', body: { ...body, options }, acceptForecast: false, ...job });
};

const [east, north] = [550_000, 5_800_000];
const image = (epsg?: number) =>
  tiffFile({
    ...{ size: [1_000, 1_000], bands: 3, scale: [1, 1, 0], tie: [0, 0, 0, east, north, 0] },
    ...(epsg !== undefined && { geoKeys: projectedKeys(epsg) }),
  });
const points = (epsg?: number) =>
  lasFile({
    box: [east, north + 20_000, east + 1_000, north + 21_000],
    ...(epsg !== undefined && { geoKeys: projectedKeys(epsg) }),
  });
const raster = { sourceType: 'RASTER_IMAGERY' };

it('writes to the supplier only about the files of the failed asset, not about others of their folder', async () => {
  failTiling();
  const folder = await house.source({ 'ortho.tif': image(), 'scan.las': '', 'town.gml': cityModel('') });
  const ids = await uploadSeparately(folder);
  const names = { CITYGML: 'town.gml', POINT_CLOUD: 'scan.las', RASTER_IMAGERY: 'ortho.tif' };
  expect(Object.keys(ids).toSorted()).toEqual(Object.keys(names));
  for (const [sourceType, name] of Object.entries(names)) {
    const message = await supplierMessageOf(ids[sourceType] ?? '');
    expect(message).toMatch(/^There are problems with the data you delivered: source-\d+\.\n/);
    expect(new Set(message.match(/\w+\.(?:tif|las|gml)\b/g))).toEqual(new Set([name]));
    expect(message).toContain('reports: Tiler exit 3');
  }
});

it('writes nothing to the supplier about files that were left out or assigned a system', async () => {
  const folder = await house.source({
    'a.tif': image(),
    'b.tif': image(),
    'c.tif': image(),
    'd.tif': image(),
  });
  const pathOf = (name: string) => join(folder, name);
  const assigned = [{ epsg: 25832, files: [pathOf('b.tif')] }];
  const worded = [{ wkt: townGrid, files: [pathOf('d.tif')] }];
  const changes = { leftOut: [pathOf('a.tif')], assigned, worded };
  const message = await supplierMessageOf(failedUpload({ paths: [folder], changes }, raster));
  expect(message).toContain('1 file has no coordinate system\n    Files: c.tif\n');

  const scan = join(await house.source({ 'a.las': points() }), 'a.las');
  const options = { sourceType: 'POINT_CLOUD', inputCrs: 'EPSG:25832' };
  expect(await supplierMessageOf(failedUpload({ paths: [scan] }, options))).not.toContain(
    'coordinate system',
  );
});

it('finds files that were taken along before it writes to the supplier that they are missing', async () => {
  const folder = await house.source({ 'a.obj': 'mtllib a.mtl\nv 0 0 0\n', 'a.mtl': 'newmtl a\n' });
  const options = { sourceType: '3D_MODEL' };
  const paths = [join(folder, 'a.obj')];
  const takenAlong = [{ folder, paths: [join(folder, 'a.mtl')] }];
  const changes = { leftOut: [], assigned: [], takenAlong };
  expect(await supplierMessageOf(failedUpload({ paths }, options))).toContain('a.mtl');
  expect(await supplierMessageOf(failedUpload({ paths, changes }, options))).not.toContain('a.mtl');
});

it('writes nothing to the supplier about files that the rule of a watched folder ignores', async () => {
  const folder = await house.source({ 'site/a.tif': image(), 'site/raw/b.tif': image() });
  const exactly = { keysFrom: folder, gitignore: ['/site/raw/'], fingerprint: null };
  const message = await supplierMessageOf(failedUpload({ paths: [join(folder, 'site')], exactly }, raster));
  expect(message).toContain('Files: site/a.tif\n');
  expect(message).not.toContain('b.tif');
});

it('passes the service’s message on to the supplier if the files are gone', async () => {
  const folder = await house.source({ 'a.tif': image() });
  const id = failedUpload({ paths: [folder] }, raster);
  await house.until(id, hasStatus('data-error'));
  await rm(folder, { recursive: true });
  expect(await supplierMessageOf(id)).toMatch(/delivered: source-\d+\.\n\n.+ reports: Tiler exit 3\n/);
});

it('shares each asset of a mixed folder with its name, link, date and extent', async () => {
  const folder = await house.source({ 'ortho.tif': image(25832), 'scan.las': points(25832) });
  const handlers = openHandlers([folder]);
  const extents = { RASTER_IMAGERY: /^Extent: 52\.3/, POINT_CLOUD: /^Extent: 52\.5/ };
  for (const [sourceType, jobId] of Object.entries(await uploadSeparately(folder))) {
    const { assetId, name, assetType, endedAt } = await house.until(jobId, hasStatus('complete'));
    const asset = { id: assetId ?? 0, accountId: null, name, assetType, createdAt: endedAt };
    const { message } = await handlers['assets.share'](asset);
    expect(message.split('\n')).toEqual([
      `Essen ${sourceType} is ready to view:`,
      `https://example/assets/${assetId}`,
      `Created: ${formatDay(endedAt ?? 0)}`,
      expect.stringMatching(extents[sourceType as keyof typeof extents]),
      '',
    ]);
    await handlers['assets.copyShared']('message');
    expect(clipboard.writeText).toHaveBeenLastCalledWith(message);
  }
});

it('shares the extent of files whose system was assigned, as long as their upload is listed', async () => {
  const folder = await house.source({ 'a.tif': image() });
  const assigned = [{ epsg: 25832, files: [join(folder, 'a.tif')] }];
  const id = house.jobs.add({
    ...{ accountId: 'me', paths: [folder], body: { ...body, options: raster }, acceptForecast: false },
    changes: { leftOut: [], assigned },
  });
  const { assetId } = await house.until(id, hasStatus('complete'));
  const asset = { id: assetId ?? 0, accountId: 'me', name: 'a', assetType: 'IMAGERY', createdAt: null };
  const share = openHandlers([])['assets.share'];
  expect((await share(asset)).message).toMatch(/^Extent: 52\.3389/m);

  await house.jobs.act(id, 'remove');
  expect((await share(asset)).message).not.toContain('Extent');
});
