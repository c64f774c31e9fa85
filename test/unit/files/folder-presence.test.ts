import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderPresence } from '../../../main/files/folder-presence.ts';

let home: string;
let folder: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tilelift-presence-'));
  folder = join(home, 'incoming');
  await mkdir(folder);
});
afterEach(() => rm(home, { recursive: true }));

it('detects that a folder disappears and returns', async () => {
  const presence = new FolderPresence(folder, null);
  expect(await presence.check(5_000)).toBe('there');
  await rename(folder, `${folder}-unplugged`);
  expect(await presence.check(5_000)).toBe('away');
  await rename(`${folder}-unplugged`, folder);
  expect(await presence.check(5_000)).toBe('there');
});

it('detects that another folder replaced the watched one', async () => {
  const presence = new FolderPresence(folder, null);
  await presence.check(5_000);
  await rename(folder, `${folder}-old`);
  await mkdir(folder);
  expect(await presence.check(5_000)).toBe('replaced');
  expect(await presence.check(5_000)).toBe('there');
});

it('reports a missing folder if a file has its path', async () => {
  await rm(folder, { recursive: true });
  await writeFile(folder, '');
  expect(await new FolderPresence(folder, null).check(5_000)).toBe('away');
});

it('reports a folder as unavailable while its mount marker is missing', async () => {
  const presence = new FolderPresence(folder, '.mounted');
  expect(await presence.check(5_000)).toBe('no-marker');
  await writeFile(join(folder, '.mounted'), '');
  expect(await presence.check(5_000)).toBe('there');
  await rm(join(folder, '.mounted'));
  expect(await presence.check(5_000)).toBe('no-marker');
});
