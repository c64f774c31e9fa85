import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { policyFileReader } from '../../../main/policy/policy-file.ts';

let root: string;
let folder: string;
let path: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tilelift-policy-'));
  folder = join(root, 'tilelift');
  path = join(folder, 'policy.json');
  await mkdir(folder, { mode: 0o755 });
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Whoever runs the tests is the administrator of their folder. */
const me = process.getuid?.() ?? 0;
const read = policyFileReader('linux', me);

describe.skipIf(process.platform === 'win32')('the policy file on disk', () => {
  it('may be missing, with its folder', async () => {
    expect(await read(path)).toBeNull();
    expect(await read(join(root, 'none', 'policy.json'))).toBeNull();
  });

  it('is trusted where it is an administrator’s alone', async () => {
    await writeFile(path, '{}', { mode: 0o644 });
    expect(await read(path)).toEqual({ text: '{}', isProtected: true });
  });

  it('is not where it is somebody else’s', async () => {
    await writeFile(path, '{}', { mode: 0o644 });
    expect(await policyFileReader('linux', me + 1)(path)).toMatchObject({ isProtected: false });
  });

  it.each([0o664, 0o646])('is not where others may write it: %o', async (mode) => {
    await writeFile(path, '{}');
    await chmod(path, mode);
    expect(await read(path)).toMatchObject({ isProtected: false });
  });

  it('is not where others may put another file in its place', async () => {
    await writeFile(path, '{}', { mode: 0o644 });
    await chmod(folder, 0o777);
    expect(await read(path)).toMatchObject({ isProtected: false });
  });

  it('is trusted by what a link leads to, and a link to nothing is not the same as no file', async () => {
    await symlink(join(root, 'real.json'), path);
    await expect(read(path)).rejects.toThrow('ENOENT');
    await writeFile(join(root, 'real.json'), '{}', { mode: 0o644 });
    expect(await read(path)).toMatchObject({ isProtected: true });
    await chmod(join(root, 'real.json'), 0o666);
    expect(await read(path)).toMatchObject({ isProtected: false });
  });

  it('can’t be a folder', async () => {
    await mkdir(path);
    await expect(read(path)).rejects.toThrow();
  });
});
