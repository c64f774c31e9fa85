import { expect, it } from 'vitest';
import { type FileAccess, readHeaderOf } from '../../../../main/inspect/headers/inspection-tasks.ts';
import { findInLooks } from '../findings/find-in.ts';
import { projectedKeys, tiffFile } from '../formats/sample-heads.ts';

const bytes = tiffFile({ bands: 3, geoKeys: projectedKeys(25832) });

/** Files of which only some are on this computer; records opened ones. */
function drive(localFiles: readonly string[]): FileAccess & { readonly opened: string[] } {
  const openedPaths: string[] = [];
  return {
    opened: openedPaths,
    open: (path) => {
      openedPaths.push(path);
      throw new Error('nothing is to be read here');
    },
    read: (_file, target, at) => bytes.copy(target, 0, at),
    close: () => {},
    names: () => [],
    stat: (path) => ({ size: 40_000, allocated: localFiles.includes(path) ? 40_960 : 0 }),
  };
}
const lookAt = async (path: string, files: FileAccess) => {
  const task = { kind: 'head', key: 'a.tif', path, sidecars: [], hint: '/x/OneDrive/a.prj' } as const;
  return { key: 'a.tif', ...(await readHeaderOf(task, files)) };
};
const idsOf = (manyLooks: Parameters<typeof findInLooks>[0]) =>
  findInLooks(manyLooks, [{ key: 'a.tif', size: 40_000 }]).map(({ id, count }) => `${id} ${count}`);

it.each([
  ['OneDrive', '/home/me/OneDrive/a.tif'],
  ['OneDrive of a company', 'C:/Users/me/OneDrive - Town/a.tif'],
  ['iCloud Drive', '/Users/me/Library/Mobile Documents/com~apple~CloudDocs/a.tif'],
  ['Dropbox below CloudStorage', '/Users/me/Library/CloudStorage/Dropbox-Me/a.tif'],
])('a file that exists only in %s is reported and never opened, nor are its sidecars', async (_, path) => {
  const files = drive([]);
  const result = await lookAt(path, files);
  expect(result).toMatchObject({ head: null, onlyInCloud: true });
  expect(files.opened).toEqual([]);
  expect(idsOf([result])).toEqual(['only-in-cloud 1']);
});

it('opens a file that exists only in the cloud if that may download it', async () => {
  const files = drive([]);
  const path = '/home/me/OneDrive/a.tif';
  await readHeaderOf({ kind: 'head', key: 'a.tif', path, sidecars: [], downloads: true }, files);
  expect(files.opened).toEqual([path]);
});

it.each([
  ['one that is on this computer', '/home/me/OneDrive/a.tif', ['/home/me/OneDrive/a.tif']],
  ['one elsewhere, which is sparse', '/home/me/data/a.tif', []],
])('no missing content is reported for %s', async (_, path, localFiles) => {
  const files = drive(localFiles);
  const result = await lookAt(path, files);
  expect(files.opened).toEqual([path]);
  expect(idsOf([result])).toEqual([]);
});
