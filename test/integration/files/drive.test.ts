import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isOnNetwork, sameDrive } from '../../../main/files/drive.ts';
import { createWatchedFolder } from '../watch/watched-folder.ts';

it('detects the folder for temporary files as local', async () => {
  await using folder = await createWatchedFolder();
  expect(await isOnNetwork(folder.path)).toBe(false);
  expect(await isOnNetwork(join(folder.path, 'not/there'))).toBe(false);
});

it('detects a Windows share by its name alone', async () => {
  expect(await isOnNetwork('\\\\server\\share\\in', 'win32')).toBe(true);
});

it('compares the drives of two folders, even of missing ones', async ({ skip }) => {
  await using folder = await createWatchedFolder();
  expect(await sameDrive(folder.path, join(folder.path, 'not/there/yet'))).toBe(true);
  const other = await stat('/proc').catch(() => null);
  if (!other || other.dev === (await stat(folder.path)).dev) skip('this system has one drive only');
  expect(await sameDrive(folder.path, '/proc')).toBe(false);
});
