import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { driveOf, sameDrive } from '../../../../../main/watch/scan/folder/drive.ts';
import { createWatchedFolder } from '../../watched-folder.ts';

it('detects the folder for temporary files as local', async () => {
  await using folder = await createWatchedFolder();
  expect(await driveOf(folder.path)).toEqual({ kind: 'local' });
  expect(await driveOf(join(folder.path, 'not/there'))).toEqual({ kind: 'local' });
});

it('detects a Windows share by its name alone', async () => {
  expect(await driveOf('\\\\server\\share\\in', 'win32')).toEqual({ kind: 'network' });
});

it('compares the drives of two folders, even of missing ones', async ({ skip }) => {
  await using folder = await createWatchedFolder();
  expect(await sameDrive(folder.path, join(folder.path, 'not/there/yet'))).toBe(true);
  const other = await stat('/proc').catch(() => null);
  if (!other || other.dev === (await stat(folder.path)).dev) skip('this system has one drive only');
  expect(await sameDrive(folder.path, '/proc')).toBe(false);
});
