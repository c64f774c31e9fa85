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

/** The tests' user is the administrator of their folder. */
const me = process.getuid?.() ?? 0;
const read = policyFileReader({ platform: 'linux', administrator: me });

describe.skipIf(process.platform === 'win32')('policy file on disk', () => {
  it('the policy file and its folder may be missing', async () => {
    expect(await read(path)).toBeNull();
    expect(await read(join(root, 'none', 'policy.json'))).toBeNull();
  });

  it('the policy file on disk trusts a policy that only an administrator can write', async () => {
    await writeFile(path, '{}', { mode: 0o644 });
    expect(await read(path)).toEqual({ text: '{}', isProtected: true });
  });

  it('the policy file on disk distrusts a policy that another user owns', async () => {
    await writeFile(path, '{}', { mode: 0o644 });
    expect(await policyFileReader({ platform: 'linux', administrator: me + 1 })(path)).toMatchObject({
      isProtected: false,
    });
  });

  it.each([0o664, 0o646])(
    'the policy file on disk distrusts a policy that others may write: %o',
    async (mode) => {
      await writeFile(path, '{}');
      await chmod(path, mode);
      expect(await read(path)).toMatchObject({ isProtected: false });
    },
  );

  it('the policy file on disk distrusts a policy that others may replace', async () => {
    await writeFile(path, '{}', { mode: 0o644 });
    await chmod(folder, 0o777);
    expect(await read(path)).toMatchObject({ isProtected: false });
  });

  it('the policy file on disk judges a policy by its link’s target, and distinguishes a dangling link from a missing file', async () => {
    await symlink(join(root, 'real.json'), path);
    await expect(read(path)).rejects.toThrow('ENOENT');
    await writeFile(join(root, 'real.json'), '{}', { mode: 0o644 });
    expect(await read(path)).toMatchObject({ isProtected: true });
    await chmod(join(root, 'real.json'), 0o666);
    expect(await read(path)).toMatchObject({ isProtected: false });
  });

  it('the policy file can’t be a folder', async () => {
    await mkdir(path);
    await expect(read(path)).rejects.toThrow();
  });

  it('S86: the policy file on disk distrusts a policy below a folder that others may write, if every folder above counts', async () => {
    await writeFile(path, '{}', { mode: 0o644 });
    await chmod(root, 0o755);
    const deepPolicy = (levels: number) =>
      policyFileReader({ platform: 'linux', administrator: me, levels })(path);
    expect(await deepPolicy(2)).toMatchObject({ isProtected: true });
    await chmod(root, 0o775);
    expect(await deepPolicy(1)).toMatchObject({ isProtected: true });
    expect(await deepPolicy(2)).toMatchObject({ isProtected: false });
  });

  it('S87: the policy file on disk reads a policy on Windows by the handle whose access list was checked', async () => {
    await writeFile(path, 'what lies at the path', { mode: 0o644 });
    const admins = 'O:BAD:PAI(A;;FA;;;BA)(A;;FA;;;SY)(A;;0x1200a9;;;BU)';
    const anybody = 'O:BAD:PAI(A;;FA;;;BU)';
    const scripts: string[] = [];
    const reads = (sddl: string, folder: string) =>
      policyFileReader({
        platform: 'win32',
        onWindows: (path, levels) =>
          readOnWindows(path, levels, async (script) => {
            scripts.push(script);
            const text = Buffer.from('what the handle gave').toString('base64');
            return JSON.stringify({ text, user: 'S-1-5-21-1-2-3-1001', sddl, folders: [folder] });
          }),
      })(path);
    expect(await reads(admins, admins)).toEqual({ text: 'what the handle gave', isProtected: true });
    expect(await reads(anybody, admins)).toMatchObject({ isProtected: false });
    expect(await reads(admins, anybody)).toMatchObject({ isProtected: false });
    expect(scripts[0]).toContain('$file.GetAccessControl()');
    expect(scripts[0]).not.toContain('Get-Acl');
  });
});

it('quotes a path so that a quotation mark ends no text of the script', () => {
  expect(script("C:\\it's\\policy.json", 1, true)).toContain("$path = 'C:\\it''s\\policy.json'");
});
