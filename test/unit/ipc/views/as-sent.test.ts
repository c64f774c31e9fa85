import { expect, it } from 'vitest';
import { asSentView } from '../../../../main/ipc/views/as-sent.ts';

const file = (key: string) => ({ key, path: `/data/town/${key}`, size: 1, mtimeMs: 0 });

it('gives a job back as it was asked for, its decisions by the keys that its files have now', async () => {
  const view = await asSentView(
    {
      body: {
        name: 'Town',
        type: '3DTILES',
        options: { sourceType: 'POINT_CLOUD', inputCrs: 'EPSG:31467', clampToTerrain: true },
      },
      changes: {
        leftOut: ['/data/town/cut.las', '/data/town/gone.las'],
        assigned: [{ epsg: 31467, files: ['/data/town/a.las', '/data/town/b.tif'] }],
      },
    },
    ['cut.las', 'a.las', 'b.tif'].map(file),
  );
  expect(view).toEqual({
    name: 'Town',
    description: '',
    assetType: '3DTILES',
    sourceType: 'POINT_CLOUD',
    clampToTerrain: true,
    baseTerrainId: null,
    options: '{"inputCrs":"EPSG:31467"}',
    leftOut: ['cut.las'],
    // The system of a point cloud is among the options: kept twice, it could not be corrected.
    assigned: [{ epsg: 31467, keys: ['b.tif'] }],
  });
});
