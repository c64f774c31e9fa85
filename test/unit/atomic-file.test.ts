import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { writeFileAtomic, writeFileAtomicSync } from '../../main/atomic-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'a.json');
});

it('writeFileAtomic() replaces the old file and leaves no other', async () => {
  await writeFile(path, 'old');
  await writeFileAtomic(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  writeFileAtomicSync(path, 'newer', `${path}.new`);
  expect(readFileSync(path, 'utf8')).toBe('newer');
  expect(await readdir(folder)).toEqual(['a.json']);
});

it.skipIf(process.platform === 'win32')(
  'writeFileAtomic() replaces a link instead of following it',
  async () => {
    const target = join(folder, 'target');
    await writeFile(target, 'another’s');
    await symlink(target, path);
    await writeFileAtomic(path, 'ours');
    expect(lstatSync(path).isSymbolicLink()).toBe(false);
    expect(readFileSync(target, 'utf8')).toBe('another’s');
  },
);

it('writeFileAtomic() keeps the old file if a check fails or it can’t be replaced', async () => {
  await writeFile(path, 'old');
  const check = () => Promise.reject(new Error('no'));
  await expect(writeFileAtomic(path, 'new', { check })).rejects.toThrow('no');
  expect(readFileSync(path, 'utf8')).toBe('old');
  await mkdir(join(folder, 'b', 'full'), { recursive: true });
  await expect(writeFileAtomic(join(folder, 'b'), 'new')).rejects.toThrow(/EISDIR|EPERM|ENOTEMPTY|EEXIST/);
  expect((await readdir(folder)).sort()).toEqual(['a.json', 'b']);
});

it.skipIf(process.platform === 'win32')(
  'writeFileAtomic() sets its own permissions, not those of a crashed write',
  async () => {
    const newPath = `${path}.new`;
    await writeFile(newPath, 'half', { mode: 0o644 });
    writeFileAtomicSync(path, 'secret', newPath, 0o600);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(newPath)).toBe(false);
  },
);
