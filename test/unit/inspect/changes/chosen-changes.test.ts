import { expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import { chooseFiles } from '../../../../main/inspect/changes/chosen-changes.ts';

const file = (key: string): SourceFile => ({ key, path: `/data/${key}`, size: 1, mtimeMs: 1 });

it('chooseFiles() selects files by key, each once', async () => {
  const chosenFiles = await chooseFiles(
    {
      leftOut: [{ keys: ['a.tif', 'b.tif'] }, { keys: ['a.tif'] }],
      assigned: [{ epsg: 25832, files: { keys: ['c.tif'] } }],
    },
    ['a.tif', 'b.tif', 'c.tif'].map(file),
    () => [],
  );
  expect(chosenFiles).toEqual({
    leftOut: ['/data/a.tif', '/data/b.tif'],
    assigned: [{ epsg: 25832, files: ['/data/c.tif'] }],
  });
});

it('chooseFiles() selects every file with a finding, however many', async () => {
  const keys = Array.from({ length: 3_000 }, (_, at) => `${at}.tif`);
  const askedPaths: string[] = [];
  const chosenFiles = await chooseFiles(
    { leftOut: [], assigned: [{ epsg: 25832, files: { finding: 'no-system-raster' } }] },
    keys.map(file),
    (finding) => {
      askedPaths.push(finding);
      return keys;
    },
  );
  expect([...new Set(askedPaths)]).toEqual(['no-system-raster']);
  expect(chosenFiles.assigned[0]?.files).toHaveLength(3_000);
});

it('chooseFiles() reads only the selected files', async () => {
  const askedPaths: string[] = [];
  const files = Array.from({ length: 3_000 }, (_, at): SourceFile => {
    const key = `${at}.tif`;
    return {
      ...{ key, size: 1, mtimeMs: 1 },
      get path() {
        askedPaths.push(key);
        return `/data/${key}`;
      },
    };
  });
  const { leftOut } = await chooseFiles(
    { leftOut: [{ keys: ['7.tif', 'gone.tif'] }], assigned: [] },
    files,
    () => [],
  );
  expect([leftOut, askedPaths]).toEqual([['/data/7.tif'], ['7.tif']]);
});

it('chooseFiles() selects files of the new asset only', async () => {
  const chosenFiles = await chooseFiles(
    { leftOut: [{ keys: ['a.tif', 'other/b.tif'] }], assigned: [] },
    [file('a.tif')],
    () => [],
  );
  expect(chosenFiles.leftOut).toEqual(['/data/a.tif']);
});
