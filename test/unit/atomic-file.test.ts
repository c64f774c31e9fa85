import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomic, writeFileAtomicSync } from '../../main/atomic-file.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-whole-'));
  path = join(folder, 'a.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a file that is written whole or not at all', () => {
  it('takes the place of the old one, with nothing left beside', async () => {
    await writeFile(path, 'old');
    await writeFileAtomic(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    writeFileAtomicSync(path, 'newer', `${path}.new`);
    expect(readFileSync(path, 'utf8')).toBe('newer');
    expect(await readdir(folder)).toEqual(['a.json']);
  });

  it.skipIf(process.platform === 'win32')('replaces a link rather than following it', async () => {
    const target = join(folder, 'target');
    await writeFile(target, 'another’s');
    await symlink(target, path);
    await writeFileAtomic(path, 'ours');
    expect(lstatSync(path).isSymbolicLink()).toBe(false);
    expect(readFileSync(target, 'utf8')).toBe('another’s');
  });

  it('leaves the old one as it was when a check says no, or it can’t be replaced', async () => {
    await writeFile(path, 'old');
    const check = () => Promise.reject(new Error('no'));
    await expect(writeFileAtomic(path, 'new', { check })).rejects.toThrow('no');
    expect(readFileSync(path, 'utf8')).toBe('old');
    await mkdir(join(folder, 'b', 'full'), { recursive: true });
    await expect(writeFileAtomic(join(folder, 'b'), 'new')).rejects.toThrow(/EISDIR|EPERM|ENOTEMPTY|EEXIST/);
    expect((await readdir(folder)).sort()).toEqual(['a.json', 'b']);
  });

  it.skipIf(process.platform === 'win32')(
    'has its own permissions, not those of what a crash has left',
    async () => {
      const beside = `${path}.new`;
      await writeFile(beside, 'half', { mode: 0o644 });
      writeFileAtomicSync(path, 'secret', beside, 0o600);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(existsSync(beside)).toBe(false);
    },
  );
});
