import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { policyFileReader } from '../../../main/policy/policy-file.ts';
import { readOnWindows, script } from '../../../main/windows-file.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

let root: string;
let folder: string;
let path: string;
beforeEach(async () => {
  root = temporaryFolder();
  folder = join(root, 'tilelift');
  path = join(folder, 'policy.json');
  await mkdir(folder, { mode: 0o755 });
});

/** Whoever runs the tests is the administrator of their folder. */
const me = process.getuid?.() ?? 0;
const read = policyFileReader({ platform: 'linux', administrator: me });

describe.skipIf(process.platform === 'win32')('policy file on disk', () => {
  it('may be missing with its folder', async () => {
    expect(await read(path)).toBeNull();
    expect(await read(join(root, 'none', 'policy.json'))).toBeNull();
  });

  it('is trusted if only an administrator can write it', async () => {
    await writeFile(path, '{}', { mode: 0o644 });
    expect(await read(path)).toEqual({ text: '{}', isProtected: true });
  });

  it('isn’t trusted if another user owns it', async () => {
    await writeFile(path, '{}', { mode: 0o644 });
    expect(await policyFileReader({ platform: 'linux', administrator: me + 1 })(path)).toMatchObject({
      isProtected: false,
    });
  });

  it.each([0o664, 0o646])('isn’t trusted if others may write it: %o', async (mode) => {
    await writeFile(path, '{}');
    await chmod(path, mode);
    expect(await read(path)).toMatchObject({ isProtected: false });
  });

  it('isn’t trusted if others may replace it', async () => {
    await writeFile(path, '{}', { mode: 0o644 });
    await chmod(folder, 0o777);
    expect(await read(path)).toMatchObject({ isProtected: false });
  });

  it('is trusted by its link’s target, and a dangling link differs from a missing file', async () => {
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

  it('isn’t trusted below a folder that others may write, if every folder above counts', async () => {
    await writeFile(path, '{}', { mode: 0o644 });
    await chmod(root, 0o755);
    const deep = (levels: number) => policyFileReader({ platform: 'linux', administrator: me, levels })(path);
    expect(await deep(2)).toMatchObject({ isProtected: true });
    await chmod(root, 0o775);
    expect(await deep(1)).toMatchObject({ isProtected: true });
    expect(await deep(2)).toMatchObject({ isProtected: false });
  });

  it('is read on Windows by the handle whose access list was checked', async () => {
    await writeFile(path, 'what lies at the path', { mode: 0o644 });
    const admins = 'O:BAD:PAI(A;;FA;;;BA)(A;;FA;;;SY)(A;;0x1200a9;;;BU)';
    const anybody = 'O:BAD:PAI(A;;FA;;;BU)';
    const asked: string[] = [];
    const reads = (sddl: string, folder: string) =>
      policyFileReader({
        platform: 'win32',
        onWindows: (given, levels) =>
          readOnWindows(given, levels, async (script) => {
            asked.push(script);
            const text = Buffer.from('what the handle gave').toString('base64');
            return JSON.stringify({ text, user: 'S-1-5-21-1-2-3-1001', sddl, folders: [folder] });
          }),
      })(path);
    expect(await reads(admins, admins)).toEqual({ text: 'what the handle gave', isProtected: true });
    expect(await reads(anybody, admins)).toMatchObject({ isProtected: false });
    expect(await reads(admins, anybody)).toMatchObject({ isProtected: false });
    expect(asked[0]).toContain('$file.GetAccessControl()');
    expect(asked[0]).not.toContain('Get-Acl');
  });
});

it('quotes a path so that a quotation mark ends no text of the script', () => {
  expect(script("C:\\it's\\policy.json", 1, true)).toContain("$path = 'C:\\it''s\\policy.json'");
});
