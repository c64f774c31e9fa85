import { describe, expect, it } from 'vitest';
import { changedJob, type ShownSource } from '../../../../main/ipc/handlers/changed-source.ts';
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
const shown: ShownSource = {
  files: [file('town/a.las'), file('town/b.las'), file('town/c.tif'), file('other/d.las')],
  findings: [{ id: 'empty', count: 1, looked: 1, total: 1, keys: ['town/b.las'] }],
  offered: [
    { path: '/data/a.tfw', folder: '/data', of: '/data/a.tif' },
    { path: '/data/textures/w.jpg', folder: '/data', of: '/data/m.obj' },
    { path: '/other/n.mtl', folder: '/other', of: '/other/n.obj' },
  ],
};
const none = async () => [];
const change = (changes: Partial<SourceChanges>, over: Partial<NewAssetInput> = {}) =>
  changedJob({ ...input, ...over, changes: { leftOut: [], assigned: [], ...changes } }, shown, none);

describe('a new asset with what a person decided about its files', () => {
  it('is what was asked for where nothing was decided', async () => {
    const { body, ...others } = await changedJob(input, null, none);
    expect(body).toMatchObject({ name: 'Town', options: { sourceType: 'POINT_CLOUD' } });
    expect(others).toEqual({});
    expect(await change({})).toEqual({ body });
  });

  it('tells the service the system of its point clouds', async () => {
    const { body, changes } = await change({ assigned: [{ epsg: 25832, files: { keys: ['town/a.las'] } }] });
    expect(body.options).toMatchObject({ sourceType: 'POINT_CLOUD', inputCrs: 'EPSG:25832' });
    expect(changes).toEqual({ leftOut: [], assigned: [{ epsg: 25832, files: ['/data/town/a.las'] }] });
    const raster = await change({ assigned: [{ epsg: 25832, files: { keys: ['town/c.tif'] } }] });
    expect(raster.body.options).not.toHaveProperty('inputCrs');
  });

  it('means every file that shows a finding, of the first look and of all since, in this asset alone', async () => {
    const { changes } = await changedJob(
      { ...input, changes: { leftOut: [{ finding: 'empty' }], assigned: [] } },
      shown,
      async (id) => (id === 'empty' ? ['town/b.las', 'town/c.tif', 'other/d.las'] : []),
    );
    expect(changes?.leftOut).toEqual(['/data/town/b.las', '/data/town/c.tif']);
  });

  it('takes along what was offered beside its own entries, by the folder of each', async () => {
    const takenAlong = ['/data/a.tfw', '/data/textures/w.jpg', '/data/a.tfw', '/other/n.mtl'];
    const paths = ['/data/town', '/data/a.tif', '/data/m.obj'];
    const { changes } = await change({ takenAlong }, { paths });
    expect(changes).toEqual({
      leftOut: [],
      assigned: [],
      takenAlong: [{ folder: '/data', paths: ['/data/a.tfw', '/data/textures/w.jpg'] }],
    });
    // Of another asset of the same drop.
    expect((await change({ takenAlong: ['/other/n.mtl'] })).changes?.takenAlong).toBeUndefined();
  });

  it('takes nothing along that was not offered', async () => {
    await expect(change({ takenAlong: ['/etc/passwd'] })).rejects.toMatchObject({ code: 'path-not-given' });
  });

  it('is not told a system by a file that is taken along already', async () => {
    const offered = [{ path: '/data/town/c.tif.aux.xml', folder: '/data', of: '/data/town' }];
    const assigned = [{ epsg: 25832, files: { keys: ['town/c.tif'] } }];
    const wanted = { ...input, changes: { leftOut: [], assigned, takenAlong: ['/data/town/c.tif.aux.xml'] } };
    await expect(changedJob(wanted, { ...shown, offered }, none)).rejects.toMatchObject({
      code: 'system-file-exists',
    });
  });

  it('is refused where the options say another system', async () => {
    const assigned = [{ epsg: 25832, files: { keys: ['town/a.las'] } }];
    await expect(change({ assigned }, { options: '{"inputCrs":"EPSG:25833"}' })).rejects.toMatchObject({
      code: 'systems-differ',
    });
    const same = await change({ assigned }, { options: '{"inputCrs":"EPSG:25832"}' });
    expect(same.body.options).toMatchObject({ inputCrs: 'EPSG:25832' });
  });

  it('is refused before there is a job where a change can’t be carried out', async () => {
    await expect(
      change({ leftOut: [{ keys: ['town/a.las', 'town/b.las', 'town/c.tif'] }] }),
    ).rejects.toMatchObject({
      code: 'all-left-out',
    });
    const wanted = { ...input, changes: { leftOut: [{ keys: ['a'] }], assigned: [] } };
    await expect(changedJob(wanted, null, none)).rejects.toMatchObject({ code: 'input-invalid' });
  });
});
