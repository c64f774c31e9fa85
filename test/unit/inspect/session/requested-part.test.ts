import { describe, expect, it } from 'vitest';
import type { Piece } from '../../../../main/inspect/grouping/propose.ts';
import type { OfferedFile, Offers } from '../../../../main/inspect/session/companion-offers.ts';
import { requestedPart, type ShownSource } from '../../../../main/inspect/session/requested-part.ts';
import { changedJob as jobOf } from '../../../../main/ipc/handlers/source/changed-job.ts';
import type { NewAssetInput } from '../../../../preload/contract.ts';
import type { SourceChanges } from '../../../../shared/source-changes.ts';

const input: NewAssetInput = {
  paths: ['/data/town'],
  name: 'Town',
  description: '',
  assetType: '3DTILES',
  sourceType: 'POINT_CLOUD',
  clampToTerrain: false,
  baseTerrainId: null,
  options: '{}',
  kindKey: null,
  acceptForecast: false,
};
const file = (key: string, root = '/data') => ({ key, path: `${root}/${key}`, size: 1, mtimeMs: 1 });
/** Offers for missing files. */
const offersOf = (...files: readonly Omit<OfferedFile, 'key'>[]): Offers =>
  new Map([['missing-files', files.map((offeredFile) => ({ ...offeredFile, key: 'a' }))]]);
const shownSource: ShownSource = {
  paths: ['/data'],
  pieces: [],
  isPart: false,
  files: [file('town/a.las'), file('town/b.las'), file('town/c.tif'), file('other/d.las')],
  findings: [{ id: 'empty', count: 1, looked: 1, total: 1, keys: ['town/b.las'] }],
  offers: offersOf(
    { path: '/data/a.tfw', folder: '/data', dataFile: '/data/a.tif' },
    { path: '/data/textures/w.jpg', folder: '/data', dataFile: '/data/m.obj' },
    { path: '/other/n.mtl', folder: '/other', dataFile: '/other/n.obj' },
  ),
  proposed: 0,
};
const noFiles = () => [];
/** A job as the main process requests it. */
const changedJob = (
  wantedInput: NewAssetInput,
  shownSource: ShownSource | null,
  showing: Parameters<typeof requestedPart>[2],
) => jobOf(wantedInput, { requestPart: (partWish) => requestedPart(partWish, shownSource, showing) });
const change = (changes: Partial<SourceChanges>, changedInput: Partial<NewAssetInput> = {}) =>
  changedJob(
    { ...input, ...changedInput, changes: { leftOut: [], assigned: [], ...changes } },
    shownSource,
    noFiles,
  );

it('a new asset with file decisions equals the request without decisions', async () => {
  const { body, ...otherFields } = await changedJob(input, null, noFiles);
  expect(body).toMatchObject({ name: 'Town', options: { sourceType: 'POINT_CLOUD' } });
  expect(otherFields).toEqual({ paths: ['/data/town'] });
  const expected = { files: 3, bytes: 3 };
  expect(await change({})).toEqual({ paths: ['/data/town'], body, expected });
});

it('a new asset with file decisions sends the system of its point clouds to the service', async () => {
  const { body, changes } = await change({ assigned: [{ epsg: 25832, files: { keys: ['town/a.las'] } }] });
  expect(body.options).toMatchObject({ sourceType: 'POINT_CLOUD', inputCrs: 'EPSG:25832' });
  expect(changes).toEqual({ leftOut: [], assigned: [{ epsg: 25832, files: ['/data/town/a.las'] }] });
  const raster = await change({ assigned: [{ epsg: 25832, files: { keys: ['town/c.tif'] } }] });
  expect(raster.body.options).not.toHaveProperty('inputCrs');
});

it('a new asset with file decisions selects every file with a finding from all inspections of this asset', async () => {
  const { changes } = await changedJob(
    { ...input, changes: { leftOut: [{ finding: 'empty' }], assigned: [] } },
    shownSource,
    (id) => (id === 'empty' ? ['town/b.las', 'town/c.tif', 'other/d.las'] : []),
  );
  expect(changes?.leftOut).toEqual(['/data/town/b.las', '/data/town/c.tif']);
});

it('a new asset with file decisions includes offered files next to its entries, by folder', async () => {
  const companionPaths = ['/data/a.tfw', '/data/textures/w.jpg', '/data/a.tfw', '/other/n.mtl'];
  const paths = ['/data/town', '/data/a.tif', '/data/m.obj'];
  const { changes } = await change({ takenAlong: companionPaths }, { paths });
  expect(changes).toEqual({
    leftOut: [],
    assigned: [],
    takenAlong: [{ folder: '/data', paths: ['/data/a.tfw', '/data/textures/w.jpg'] }],
  });
  // From another asset of the same drop.
  expect((await change({ takenAlong: ['/other/n.mtl'] })).changes?.takenAlong).toBeUndefined();
});

it('a new asset with file decisions rejects files that were not offered', async () => {
  await expect(change({ takenAlong: ['/etc/passwd'] })).rejects.toMatchObject({ code: 'path-not-given' });
});

it('a new asset with file decisions rejects a system that an included file already names', async () => {
  const offers = offersOf({ path: '/data/town/c.tif.aux.xml', folder: '/data', dataFile: '/data/town' });
  const assignedSystems = [{ epsg: 25832, files: { keys: ['town/c.tif'] } }];
  const wantedInput = {
    ...input,
    changes: { leftOut: [], assigned: assignedSystems, takenAlong: ['/data/town/c.tif.aux.xml'] },
  };
  await expect(changedJob(wantedInput, { ...shownSource, offers }, noFiles)).rejects.toMatchObject({
    code: 'system-file-exists',
  });
});

it('a new asset with file decisions rejects options with another system', async () => {
  const assignedSystems = [{ epsg: 25832, files: { keys: ['town/a.las'] } }];
  await expect(
    change({ assigned: assignedSystems }, { options: '{"inputCrs":"EPSG:25833"}' }),
  ).rejects.toMatchObject({ code: 'systems-differ' });
  const sameJob = await change({ assigned: assignedSystems }, { options: '{"inputCrs":"EPSG:25832"}' });
  expect(sameJob.body.options).toMatchObject({ inputCrs: 'EPSG:25832' });
});

it('a new asset with file decisions rejects an impossible change before creating a job', async () => {
  await expect(
    change({ leftOut: [{ keys: ['town/a.las', 'town/b.las', 'town/c.tif'] }] }),
  ).rejects.toMatchObject({ code: 'all-left-out' });
  const wantedInput = { ...input, changes: { leftOut: [{ keys: ['a'] }], assigned: [] } };
  await expect(changedJob(wantedInput, null, noFiles)).rejects.toMatchObject({ code: 'input-invalid' });
});

const piece = (kind: Piece['kind'], primary: string, ...files: number[]): Piece => ({
  ...{ kind, files, primary },
  reason: kind ? null : 'document',
});

describe('an asset of a part of the drop', () => {
  const mixedSource: ShownSource = {
    paths: ['/data'],
    files: [
      file('Imagery/a.tif'),
      file('Imagery/a.tfw'),
      file('Scan/b.las'),
      file('c.tif'),
      file('film.mp4'),
    ],
    pieces: [
      piece('RASTER_IMAGERY', 'Imagery/a.tif', 0, 1),
      piece('POINT_CLOUD', 'Scan/b.las', 2),
      piece('RASTER_IMAGERY', 'c.tif', 3),
      piece(null, 'film.mp4', 4),
    ],
    isPart: false,
    findings: [],
    offers: new Map(),
    proposed: 0,
  };
  const part = (
    pieces: readonly number[],
    changedInput: Partial<NewAssetInput> = {},
    shownSource = mixedSource,
  ) => changedJob({ ...input, paths: ['/data'], pieces, ...changedInput }, shownSource, noFiles);

  it('an asset of a part of the drop becomes its folder if that contains nothing else', async () => {
    expect(await part([0])).toMatchObject({ paths: ['/data/Imagery'], expected: { files: 2, bytes: 2 } });
    expect(await part([0])).not.toHaveProperty('changes');
  });

  it('an asset of a part of the drop names its files if others lie next to them', async () => {
    const { paths, changes } = await part([0, 2]);
    expect(paths).toEqual(['/data']);
    expect(changes).toEqual({
      only: ['/data/Imagery/a.tif', '/data/Imagery/a.tfw', '/data/c.tif'],
      leftOut: [],
      assigned: [],
    });
  });

  it('an asset of a part of the drop keeps its files when others are excluded', async () => {
    const leftOut = { leftOut: [{ keys: ['c.tif', 'Scan/b.las'] }], assigned: [] };
    const { changes } = await part([0, 2], { changes: leftOut });
    expect(changes?.leftOut).toEqual(['/data/c.tif']);
    expect(changes?.only).toHaveLength(3);
  });

  it('an asset of a part of the drop names its files if more lies next to included ones', async () => {
    const takenSource: ShownSource = {
      ...mixedSource,
      paths: ['/data/k.obj', '/data/textures'],
      files: [file('k.obj'), file('textures/1.jpg')],
      pieces: [piece('3D_MODEL', 'k.obj', 0, 1)],
      isPart: true,
    };
    const { pieces: _none, ...wholeJob } = { ...input, pieces: [], paths: takenSource.paths };
    const { paths, changes } = await changedJob(wholeJob, takenSource, noFiles);
    expect(paths).toEqual(takenSource.paths);
    expect(changes?.only).toEqual(['/data/k.obj', '/data/textures/1.jpg']);
  });

  it('an asset of a part of the drop is rejected when the page shows something else or it is empty', async () => {
    await expect(part([0], { paths: ['/other'] })).rejects.toMatchObject({ code: 'input-invalid' });
    await expect(part([9])).rejects.toMatchObject({ code: 'input-invalid' });
  });
});
