import { expect, it } from 'vitest';
import { keysAsSent } from '../../../../main/inspect/session/guess.ts';
import { asSentView } from '../../../../main/ipc/views/as-sent.ts';

const file = (key: string) => ({ key, path: `/data/town/${key}`, size: 1, mtimeMs: 0 });

it('asSentView() returns a job as requested, its decisions by the current file keys', () => {
  const view = asSentView(
    {
      name: 'Town',
      type: '3DTILES',
      options: { sourceType: 'POINT_CLOUD', inputCrs: 'EPSG:31467', clampToTerrain: true },
    },
    keysAsSent(
      {
        leftOut: ['/data/town/cut.las', '/data/town/gone.las'],
        assigned: [{ epsg: 31467, files: ['/data/town/a.las', '/data/town/b.tif'] }],
      },
      { files: ['cut.las', 'a.las', 'b.tif'].map(file) },
    ),
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
    // The system of a point cloud is among the options; a second copy could not be corrected.
    assigned: [{ epsg: 31467, keys: ['b.tif'] }],
  });
});
