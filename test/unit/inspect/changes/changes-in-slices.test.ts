import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import { checkChanges } from '../../../../main/inspect/changes/apply-changes.ts';
import { chooseFiles } from '../../../../main/inspect/changes/chosen-changes.ts';
import { loadSystems } from '../../../../main/inspect/crs/systems.ts';
import { changedJob } from '../../../../main/ipc/handlers/source/changed-source.ts';
import type { NewAssetInput } from '../../../../preload/contract.ts';

/** Files of a source, and what may be done with them in one go. */
const [count, maxInOneGo] = [12_000, 4_000];
const { systemOf } = await loadSystems();
const town: NewAssetInput = {
  ...{ paths: ['/data'], name: 'Town', description: '', assetType: 'TERRAIN', sourceType: 'RASTER_TERRAIN' },
  ...{ clampToTerrain: false, baseTerrainId: null, options: '{}', kindKey: null, acceptForecast: false },
};

/** Files that count how often anything asks for their names, and the most of it between two turns. */
async function counted(work: (files: readonly SourceFile[]) => Promise<unknown>): Promise<number> {
  let [asked, most, isOver] = [0, 0, false];
  const files = Array.from({ length: count }, (_, at): SourceFile => {
    const key = `block/tile_${at}.tif`;
    return {
      ...{ size: 1, mtimeMs: 1, path: `/data/${key}` },
      get key() {
        asked += 1;
        return key;
      },
    };
  });
  const watch = async () => {
    while (!isOver) {
      most = Math.max(most, asked);
      asked = 0;
      await setImmediate();
    }
  };
  const watching = watch();
  await work(files);
  isOver = true;
  await watching;
  return Math.max(most, asked);
}

const keys = Array.from({ length: count }, (_, at) => `block/tile_${at}.tif`);
const paths = keys.map((key) => `/data/${key}`);
const assigned = [{ epsg: 25832, files: { finding: 'no-system-raster' } }] as const;

it.each([
  ['choosing', (files) => chooseFiles({ leftOut: [], assigned }, files, async () => keys)],
  [
    'assigning',
    (files) => checkChanges(files, { leftOut: [], assigned: [{ epsg: 25832, files: paths }] }, systemOf),
  ],
  [
    'asking for a new asset',
    (files) =>
      changedJob(
        { ...town, changes: { leftOut: [], assigned } },
        { files, findings: [], offers: new Map(), proposed: 0, paths: [], pieces: [], isPart: false },
        async () => keys,
      ),
  ],
] as const satisfies readonly (readonly [string, (files: readonly SourceFile[]) => Promise<unknown>])[])(
  '%s takes thousands of files in slices, with other work in between',
  async (_what, work) => {
    const most = await counted(work);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(maxInOneGo);
  },
);

it('looks through thousands of paths that are left out in slices', async () => {
  const turns = async (leftOut: readonly string[]) => {
    let [count, isOver] = [0, false];
    const watch = async () => {
      for (; !isOver; count++) await setImmediate();
    };
    const watching = watch();
    const last: SourceFile = { key: 'a.tif', path: '/a.tif', size: 1, mtimeMs: 1 };
    await checkChanges([last], { leftOut, assigned: [] }, systemOf);
    isOver = true;
    await watching;
    return count;
  };
  expect((await turns(paths)) - (await turns([]))).toBeGreaterThanOrEqual(10);
});
