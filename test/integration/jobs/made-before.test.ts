import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChosenChanges } from '../../../main/inspect/changes/chosen-changes.ts';
import { createInspector } from '../../../main/inspect/session/inspector.ts';
import { createGrantedPaths } from '../../../main/ipc/granted-paths.ts';
import { changedJob } from '../../../main/ipc/handlers/source/changed-job.ts';
import type { SourceParts } from '../../../main/ipc/handlers/source/source-handlers.ts';
import { draftFrom, scopeOfAll } from '../../../renderer/state/new-asset/draft/draft.ts';
import { describeKind } from '../../../renderer/state/new-asset/draft/draft-kind.ts';
import { describeFindings } from '../../../renderer/state/new-asset/draft/findings.ts';
import { settingsInMemory } from '../../unit/account/stand-ins.ts';
import { townGrid } from '../../unit/inspect/changes/town-grid.ts';
import { body, type House, hasStatus, openHouse } from './house.ts';

vi.mock('electron', () => ({ clipboard: {}, dialog: {} }));
const { sourceHandlers } = await import('../../../main/ipc/handlers/source/source-handlers.ts');

/** The sheet reports earlier assets of the same data. */

const input = {
  name: 'Town',
  description: '',
  assetType: '3DTILES',
  sourceType: 'POINT_CLOUD',
  clampToTerrain: false,
  baseTerrainId: null,
  options: '{}',
  kindKey: null,
  acceptForecast: false,
} as const;

let house: House;
beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

const inspector = createInspector();
afterAll(() => inspector.close());

function inspect(accountId: string, paths: readonly string[]) {
  const handlers = handlersOf(accountId, paths);
  return (correcting?: string) =>
    handlers['source.inspect']({ paths, round: 1, ...(correcting !== undefined && { correcting }) });
}

function handlersOf(accountId: string, paths: readonly string[]) {
  const granted = createGrantedPaths(() => []);
  granted.grant(paths);
  const parts = {
    tilelift: { jobs: house.jobs, inspector },
    settings: settingsInMemory(),
    granted,
    window: () => undefined,
    notifySeen: () => {},
    notifyWalked: () => {},
  };
  return sourceHandlers(parts as unknown as SourceParts, () => accountId);
}

it('names the account’s asset of the same files', async () => {
  const path = await house.source({ 'a.las': 100, 'b.las': 50 });
  expect((await inspect('me', [path])()).madeBefore).toBeUndefined();
  const { assetId } = await house.until(house.add(path), hasStatus('complete'));

  expect((await inspect('me', [path])()).madeBefore).toEqual({ assetId, at: expect.any(Number) });
  expect((await inspect('someone', [path])()).madeBefore).toBeUndefined();
});

it.each([
  ['in the folder', { 'a.las': 100, 'notes.docx': 10 }, ['']],
  ['beside a folder inside', { 'scan/1/a.las': 100, 'scan/1/b.las': 90, 'notes.docx': 10 }, ['']],
  ['as an entry', { 'a.las': 100, 'notes.docx': 10 }, ['a.las', 'notes.docx']],
  ['beside one folder of two', { 'x/1/a.las': 100, 'x/1/b.las': 90, 'notes.docx': 10 }, ['x', 'notes.docx']],
  ['beside several entries', { 'a.las': 9, 'b.las': 8, 'notes.docx': 1 }, ['a.las', 'b.las', 'notes.docx']],
])('recognizes an asset from which files were excluded %s', async (_where, files, entries) => {
  const folder = await house.source(files);
  const paths = entries.map((entry) => join(folder, entry));
  const inspection = inspect('me', paths);
  const { pieces, fileCount } = await inspection();
  const includedPieces = [...pieces.keys()].filter((at) => pieces[at]?.reason === null);
  expect(includedPieces.length).toBeLessThan(pieces.length);
  expect(fileCount).toBe(Object.keys(files).length);
  const job = await changedJob({ ...input, paths, pieces: includedPieces }, inspector);
  const id = house.jobs.add({ accountId: 'me', ...job, acceptForecast: false });
  const { assetId } = await house.until(id, hasStatus('complete'));
  expect((await inspection()).madeBefore?.assetId).toBe(assetId);
});

it('reports what an earlier upload changed in the same files, also after a restart', async () => {
  const root = await house.source({ 'a.tif': 'a', 'b.tif': 'b', 'cut.tif': 'c' });
  const add = (changes: ChosenChanges) =>
    house.jobs.add({ accountId: 'me', paths: [root], body, acceptForecast: false, changes });
  const allPaths = ['a.tif', 'b.tif', 'cut.tif'].map((name) => join(root, name));
  const [a = '', b = '', cutFile = ''] = allPaths;
  // Excluded files are ignored, and the last of two systems for a file counts.
  const systems = [
    { epsg: 31467, files: allPaths },
    { epsg: 25833, files: [a] },
    { epsg: 25832, files: [b] },
  ];
  const firstId = add({ leftOut: [cutFile], assigned: systems });
  const { assetId } = await house.until(firstId, hasStatus('complete'));
  await house.restart();
  expect((await inspect('me', [root])()).madeBefore).toEqual({
    assetId,
    at: expect.any(Number),
    changes: { assigned: [25832, 25833], worded: false, leftOut: 1, takenAlong: 0 },
  });

  // The last upload is reported.
  const { assetId: plain } = await house.until(house.add(root), hasStatus('complete'));
  expect((await inspect('me', [root])()).madeBefore).toEqual({ assetId: plain, at: expect.any(Number) });
  const systemsByText = [{ wkt: townGrid, files: [a] }];
  await house.until(add({ leftOut: [], assigned: [], worded: systemsByText }), hasStatus('complete'));
  expect((await inspect('me', [root])()).madeBefore?.changes).toEqual({
    assigned: [],
    worded: true,
    leftOut: 0,
    takenAlong: 0,
  });
});

it('reports no earlier asset for a source that has changed', async () => {
  const path = await house.source({ 'a.las': 100 });
  await house.until(house.add(path), hasStatus('complete'));
  await utimes(join(path, 'a.las'), 1, 1);
  expect((await inspect('me', [path])()).madeBefore).toBeUndefined();
});

it('reports no earlier asset for separated or corrected files', async () => {
  const path = await house.source({ 'a.las': 100, 'b.obj': 50 });
  const id = house.add(path);
  await house.until(id, hasStatus('complete'));
  const view = await inspect('me', [path])();
  expect(view.suggestSeparate).toBe(true);
  expect(view.madeBefore).toBeUndefined();

  const alike = await house.source({ 'a.las': 100 });
  const sentId = house.add(alike);
  await house.until(sentId, hasStatus('complete'));
  const secondView = await inspect('me', [alike])(sentId);
  expect(secondView.asSent).toBeDefined();
  expect(secondView.madeBefore).toBeUndefined();
});

it('reports the earlier asset of each of several assets separately', async () => {
  const path = await house.source({ 'scan/a.las': 100, 'scan/b.las': 120, 'model/c.obj': 50 });
  await house.until(house.add(join(path, 'scan')), hasStatus('complete'));
  const { separate } = await inspect('me', [path])();
  const earlierAssets = separate.map(({ suggestion, madeBefore: earlierAsset }) => [
    suggestion?.sourceType,
    earlierAsset?.assetId,
  ]);
  expect(new Map(earlierAssets as [string, number | undefined][])).toEqual(
    new Map([
      ['POINT_CLOUD', expect.any(Number)],
      ['3D_MODEL', undefined],
    ]),
  );
});

it('reports the earlier assets of files that the user combined', async () => {
  const path = await house.source({ 'a.las': 100, 'b.obj': 50 });
  await house.until(house.add(path), hasStatus('complete'));
  const { separate } = await inspect('me', [path])();
  const allPieces = separate.flatMap(({ pieces }) => pieces);
  const handlers = handlersOf('me', []);
  const regroup = (assets: Parameters<(typeof handlers)['source.regroup']>[0]['assets']) =>
    handlers['source.regroup']({ round: 1, assets });
  expect(await regroup([{ group: 2, pieces: allPieces }])).toMatchObject([{ group: 2 }]);
  expect(await regroup([{ group: 2, pieces: allPieces.slice(0, 1) }])).toEqual([]);
});

it.each([
  ['a folder', (folder: string) => [folder]],
  [
    'its files',
    (folder: string) => ['shp', 'dbf', 'shx', 'prj'].map((kind) => join(folder, `parcels.${kind}`)),
  ],
])(
  'says of a shapefile dropped as %s that it can’t be tiled, and leaves out no part alone',
  async (_how, pathsIn) => {
    const folder = await house.source({
      'parcels.shp': 900,
      'parcels.dbf': 300,
      'parcels.shx': 200,
      'parcels.prj': 100,
    });
    const view = await inspect('me', pathsIn(folder))();
    const draft = draftFrom(view);
    expect(describeKind(view, draft).headline).toBe('The service can’t tile this format');
    const [words] = describeFindings(scopeOfAll(view, draft));
    expect(words).toMatchObject({ finding: 'unlisted-format', ways: [] });
  },
);
