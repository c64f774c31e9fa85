import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { foldersIn } from '../../../../main/ipc/handlers/source/folders-in.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

it('offers the folders of a parent folder with the files next to them, but not of a single site', async () => {
  const parent = temporaryFolder();
  for (const name of ['Site 02', 'Site 01', '.git']) await mkdir(join(parent, name));
  await writeFile(join(parent, 'overview.tif'), '');
  expect(await foldersIn(parent)).toEqual(
    ['Site 01', 'Site 02', 'overview.tif'].map((name) => join(parent, name)),
  );

  const site = temporaryFolder();
  await mkdir(join(site, 'photos'));
  expect(await foldersIn(site)).toEqual([]);
  expect(await foldersIn(join(site, 'gone'))).toEqual([]);
});
